/** Seeds player history in the database of the running program. */
import { joinDatabase } from '#backend/platform/database/open.ts'
import { createLog } from '#backend/platform/log.ts'
import { type HistoryOptions, seedHistory } from '#tests/seed-history.ts'
import type { Program } from '#tests/program.ts'

/** Stores the samples that the program would have recorded for the server. */
export async function seedPlayerHistory(program: Program, publicId: string, past: HistoryOptions): Promise<void> {
  const database = await joinDatabase({ DATA_DIR: program.folder }, createLog('silent'))
  try {
    await seedHistory({ db: database.db, clock: { now: Date.now } as never }, publicId, past)
  } finally {
    await database.close()
  }
}
