import type { Log } from '#backend/log.ts'
import { migrateToLatest } from './migrate.ts'
import { type Database, connect } from './open.ts'

/**
 * Brings the schema up to date on a connection of its own, without the limit on a statement's time: a migration may take as long as it
 * takes. Answers which steps ran.
 */
export async function migrateAlone({ connection }: Database, log: Log): Promise<readonly string[]> {
  const db = connect(connection, log, 2, 0)
  try {
    return await migrateToLatest(db)
  } finally {
    await db.destroy()
  }
}
