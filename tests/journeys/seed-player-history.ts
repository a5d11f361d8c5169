/** Seeds player history in the database of the running program. */
import type { Page } from '@playwright/test'
import { joinDatabase } from '#backend/platform/database/open.ts'
import { createLog } from '#backend/platform/log.ts'
import { type HistoryOptions, seedHistory } from '#tests/seed-history.ts'
import type { Program } from '#tests/program.ts'
import { announce, createServer, type CreatedServer } from './journey.ts'

/** Stores the samples that the program would have recorded for the server. */
export async function seedPlayerHistory(program: Program, publicId: string, history: HistoryOptions): Promise<void> {
  const database = await joinDatabase({ DATA_DIR: program.folder }, createLog('silent'))
  try {
    await seedHistory({ db: database.db, clock: { now: Date.now } as never }, publicId, history)
  } finally {
    await database.close()
  }
}

/** Creates an online server with player history. @param players the number that it announces. */
export async function createServerWithHistory(
  owner: Page,
  program: Program,
  body: Parameters<typeof createServer>[1],
  history: HistoryOptions,
  players = 37,
): Promise<CreatedServer> {
  const server = await createServer(owner, body)
  await announce(program, server.credential, { playersCount: players })
  await seedPlayerHistory(program, server.public_id, history)
  return server
}
