/** The public profile of a user. */
import { type Selectable, sql } from 'kysely'
import type { PublicUser } from '#contract/users/users.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { anyOf } from '#backend/platform/database/sql.ts'
import type { Tables } from '#backend/platform/database/tables.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { orNotFound } from '#backend/platform/errors.ts'

const COLUMNS = ['id', 'discord_id', 'username', 'avatar'] as const

export function presentUser(row: Pick<Selectable<Tables['users']>, (typeof COLUMNS)[number]>): PublicUser {
  return { id: row.id, discord: { discord_id: row.discord_id, username: row.username, avatar: row.avatar } }
}

/** Public profiles by id. Leaves out users who no longer exist. */
export async function publicUsers(db: Db, ids: readonly (string | null)[]): Promise<ReadonlyMap<string, PublicUser>> {
  const uniqueIds = [...new Set(ids.filter((id) => id !== null))]
  if (uniqueIds.length === 0) return new Map()
  const rows = await db.selectFrom('users').select(COLUMNS).where('id', '=', anyOf(uniqueIds)).execute()
  return new Map(rows.map((row) => [row.id, presentUser(row)]))
}

/** Throws `not-found` for an unknown id. */
export async function getPublicUser(db: Db, id: string): Promise<PublicUser> {
  return orNotFound(isUuid(id) ? (await publicUsers(db, [id])).get(id) : undefined, 'USER_NOT_FOUND')
}

/**
 * Finds a user by their exact name, ignoring case. A name of Discord belongs to one account, so the user who signed in last has it now.
 * Others can choose names that are taken, so they come after Discord's, the oldest account first. Throws `not-found`.
 */
export async function findByDiscordName(db: Db, username: string): Promise<PublicUser> {
  const named = db
    .selectFrom('users')
    .select(COLUMNS)
    .where(sql`lower(username)`, '=', sql`lower(${username})`)
  const isDiscord = sql`discord_id not like 'oidc:%'`
  const byName = named
    .orderBy(isDiscord, 'desc')
    .orderBy(sql`case when ${isDiscord} then signed_in_at end`, 'desc')
    .orderBy('created_at')
  // No name contains a NUL, and Postgres rejects one in a parameter.
  const row = username.includes('\0') ? undefined : await byName.limit(1).executeTakeFirst()
  return presentUser(orNotFound(row, 'USER_NOT_FOUND'))
}
