import { migrateAlone } from '#backend/platform/database/migrate.ts'
import { joinDatabase } from '#backend/platform/database/open.ts'
import { readEnv } from '#backend/platform/env.ts'
import { createLog } from '#backend/platform/log.ts'

/** Brings the database up to date and ends. With the embedded database it needs no running Muster; it starts and stops it itself. */
export async function migrate(): Promise<void> {
  const env = readEnv()
  const log = createLog(env.LOG_LEVEL)
  const database = await joinDatabase(env, log)
  try {
    const applied = await migrateAlone(database, log)
    process.stdout.write(applied.length === 0 ? 'The database is up to date.\n' : `Applied: ${applied.join(', ')}.\n`)
  } finally {
    await database.close()
  }
}
