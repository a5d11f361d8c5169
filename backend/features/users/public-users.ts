/** What others see of a person. */
import type { PublicUser } from '#contract/users.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { notFound } from '#backend/platform/errors.ts'
import { findUserByName, listPublicUsers } from './users.queries.ts'

type Row = Awaited<ReturnType<typeof listPublicUsers>>[number]

export function presentUser(row: Row): PublicUser {
  return { id: row.id, discord: { discord_id: row.discord_id, username: row.username, avatar: row.avatar } }
}

/** The people with these ids, those that still exist, by id. */
export async function publicUsers(db: Db, ids: readonly (string | null)[]): Promise<ReadonlyMap<string, PublicUser>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  return new Map((await listPublicUsers(db, wanted)).map((row) => [row.id, presentUser(row)]))
}

/** Throws `not-found` where nobody has this id. */
export async function getPublicUser(db: Db, id: string): Promise<PublicUser> {
  const found = isUuid(id) ? (await publicUsers(db, [id])).get(id) : undefined
  if (found === undefined) throw notFound('user')
  return found
}

/** By the exact name on Discord, upper and lower case alike. Throws `not-found` where nobody has it. */
export async function findByDiscordName(db: Db, username: string): Promise<PublicUser> {
  // No name holds a NUL, and the database can't be asked for one.
  const row = username.includes('\0') ? undefined : await findUserByName(db, username)
  if (row === undefined) throw notFound('user')
  return presentUser(row)
}
