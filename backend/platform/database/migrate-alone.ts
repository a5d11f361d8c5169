import { sql } from 'kysely'
import type { Log } from '#backend/platform/log.ts'
import { migrateToLatest } from './migrate.ts'
import { type Database, type Db, connect } from './open.ts'

/**
 * Brings the schema up to date on a connection of its own, without the limit on a statement's time: a migration may take as long as it
 * takes. Answers which steps ran.
 */
export async function migrateAlone(
  { connection, isEmbedded }: Pick<Database, 'connection' | 'isEmbedded'>,
  log: Log,
): Promise<readonly string[]> {
  const db = connect(connection, log, 2, 0)
  try {
    const steps = await migrateToLatest(db)
    await keepLiveStates(db, isEmbedded)
    return steps
  } finally {
    await db.destroy()
  }
}

/** Any number that nobody else uses. */
const LOCK = 20_260_601

/**
 * Live states change all the time. An embedded database has them in its log, which is what brings the list back after a crash; a shared one
 * does not, for every replica would have to follow, and the nodes bring them back (docs/decisions/0026).
 */
async function keepLiveStates(db: Db, inLog: boolean): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
    const { rows } = await sql<{ in_log: boolean }>`
      select relpersistence = 'p' as in_log from pg_class where oid = 'presence'::regclass`.execute(trx)
    if (rows[0]?.in_log === inLog) return
    await sql.raw(`alter table presence set ${inLog ? 'logged' : 'unlogged'}`).execute(trx)
  })
}
