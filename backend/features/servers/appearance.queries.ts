import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'

const digestOf = (vanityUrl: string) => hash('sha256', vanityUrl, 'buffer')

/** What servers have of what needs a benefit, and what their owners hold. */
export function listAppearances(db: Db, publicIds: readonly string[]) {
  return db
    .selectFrom('servers as s')
    .innerJoin('users as u', 'u.id', 's.owner_id')
    .leftJoin('images as i', 'i.id', 's.icon_image_id')
    .leftJoin('server_groups as g', 'g.id', 's.group_id')
    .select(['s.public_id', 's.vanity_url', 's.group_id', 's.promoted', 's.icon_image_id', 'u.owned_tier', 'u.forced_tier'])
    .select(['i.file as icon_file', 'g.name as group_name'])
    .select(sql<string[]>`array(select key from benefit_grants b where b.user_id = u.id)`.as('grants'))
    .where('s.public_id', '=', sql<string>`any(${publicIds}::text[])`)
    .execute()
}

/**
 * Until when a vanity id rests that somebody else gave up; undefined where it is free for this owner. Asked once the id is on the
 * server's row: whoever gives it up at the same time has committed by then, because the index let the row in.
 */
export async function findRest(trx: Db, vanityUrl: string, ownerId: string, days: number): Promise<Date | undefined> {
  const row = await trx
    .selectFrom('freed_vanity_ids')
    .select(sql<Date>`freed_at + make_interval(days => ${days})`.as('until'))
    .where('digest', '=', digestOf(vanityUrl))
    .where(sql<boolean>`freed_by is distinct from ${ownerId}::uuid`)
    .where(sql<boolean>`freed_at > now() - make_interval(days => ${days})`)
    .executeTakeFirst()
  return row?.until
}

/** Whether some server's public id is spelled like this, upper and lower case alike. */
export async function isPublicIdOf(trx: Db, vanityUrl: string): Promise<boolean> {
  const row = await trx
    .selectFrom('servers')
    .select('public_id')
    .where(sql`lower(public_id)`, '=', vanityUrl)
    .executeTakeFirst()
  return row !== undefined
}

/** It is in use again. */
export async function deleteRest(trx: Db, vanityUrl: string): Promise<void> {
  await trx.deleteFrom('freed_vanity_ids').where('digest', '=', digestOf(vanityUrl)).execute()
}

/** Forgets those that have rested. */
export async function deleteRested(db: Db, days: number): Promise<void> {
  await db
    .deleteFrom('freed_vanity_ids')
    .where(sql<boolean>`freed_at <= now() - make_interval(days => ${days})`)
    .execute()
}
