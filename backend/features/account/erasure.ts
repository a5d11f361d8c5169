/**
 * Erases a person who is due, with everything that is held on them, in one transaction. Their row stays locked until it ends, and other nodes
 * skip locked rows: with any number of nodes each person is erased once.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { BY_SYSTEM, recordEvent } from '#backend/features/events/events.ts'
import { lockServers } from '#backend/features/servers/servers.ts'
import { RetryLater } from '#backend/platform/retry-later.ts'
import { listDue, lockCredentials, lockDue, lockPresence } from './account.queries.ts'
import { type ErasureMode, PERSONAL_DATA, type PersonalDataTable } from './personal-data.ts'

/** A stop of the program waits for no more than these. */
const BATCH_SIZE = 50

/** @param anonymousId replaces the person's id wherever one must stay: random, and written down nowhere else. */
type Erase = (trx: Db, holding: PersonalDataTable, userId: string, anonymousId: string) => Promise<void>

const ERASERS: Readonly<Record<ErasureMode, Erase>> = {
  async deleted(trx, { table, ownedRows: theirs }, userId) {
    await sql`delete from ${sql.table(table)} where ${theirs(userId)}`.execute(trx)
  },

  async revoked(trx, { table, ownedRows: theirs }, userId) {
    await sql`
      update ${sql.table(table)} set revoked_at = coalesce(revoked_at, now()), server_id = null, hint = ''
      where ${theirs(userId)}`.execute(trx)
  },

  async unnamed(trx, { table, ownedRows: theirs, personColumns: people }, userId) {
    const blanked = people.map((column) => sql`${sql.ref(column)} = null`)
    await sql`update ${sql.table(table)} set ${sql.join(blanked)} where ${theirs(userId)}`.execute(trx)
  },

  async anonymised(trx, { table, ownedRows: theirs, personColumns: people }, userId, anonymousId) {
    const replaced = people.map((column) => {
      const ref = sql.ref(column)
      return sql`${ref} = case when ${ref} = ${userId}::uuid then ${anonymousId}::uuid else ${ref} end`
    })
    // What others own tells of their things, and is theirs to keep.
    const blanked = ['server_name', 'before', 'after'].map((column) => {
      const ref = sql.ref(column)
      return sql`${ref} = case when owner_id = ${userId}::uuid then null else ${ref} end`
    })
    // A server's ID was public beside its owner's name, so it stays only in rows about other people.
    blanked.push(sql`server_id = case when owner_id = ${userId}::uuid and other_id is null then null else server_id end`)
    await sql`update ${sql.table(table)} set ${sql.join([...replaced, ...blanked])} where ${theirs(userId)}`.execute(trx)
  },
}

/** Erases a person whose time is over. Does nothing where it is not, or where another node is at it. */
export function erase(db: Db, userId: string): Promise<void> {
  return transaction(db, async (trx) => {
    if (!(await lockDue(trx, userId))) return
    const anonymousId = randomUUID()
    // Many rows take long: better a long statement than an account that can never go.
    await sql`set local statement_timeout = '10min'`.execute(trx)
    // The audit log lets nobody else change it.
    await sql`set local muster.erasing = 'on'`.execute(trx)
    // In the order of the master list's writers, so that the two never wait for each other in a circle.
    await lockPresence(trx, userId)
    await lockServers(trx, userId)
    await lockCredentials(trx, userId)
    // Before the rest: the event's row, and what follows from it for others, are anonymised with it.
    await recordEvent(trx, { action: 'ACCOUNT_ERASED', ...BY_SYSTEM, ownerId: userId })
    for (const holding of PERSONAL_DATA) await ERASERS[holding.onErasure](trx, holding, userId, anonymousId)
  })
}

/** The repeating task: the longest due first. */
export function createErasure(deps: Pick<Deps, 'db' | 'clock' | 'log'>): () => Promise<void> {
  const retries = new RetryLater(deps)
  return async () => {
    for (const userId of await listDue(deps.db, retries.postponed, BATCH_SIZE))
      await retries.run(userId, () => erase(deps.db, userId), 'An account could not be erased; it will be tried again.')
  }
}
