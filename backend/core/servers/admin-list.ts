/** The administrators' list of servers: each sort and filter as a scan along an index (docs/decisions/0015). */
import { sql } from 'kysely'
import type { AdminServersQuery } from '#contract/servers/servers-admin.ts'
import { type Condition, type PagedList, type Sql, type IndexScan, containsText, searchTerm } from '#backend/platform/database/paging.ts'
import { parseAddressSearch, matchesAddress } from '#backend/platform/database/address-search.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { isPublicId } from './server-access.ts'

type Query = Omit<AdminServersQuery, 'page' | 'per_page' | 'after' | 'before'>
type IndexScans = PagedList['scans']
type Tables = Pick<IndexScan, 'from' | 'unordered'>

// The lateral join with `offset 0` looks up the other table row by row. Any other join would read all of it for one page.
const SERVERS: Tables = { from: sql`servers s` }
const SERVERS_PRESENCE: Tables = {
  from: sql`servers s left join lateral (select * from presence o where o.server_id = s.public_id offset 0) p on true`,
  unordered: sql`servers s left join presence p on p.server_id = s.public_id`,
}
const PRESENCE: Tables = { from: sql`presence p` }
const PRESENCE_SERVERS: Tables = {
  from: sql`presence p cross join lateral (select * from servers o where o.public_id = p.server_id offset 0) s`,
  unordered: sql`servers s join presence p on p.server_id = s.public_id`,
}

/** Throws `invalid` for a search that no text can match. */
export function adminServerList(query: Query): PagedList {
  const term = searchTerm(query.search)
  const where: Condition[] = []
  if (term !== undefined) where.push(searchCondition(term))
  if (query.user_id !== undefined) where.push({ predicate: sql`s.owner_id = ${query.user_id}::uuid` })
  if (query.group_id !== undefined) where.push({ predicate: sql`s.group_id = ${query.group_id}::uuid` })
  if (query.tags !== undefined && query.tags.length > 0) where.push({ predicate: sql`s.lower_tags && lower_tags(${query.tags}::text[])` })
  const statuses = [...new Set(query.status)].toSorted()
  const sort = query.sort ?? 'created_at'
  const order = query.order ?? (sort === 'name' ? 'asc' : 'desc')
  const isExact = query.user_id !== undefined || query.group_id !== undefined || (term !== undefined && isUuid(term.toLowerCase()))
  const scansBy = { created_at: byCreation, name: byName, players: byPlayers }[sort]
  const scans = scansBy({ statuses, banned: query.banned, where })
  return {
    scans: order === 'desc' ? scans : reverseScans(scans),
    where,
    // Sorting by players takes two scans that need both tables, so the count uses a cheaper scan.
    ...(sort === 'players' &&
      statuses.length % STATUS_COUNT === 0 && { countScans: byCreation({ statuses: [], banned: undefined, where: [] }) }),
    isExact,
    isNarrow: term !== undefined && parseAddressSearch(term) !== undefined,
    isId: isPublicId,
  }
}

function reverseScans(scans: IndexScans): IndexScans {
  return scans.toReversed().map((scan) => ({ ...scan, descending: !scan.descending })) as unknown as IndexScans
}

function searchCondition(term: string): Condition {
  const inText = containsText(sql`s.search_text`, term)
  if (isUuid(term.toLowerCase())) return { predicate: sql`s.owner_id = ${term}::uuid` }
  const address = parseAddressSearch(term)
  if (address === undefined) return inText
  // A name can contain an address, too.
  return {
    predicate: sql`s.public_id in (
      select t.public_id from servers t where ${containsText(sql`t.search_text`, term).predicate}
      union all select a.server_id from presence a where ${matchesAddress(sql`a.address`, address)}
        ${address.port === undefined ? sql`` : sql`and (a.announce ->> 'port')::integer = ${address.port}`}
      union all select c.server_id from credentials c join credential_uses x on x.credential_id = c.id
        where ${matchesAddress(sql`x.bound_address`, address)} and c.revoked_at is null ${
          address.port === undefined ? sql`` : sql`and not exists (select from presence n where n.server_id = c.server_id)`
        })`,
  }
}

interface Filters {
  readonly statuses: readonly string[]
  readonly banned: boolean | undefined
  /** Each scan adds the conditions that its index doesn't cover. */
  readonly where: Condition[]
}

const STATUS_COUNT = 3
const STATUS: Readonly<Record<string, Sql>> = {
  online: sql`coalesce(p.online, false)`,
  offline: sql`(p.server_id is not null and not p.online)`,
  never_seen: sql`p.server_id is null`,
}

function statusCondition(statuses: readonly string[]): Condition {
  const each = statuses.map((status) => STATUS[status] ?? sql`false`)
  return { predicate: sql`(${sql.join(each, sql` or `)})` }
}

const bannedCondition = (banned: boolean): Condition => ({ predicate: banned ? sql`s.banned` : sql`not s.banned` })

const BY_CREATION = [
  { sql: sql`s.created_at`, type: 'timestamptz' },
  { sql: sql`s.public_id`, type: 'text' },
] as const
/** `presence.registered_at` copies the server's creation time, so the order is the same. */
const BY_REGISTRATION = [
  { sql: sql`p.registered_at`, type: 'timestamptz' },
  { sql: sql`p.server_id`, type: 'text' },
] as const
const BY_NAME = [
  { sql: sql`lower(s.name)`, type: 'text' },
  { sql: sql`s.public_id`, type: 'text' },
] as const
const BY_PLAYERS = [
  { sql: sql`p.players`, type: 'integer' },
  { sql: sql`p.server_id`, type: 'text' },
] as const

function byCreation({ statuses, banned, where }: Filters): IndexScans {
  if (statuses.length > 0 && !statuses.includes('never_seen')) {
    if (banned !== undefined) where.push(bannedCondition(banned))
    const anyOf = statuses.map((status) => (status === 'online' ? sql`p.online` : sql`not p.online`))
    return [{ ...(where.length === 0 ? PRESENCE : PRESENCE_SERVERS), anyOf, orderBy: BY_REGISTRATION, descending: true }]
  }
  const tables = statuses.length === 0 ? SERVERS : SERVERS_PRESENCE
  if (statuses.length > 0) where.push(statusCondition(statuses))
  if (banned === true) return [{ ...tables, where: sql`s.banned`, orderBy: BY_CREATION, descending: true }]
  if (banned === false) where.push(bannedCondition(false))
  return [{ ...tables, orderBy: BY_CREATION, descending: true }]
}

function byName({ statuses, banned, where }: Filters): IndexScans {
  if (statuses.length > 0) where.push(statusCondition(statuses))
  if (banned !== undefined) where.push(bannedCondition(banned))
  return [{ ...(statuses.length === 0 ? SERVERS : SERVERS_PRESENCE), orderBy: BY_NAME, descending: true }]
}

/** Online servers by their players, then all others, newest first. */
function byPlayers(filters: Filters): IndexScans {
  const { statuses, banned, where } = filters
  const includes = (status: string) => statuses.length === 0 || statuses.includes(status)
  // Few servers may match `never_seen`. As a condition it bounds how many rows are examined.
  if (!includes('online') && includes('never_seen')) return byCreation(filters)
  if (banned !== undefined) where.push(bannedCondition(banned))
  const tables = where.length === 0 ? PRESENCE : PRESENCE_SERVERS
  const online: IndexScan = { ...tables, where: sql`p.players >= 0`, orderBy: BY_PLAYERS, descending: true, hasVolatileKeys: true }
  const offline: IndexScan = { ...tables, where: sql`not p.online`, orderBy: BY_REGISTRATION, descending: true }
  const others: IndexScan = { ...SERVERS_PRESENCE, where: sql`p.online is not true`, orderBy: BY_CREATION, descending: true }
  if (includes('never_seen')) {
    if (!includes('offline')) where.push(statusCondition(statuses))
    return [online, others]
  }
  if (!includes('offline')) return [online]
  return includes('online') ? [online, offline] : [offline]
}
