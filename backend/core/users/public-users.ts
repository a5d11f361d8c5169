/** The public profile of a user. */
import type { PublicUser } from '#contract/users/users.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { notFound } from '#backend/platform/errors.ts'
import { findUserByName, listPublicUsers } from './users.queries.ts'

type Row = Awaited<ReturnType<typeof listPublicUsers>>[number]

export function presentUser(row: Row): PublicUser {
  return { id: row.id, discord: { discord_id: row.discord_id, username: row.username, avatar: row.avatar } }
}

/** Public profiles by id. Leaves out users who no longer exist. */
export async function publicUsers(db: Db, ids: readonly (string | null)[]): Promise<ReadonlyMap<string, PublicUser>> {
  const uniqueIds = [...new Set(ids.filter((id) => id !== null))]
  if (uniqueIds.length === 0) return new Map()
  return new Map((await listPublicUsers(db, uniqueIds)).map((row) => [row.id, presentUser(row)]))
}

/** Throws `not-found` for an unknown id. */
export async function getPublicUser(db: Db, id: string): Promise<PublicUser> {
  const user = isUuid(id) ? (await publicUsers(db, [id])).get(id) : undefined
  if (user === undefined) throw notFound('USER_NOT_FOUND')
  return user
}

/** Finds a user by their exact Discord name, ignoring case. Throws `not-found`. */
export async function findByDiscordName(db: Db, username: string): Promise<PublicUser> {
  // No name contains a NUL, and Postgres rejects one in a parameter.
  const row = username.includes('\0') ? undefined : await findUserByName(db, username)
  if (row === undefined) throw notFound('USER_NOT_FOUND')
  return presentUser(row)
}
