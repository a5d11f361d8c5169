import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'

export interface Named {
  readonly people: readonly string[]
  readonly servers: readonly string[]
  readonly term: string
}

/** So many namesakes are looked at; names are not one person's for ever. */
const MOST_NAMESAKES = 10

/** Whom and which servers a term names exactly, upper and lower case alike. */
export async function findNamed(db: Db, term: string): Promise<Named> {
  const id = term.toLowerCase()
  // An id may be of an account that is erased.
  if (isUuid(id)) return { people: [id], servers: [], term }
  const { rows: people } = await sql<{ id: string }>`
    (select id from users where lower(username) = lower(${term}::text) order by signed_in_at desc limit ${MOST_NAMESAKES})
    union select id from users where discord_id = ${term}::text`.execute(db)
  const { rows: servers } = await sql<{ id: string }>`
    (select public_id as id from servers where lower(name) = lower(${term}::text) limit ${MOST_NAMESAKES})`.execute(db)
  const spelled = /^[0-9A-Za-z]{7}$/.test(term) ? [term] : []
  return { people: people.map((row) => row.id), servers: [...new Set([...spelled, ...servers.map((row) => row.id)])], term }
}

export function listById(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('activity')
    .selectAll()
    .where('id', '=', sql<string>`any(${ids}::bigint[])`)
    .execute()
}
