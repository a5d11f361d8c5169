/** The administrators' list of servers: filters and sorts (docs/decisions/0015). */
import { sql } from 'kysely'
import type { AdminServersQuery } from '#contract/servers/servers-admin.ts'
import { type PagedList, type Sql, containsText, searchTerm } from '#backend/platform/database/paging.ts'
import { parseAddressSearch, matchesAddress } from '#backend/platform/database/address-search.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { isPublicId } from './server-access.ts'

type Query = Omit<AdminServersQuery, 'page' | 'per_page' | 'after' | 'before'>

const ID = { sql: sql`s.public_id`, type: 'text' } as const
const KEYS = {
  created_at: [{ sql: sql`s.created_at`, type: 'timestamptz' }, ID],
  name: [{ sql: sql`lower(s.name)`, type: 'text' }, ID],
  /** Online servers by their players, then all others, newest first. */
  players: [
    { sql: sql`coalesce(p.players, -1)`, type: 'integer' },
    { sql: sql`case when p.online then '-infinity' else s.created_at end`, type: 'timestamptz' },
    ID,
  ],
} as const

const STATUS: Readonly<Record<string, Sql>> = {
  online: sql`p.online`,
  offline: sql`not p.online`,
  never_seen: sql`p.server_id is null`,
}

/** Throws `invalid` for a search that no text can match. @param among only these servers; undefined for all */
export function adminServerList(query: Query, among?: readonly string[]): PagedList {
  const { sort = 'created_at', status = [], tags = [], banned } = query
  const term = searchTerm(query.search)
  const where: Sql[] = []
  if (term !== undefined) where.push(searchCondition(term))
  if (query.user_id !== undefined) where.push(sql`s.owner_id = ${query.user_id}::uuid`)
  if (query.group_id !== undefined) where.push(sql`s.group_id = ${query.group_id}::uuid`)
  if (tags.length > 0) where.push(sql`s.lower_tags && lower_tags(${tags}::text[])`)
  if (among !== undefined) where.push(sql`s.public_id = any(${among}::text[])`)
  if (banned !== undefined) where.push(banned ? sql`s.banned` : sql`not s.banned`)
  if (status.length > 0) {
    const each = status.map((one) => STATUS[one] ?? sql`false`)
    where.push(sql`(${sql.join(each, sql` or `)})`)
  }
  return {
    from: sql`servers s left join presence p on p.server_id = s.public_id`,
    where,
    orderBy: KEYS[sort],
    descending: (query.order ?? (sort === 'name' ? 'asc' : 'desc')) === 'desc',
    hasVolatileKeys: sort === 'players',
    isId: isPublicId,
  }
}

function searchCondition(term: string): Sql {
  if (isUuid(term.toLowerCase())) return sql`s.owner_id = ${term}::uuid`
  const address = parseAddressSearch(term)
  if (address === undefined) return containsText(sql`s.search_text`, term)
  // A name can contain an address, too.
  return sql`s.public_id in (
      select t.public_id from servers t where ${containsText(sql`t.search_text`, term)}
      union all select a.server_id from presence a where (${matchesAddress(sql`a.address`, address)} or ${matchesAddress(sql`a.other_address`, address)})
        ${address.port === undefined ? sql`` : sql`and (a.announce ->> 'port')::integer = ${address.port}`}
      union all select c.server_id from credentials c join credential_addresses x on x.credential_id = c.id
        where ${matchesAddress(sql`x.address`, address)} and c.revoked_at is null ${
          address.port === undefined ? sql`` : sql`and not exists (select from presence n where n.server_id = c.server_id)`
        })`
}
