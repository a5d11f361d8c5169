/** The administrators' list of servers: what it is sorted and narrowed by, as walks along indexes (docs/decisions/0019). */
import { sql } from 'kysely'
import type { AdminServersQuery } from '#contract/servers-admin.ts'
import { type Condition, type List, type Sql, type Walk, matching, nameOfList, searchTerm } from '#backend/platform/database/paging.ts'
import { addressIn, holdsAddress } from '#backend/platform/database/address-search.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'

const PUBLIC_ID = /^[0-9A-Za-z]{7}$/

/** A sort and order of it, in the words of `AdminServersQuery`. */
type Query = Omit<AdminServersQuery, 'page' | 'per_page' | 'after' | 'before'>

// The other table is looked into row by row: joined in another way it would be read as a whole for one page.
const SERVERS_PRESENCE = sql`servers s left join lateral (select * from presence o where o.server_id = s.public_id offset 0) p on true`
const PRESENCE_SERVERS = sql`presence p cross join lateral (select * from servers o where o.public_id = p.server_id offset 0) s`
const PRESENCE = sql`presence p`
const FREE = sql`servers s left join presence p on p.server_id = s.public_id`
const FREE_SEEN = sql`servers s join presence p on p.server_id = s.public_id`

/** Throws `invalid` for a search that no text can match. */
export function listOfServers(query: Query): List {
  const term = searchTerm(query.search)
  const where: Condition[] = []
  if (term !== undefined) where.push(searching(term))
  if (query.user_id !== undefined) where.push({ test: sql`s.owner_id = ${query.user_id}::uuid` })
  if (query.group_id !== undefined) where.push({ test: sql`s.group_id = ${query.group_id}::uuid` })
  if (query.tags !== undefined && query.tags.length > 0) where.push({ test: sql`s.lower_tags && lower_tags(${query.tags}::text[])` })
  const statuses = [...new Set(query.status)].toSorted()
  const sort = query.sort ?? 'created_at'
  const order = query.order ?? (sort === 'name' ? 'asc' : 'desc')
  const isExact = query.user_id !== undefined || query.group_id !== undefined || (term !== undefined && isUuid(term.toLowerCase()))
  const walksOf = { created_at: byCreation, name: byName, players: byPlayers }[sort]
  const walks = walksOf({ statuses, banned: query.banned, where })
  return {
    name: nameOfList('servers', query),
    walks: order === 'desc' ? walks : reversed(walks),
    where,
    // Sorted by players they are in two parts, which only a look into both tables tells apart.
    ...(sort === 'players' &&
      statuses.length % EVERY_STATUS === 0 && { counted: byCreation({ statuses: [], banned: undefined, where: [] }) }),
    isExact,
    isNarrow: term !== undefined && addressIn(term) !== undefined,
    isId: (text) => PUBLIC_ID.test(text),
  }
}

/** The same rows the other way round. */
function reversed(walks: readonly [Walk, ...Walk[]]): readonly [Walk, ...Walk[]] {
  const turned = walks.toReversed().map((walk) => ({ ...walk, descending: !walk.descending }))
  return turned as unknown as readonly [Walk, ...Walk[]]
}

function searching(term: string): Condition {
  const letters = matching(sql`s.search_text`, term)
  if (isUuid(term.toLowerCase())) return { test: sql`s.owner_id = ${term}::uuid` }
  const address = addressIn(term)
  if (address === undefined) return letters
  // A name can hold an address as well.
  return {
    test: sql`s.public_id in (
      select t.public_id from servers t where ${matching(sql`t.search_text`, term).test}
      union all select a.server_id from presence a where ${holdsAddress(sql`a.address`, address)}
        ${address.port === undefined ? sql`` : sql`and (a.announce ->> 'port')::integer = ${address.port}`}
      union all select c.server_id from credentials c join credential_uses x on x.credential_id = c.id
        where ${holdsAddress(sql`x.bound_address`, address)} and c.revoked_at is null ${
          address.port === undefined ? sql`` : sql`and not exists (select from presence n where n.server_id = c.server_id)`
        })`,
  }
}

interface Narrowed {
  readonly statuses: readonly string[]
  readonly banned: boolean | undefined
  /** What the walk does not take care of is added here. */
  readonly where: Condition[]
}

const EVERY_STATUS = 3
const STATUS: Readonly<Record<string, Sql>> = {
  online: sql`coalesce(p.online, false)`,
  offline: sql`(p.server_id is not null and not p.online)`,
  never_seen: sql`p.server_id is null`,
}

const anyStatus = (statuses: readonly string[]): Condition => ({
  test: sql`(${sql.join(
    statuses.map((status) => STATUS[status] ?? sql`false`),
    sql` or `,
  )})`,
})

const bannedIs = (banned: boolean): Condition => ({ test: banned ? sql`s.banned` : sql`not s.banned` })

const BY_CREATION = [
  { sql: sql`s.created_at`, type: 'timestamptz' },
  { sql: sql`s.public_id`, type: 'text' },
] as const
const BY_REGISTRATION = [
  { sql: sql`p.registered_at`, type: 'timestamptz' },
  { sql: sql`p.server_id`, type: 'text' },
] as const

function byCreation({ statuses, banned, where }: Narrowed): readonly [Walk, ...Walk[]] {
  if (statuses.length > 0 && !statuses.includes('never_seen')) {
    // Presence knows when its server was registered: the order is the same.
    if (banned !== undefined) where.push(bannedIs(banned))
    const any = statuses.map((status) => (status === 'online' ? sql`p.online` : sql`not p.online`))
    const from = where.length === 0 ? PRESENCE : PRESENCE_SERVERS
    return [{ from, free: where.length === 0 ? from : FREE_SEEN, any, by: BY_REGISTRATION, descending: true }]
  }
  const from = statuses.length === 0 ? sql`servers s` : SERVERS_PRESENCE
  const free = statuses.length === 0 ? from : FREE
  if (statuses.length > 0) where.push(anyStatus(statuses))
  if (banned === true) return [{ from, free, where: sql`s.banned`, by: BY_CREATION, descending: true }]
  if (banned === false) where.push(bannedIs(false))
  return [{ from, free, by: BY_CREATION, descending: true }]
}

function byName({ statuses, banned, where }: Narrowed): readonly [Walk] {
  if (statuses.length > 0) where.push(anyStatus(statuses))
  if (banned !== undefined) where.push(bannedIs(banned))
  const by = [
    { sql: sql`lower(s.name)`, type: 'text' },
    { sql: sql`s.public_id`, type: 'text' },
  ] as const
  const [from, free] = statuses.length === 0 ? [sql`servers s`, sql`servers s`] : [SERVERS_PRESENCE, FREE]
  return [{ from, free, by, descending: true }]
}

/** Those online by their players; the others, who have none, after them, newest first. */
function byPlayers(narrowed: Narrowed): readonly [Walk, ...Walk[]] {
  const { statuses, banned, where } = narrowed
  // Nobody has players. Few may never have been seen: how many are looked at for them is bounded where it is a condition.
  if (statuses.includes('never_seen') && !statuses.includes('online')) return byCreation(narrowed)
  if (banned !== undefined) where.push(bannedIs(banned))
  const by = [
    { sql: sql`p.players`, type: 'integer' },
    { sql: sql`p.server_id`, type: 'text' },
  ] as const
  const isBare = where.length === 0
  const online: Walk = {
    from: isBare ? PRESENCE : PRESENCE_SERVERS,
    free: isBare ? PRESENCE : FREE_SEEN,
    where: sql`p.players >= 0`,
    by,
    descending: true,
    isMoving: true,
  }
  const others = statuses.filter((status) => status !== 'online')
  const rest: Walk = { from: SERVERS_PRESENCE, free: FREE, by: BY_CREATION, descending: true, where: sql`p.online is not true` }
  if (statuses.length === 0 || others.length === 2) return [online, rest]
  if (others.length === 0) return [online]
  const [only] = others
  if (only === 'never_seen') {
    where.push(anyStatus(statuses))
    return [online, rest]
  }
  const from = isBare ? PRESENCE : PRESENCE_SERVERS
  const one: Walk = { ...rest, from, free: isBare ? PRESENCE : FREE_SEEN, by: BY_REGISTRATION, where: sql`not p.online` }
  return statuses.includes('online') ? [online, one] : [one]
}
