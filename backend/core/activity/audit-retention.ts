/** Deletes old rows of the audit log. Everything else that deletes from it is rejected by its trigger, and so are rows of the last 30 days. */
import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { transaction } from '#backend/platform/database/transaction.ts'

const BATCH = 5000

/** Deletes nothing without AUDIT_DAYS. @param stopping ends it after the current batch. */
export async function deleteOldActivity({ db, env }: Pick<Deps, 'db' | 'env'>, stopping: AbortSignal): Promise<void> {
  const { AUDIT_DAYS: days } = env
  let deleted = days === undefined ? 0 : BATCH
  while (days !== undefined && deleted === BATCH && !stopping.aborted) deleted = await deleteBatch(db, days)
}

function deleteBatch(db: Db, days: number): Promise<number> {
  return transaction(db, async (trx) => {
    // Permits it until the end of the transaction (migration 0031).
    await sql`select set_config('muster.audit_days', ${String(days)}, true)`.execute(trx)
    const { numAffectedRows } = await sql`
      delete from activity where id = any(array(
        select id from activity where at < now() - make_interval(days => ${days}::integer) limit ${BATCH} for update skip locked))`.execute(
      trx,
    )
    return Number(numAffectedRows)
  })
}
