/**
 * A released vanity ID has a cooldown, because players remember whose it was. The trigger `release_vanity_id` writes its row, and
 * keeps the three latest of an owner.
 */
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { type AppError, business } from '#backend/platform/errors.ts'
import { formatDay } from '#backend/platform/messages/format-date.ts'

/** Its previous owner may take it back at any time. */
const COOLDOWN_DAYS = 30

/**
 * Throws if the id is in its cooldown, or equals a server's public ID in lower case. Call it after the id is written to its server's row:
 * the unique index then guarantees that a transaction releasing the same id has committed.
 */
export async function rejectTakenVanityId(trx: Db, vanityUrl: string, ownerId: string): Promise<void> {
  const rejection = await findVanityRejection(trx, vanityUrl, ownerId)
  if (rejection !== undefined) throw rejection
  await trx.deleteFrom('released_vanity_ids').where('digest', '=', digestOf(vanityUrl)).execute()
}

const digestOf = (vanityUrl: string) => hash('sha256', vanityUrl, 'buffer')

/** Why the owner can't have the id, besides a server that has it. Undefined if they can. */
export async function findVanityRejection(trx: Db, vanityUrl: string, ownerId: string): Promise<AppError | undefined> {
  const serverWithPublicId = trx
    .selectFrom('all_servers')
    .select('public_id')
    .where(sql`lower(public_id)`, '=', vanityUrl)
  // The reverse case, a new random public ID equal to a vanity ID, has a chance of one in billions.
  if ((await serverWithPublicId.executeTakeFirst()) !== undefined)
    return business('VANITY_URL_ALREADY_EXISTS', 'VANITY_ID_IS_PUBLIC_ID').inField('vanity_url')
  const cooldown = await trx
    .selectFrom('released_vanity_ids')
    .select(sql<Date>`released_at + make_interval(days => ${COOLDOWN_DAYS})`.as('until'))
    .where('digest', '=', digestOf(vanityUrl))
    .where(sql<boolean>`released_by is distinct from ${ownerId}::uuid`)
    .where(sql<boolean>`released_at > now() - make_interval(days => ${COOLDOWN_DAYS})`)
    .executeTakeFirst()
  return cooldown && business('VANITY_URL_ALREADY_EXISTS', 'VANITY_ID_RESERVED', { date: formatDay(cooldown.until) }).inField('vanity_url')
}

export async function deleteExpiredCooldowns({ db }: { readonly db: Db }): Promise<void> {
  const isExpired = sql<boolean>`released_at <= now() - make_interval(days => ${COOLDOWN_DAYS})`
  await db.deleteFrom('released_vanity_ids').where(isExpired).execute()
}
