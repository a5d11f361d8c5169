import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { isPublicId } from '#backend/core/servers/server-access.ts'

/** Names can be reused, so a search may match several users or servers. */
const MAX_NAMESAKES = 10

export async function findByExactName(db: Db, term: string): Promise<{ people: readonly string[]; servers: readonly string[] }> {
  const id = term.toLowerCase()
  // The id may belong to an erased account, so it isn't looked up.
  if (isUuid(id)) return { people: [id], servers: [] }
  const { rows: people } = await sql<{ id: string }>`
    (select id from users where lower(username) = lower(${term}::text) order by signed_in_at desc limit ${MAX_NAMESAKES})
    union select id from users where discord_id = ${term}::text`.execute(db)
  const { rows: servers } = await sql<{ id: string }>`
    (select public_id as id from servers where lower(name) = lower(${term}::text) limit ${MAX_NAMESAKES})`.execute(db)
  const publicIds = isPublicId(term) ? [term] : []
  return { people: people.map((row) => row.id), servers: [...new Set([...publicIds, ...servers.map((row) => row.id)])] }
}

export function listActivityByIds(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('activity')
    .selectAll()
    .where('id', '=', sql<string>`any(${ids}::bigint[])`)
    .execute()
}
