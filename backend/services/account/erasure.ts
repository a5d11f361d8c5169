/**
 * Erases a user whose deletion is due, with all their personal data, in one transaction. Their row stays locked and other nodes skip it, so
 * each user is erased once.
 */
import { lockCredentialsOf, lockPresenceOf, lockServersOf } from '#backend/platform/database/lock-order.ts'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { allOf } from '#backend/platform/database/sql.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { BY_SYSTEM, recordEvent } from '#backend/core/events/events.ts'
import { RetryLater } from '#backend/platform/retry-later.ts'
import { type ErasureMode, PERSONAL_DATA, type PersonalDataTable } from './personal-data.ts'

/** Shutdown waits for at most this many erasures. */
const BATCH_SIZE = 50

/** @param anonymousId random replacement for the user's id where one must stay; stored nowhere else. */
type Erase = (trx: Db, data: PersonalDataTable, userId: string, anonymousId: string) => Promise<void>

const ERASERS: Readonly<Record<ErasureMode, Erase>> = {
  async deleted(trx, { table, ownedRows }, userId) {
    await sql`delete from ${sql.table(table)} where ${ownedRows(userId)}`.execute(trx)
  },

  async revoked(trx, { table, ownedRows }, userId) {
    await sql`
      update ${sql.table(table)} set revoked_at = coalesce(revoked_at, now()), server_id = null, hint = ''
      where ${ownedRows(userId)}`.execute(trx)
  },

  async unlinked(trx, { table, ownedRows, personColumns }, userId) {
    const blanked = personColumns.map((column) => sql`${sql.ref(column)} = null`)
    await sql`update ${sql.table(table)} set ${sql.join(blanked)} where ${ownedRows(userId)}`.execute(trx)
  },

  async anonymized(trx, { table, ownedRows, personColumns }, userId, anonymousId) {
    const replaced = personColumns.map((column) => {
      const ref = sql.ref(column)
      return sql`${ref} = case when ${ref} = ${userId}::uuid then ${anonymousId}::uuid else ${ref} end`
    })
    // Rows of other owners describe those owners' servers, so these values stay.
    const blanked = ['server_name', 'before', 'after'].map((column) => {
      const ref = sql.ref(column)
      return sql`${ref} = case when owner_id = ${userId}::uuid then null else ${ref} end`
    })
    // The name of an API key belongs to the actor.
    blanked.push(sql`api_key_name = case when actor_id = ${userId}::uuid then null else api_key_name end`)
    // A server's id was public next to its owner's name, so it stays only in rows about other users.
    blanked.push(sql`server_id = case when owner_id = ${userId}::uuid and other_id is null then null else server_id end`)
    await sql`update ${sql.table(table)} set ${sql.join([...replaced, ...blanked])} where ${ownedRows(userId)}`.execute(trx)
  },
}

/** A ban suspends the erasure; otherwise a user could escape the ban by it. */
const isDue = sql<boolean>`delete_at <= now() and not banned`

/** Users due for erasure, longest overdue first. */
async function listDue(db: Db, except: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where(isDue)
    .where('id', '<>', allOf(except))
    .orderBy('delete_at')
    .limit(BATCH_SIZE)
    .execute()
  return rows.map((row) => row.id)
}

/** The users who should have been erased by now, and since when. */
export async function countDue(db: Db): Promise<{ due: number; oldestDueAt: Date | null }> {
  const { count, oldest } = await db
    .selectFrom('users')
    .select(({ fn }) => [fn.countAll<string>().as('count'), fn.min('delete_at').as('oldest')])
    .where(isDue)
    .executeTakeFirstOrThrow()
  return { due: Number(count), oldestDueAt: oldest }
}

/** Erases a user whose deletion is due. Does nothing if they are not due or another node is erasing them. */
export function erase(db: Db, userId: string): Promise<void> {
  return transaction(db, async (trx) => {
    const due = await trx.selectFrom('users').select('id').where('id', '=', userId).where(isDue).forUpdate().skipLocked().executeTakeFirst()
    if (due !== undefined) await eraseLocked(trx, userId)
  })
}

/** Erases a user whose row this transaction has locked, whether they are due or not. */
export async function eraseLocked(trx: Db, userId: string): Promise<void> {
  const anonymousId = randomUUID()
  // Accounts with many rows take a long time; with the usual timeout they could never be erased.
  await sql`set local statement_timeout = '10min'`.execute(trx)
  // Permits changes to the audit log, which a trigger rejects otherwise.
  await sql`set local muster.erasing = 'on'`.execute(trx)
  // Same lock order as the master list's writers, to prevent deadlocks.
  await lockPresenceOf(trx, userId)
  await lockServersOf(trx, userId)
  await lockCredentialsOf(trx, userId)
  // Before erasing, so that the rows of this event are anonymized too.
  await recordEvent(trx, { action: 'ACCOUNT_ERASED', ...BY_SYSTEM, ownerId: userId })
  for (const data of PERSONAL_DATA) await ERASERS[data.onErasure](trx, data, userId, anonymousId)
}

/** The job. Longest overdue first. */
export function createErasure(deps: Pick<Deps, 'db' | 'clock' | 'log'>): () => Promise<void> {
  const retries = new RetryLater(deps)
  return async () => {
    for (const userId of await listDue(deps.db, retries.postponed))
      await retries.run(userId, () => erase(deps.db, userId), 'account erasure failed, will retry', 'account erased')
  }
}
