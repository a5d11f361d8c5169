/** When a ban ends by itself. */
import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { invalid } from '#backend/platform/errors.ts'

/**
 * The end that a ban gets: what was asked for, else the one that stands. By the clock of the database, which lifts it, too. Throws
 * `invalid` where it would be over already.
 */
export async function endOfBan(
  trx: Db,
  asked: string | null | undefined,
  stands: { readonly banned: boolean; readonly banned_until: Date | null },
): Promise<Date | null> {
  if (asked === undefined) return stands.banned ? stands.banned_until : null
  if (asked === null) return null
  const { rows } = await sql<{ ahead: boolean }>`select ${asked}::timestamptz > now() as ahead`.execute(trx)
  if (rows[0]?.ahead !== true) throw invalid('banned_until must lie ahead.')
  return new Date(asked)
}
