/** Runs rules in the order in which they happened, and moves what each one stored to its time in the past. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'

export interface Scene {
  /** Wall milliseconds. */
  readonly at: number
  /** Runs after all earlier scenes. */
  readonly act: () => Promise<unknown>
}

/** The times that the database or a rule sets to its current time. */
const TIMES = {
  activity: ['at'],
  all_servers: ['created_at', 'updated_at', 'hidden_at', 'banned_at'],
  benefit_grants: ['granted_at'],
  benefit_settings: ['updated_at'],
  credentials: ['issued_at', 'revoked_at'],
  images: ['created_at'],
  manager_grants: ['created_at'],
  notifications: ['created_at'],
  server_groups: ['created_at'],
  transfers: ['created_at'],
  users: ['created_at', 'updated_at', 'signed_in_at', 'banned_at'],
  webhook_deliveries: ['created_at', 'attempted_at'],
  webhooks: ['created_at', 'watching_since', 'last_attempt_at', 'failing_since'],
} as const

export async function play(db: Db, scenes: readonly Scene[]): Promise<void> {
  const start = new Date()
  for (const { at, act } of scenes.toSorted((one, other) => one.at - other.at)) {
    await act()
    await moveTo(db, start, new Date(at))
  }
}

/** Earlier scenes are in the past already, so only what is newer than `start` moves. */
function moveTo(db: Db, start: Date, at: Date): Promise<void> {
  const moves = Object.entries(TIMES).map(([table, columns]) => {
    const isNew = (column: string): RawBuilder<boolean> => sql`${sql.ref(column)} > ${start}`
    const changes = columns.map((column) => sql`${sql.ref(column)} = case when ${isNew(column)} then ${at} else ${sql.ref(column)} end`)
    return sql`${sql.ref(`moved_${table}`)} as (
      update ${sql.table(table)} set ${sql.join(changes)} where ${sql.join(columns.map(isNew), sql` or `)})`
  })
  return transaction(db, async (trx) => {
    // The audit log is append-only for everything else.
    await sql`set local muster.erasing = 'on'`.execute(trx)
    await sql`with ${sql.join(moves)} select 1`.execute(trx)
  })
}
