/** A vanity id that is given up has a cooldown, because players remember whose it was. The trigger `release_vanity_id` writes its row. */
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { business } from '#backend/platform/errors.ts'

/** Whoever gave it up may take it back at once. */
const COOLDOWN_DAYS = 30

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })

/**
 * Throws where the id is in its cooldown, or is a server's public id in another spelling. Call it once the id is written to its server's
 * row: whoever gives it up at the same time has committed by then, because the index let the row in.
 */
export async function rejectTakenVanityId(trx: Db, vanityUrl: string, ownerId: string): Promise<void> {
  const digest = hash('sha256', vanityUrl, 'buffer')
  const namesake = trx
    .selectFrom('servers')
    .select('public_id')
    .where(sql`lower(public_id)`, '=', vanityUrl)
  // A new server's random id could meet it later only by a chance of one in billions.
  if ((await namesake.executeTakeFirst()) !== undefined)
    throw business('VANITY_URL_ALREADY_EXISTS', 'This is the public id of a server. Choose a different vanity id.')
  const cooldown = await trx
    .selectFrom('released_vanity_ids')
    .select(sql<Date>`released_at + make_interval(days => ${COOLDOWN_DAYS})`.as('until'))
    .where('digest', '=', digest)
    .where(sql<boolean>`released_by is distinct from ${ownerId}::uuid`)
    .where(sql<boolean>`released_at > now() - make_interval(days => ${COOLDOWN_DAYS})`)
    .executeTakeFirst()
  if (cooldown !== undefined)
    throw business(
      'VANITY_URL_ALREADY_EXISTS',
      `This vanity id belonged to another server not long ago and rests until ${dayFormat.format(cooldown.until)}. Choose a different one.`,
    )
  await trx.deleteFrom('released_vanity_ids').where('digest', '=', digest).execute()
}

export async function deleteExpiredCooldowns({ db }: { readonly db: Db }): Promise<void> {
  const isExpired = sql<boolean>`released_at <= now() - make_interval(days => ${COOLDOWN_DAYS})`
  await db.deleteFrom('released_vanity_ids').where(isExpired).execute()
}
