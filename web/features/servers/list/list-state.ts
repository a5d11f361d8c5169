/** The state of the servers page in the URL: search, status, order and density. */
import { SERVER_FIELD_NAMES, serverField } from '#contract/servers/server-field-shapes.ts'
import type { Server } from '#contract/servers/servers.ts'
import { lastAnnounceAt, type StatusKey, statusOf } from '#web/features/servers/status.ts'
import { compareTexts } from '#web/lib/lists.ts'
import { searchKey } from '#contract/text/search-key.ts'

export type Order = 'asc' | 'desc'
export type Density = 'comfortable' | 'compact'

/** The last choice in this browser. A cookie, because the backend renders the first page with it. */
export const DENSITY_COOKIE = 'muster_density'

/** The first order of each sort. */
export const SORTS = { name: 'asc', players: 'desc', status: 'asc', last_announce: 'desc', created: 'desc' } as const
export type SortKey = keyof typeof SORTS

export interface Sort {
  readonly key: SortKey
  readonly order: Order
}

/** In the order of the chips. */
export const STATUS_KEYS = ['online', 'unlisted', 'offline', 'never_seen', 'banned'] as const satisfies readonly StatusKey[]

/** What needs attention comes first. */
const STATUS_RANKS: Record<StatusKey, number> = { banned: 0, offline: 1, unlisted: 2, never_seen: 3, online: 4 }

/** `online` is a listed server. */
const STATUS_PARAMS = { online: 'listed', unlisted: 'unlisted', offline: 'offline', never_seen: 'never_seen', banned: 'banned' } as const

export interface ListSearch {
  readonly q?: string | undefined
  readonly status?: string | undefined
  /** A minus sign means descending. */
  readonly sort?: string | undefined
  readonly view?: Density | undefined
}

export interface ListState {
  readonly query: string
  readonly status: StatusKey | undefined
  readonly sort: Sort
  /** Undefined if the browser decides. */
  readonly density: Density | undefined
}

export const DEFAULT_SORT: Sort = { key: 'name', order: 'asc' }

function isSortKey(text: string): text is SortKey {
  return Object.hasOwn(SORTS, text)
}

function readSort(text: unknown): Sort {
  if (typeof text !== 'string') return DEFAULT_SORT
  const key = text.replace(/^-/, '')
  return isSortKey(key) ? { key, order: text.startsWith('-') ? 'desc' : 'asc' } : DEFAULT_SORT
}

/** Replaces invalid values with defaults. */
export function readListState({ q, status, sort, view }: Readonly<Record<string, unknown>>): ListState {
  return {
    query: typeof q === 'string' ? q : '',
    status: STATUS_KEYS.find((key) => STATUS_PARAMS[key] === status),
    sort: readSort(sort),
    density: view === 'compact' || view === 'comfortable' ? view : undefined,
  }
}

/** Omits defaults. Always has every key, so that the router removes invalid values. */
export function writeListState({ query, status, sort: { key, order }, density }: ListState): ListSearch {
  const isDefaultSort = key === DEFAULT_SORT.key && order === DEFAULT_SORT.order
  return {
    q: query === '' ? undefined : query,
    status: status && STATUS_PARAMS[status],
    sort: isDefaultSort ? undefined : `${order === 'desc' ? '-' : ''}${key}`,
    view: density,
  }
}

/** Short texts and tags. */
const SEARCHED = SERVER_FIELD_NAMES.filter((name) => ['line', 'tags'].includes(serverField(name).control))

export function matchesQuery(server: Server, query: string): boolean {
  const needle = searchKey(query)
  return [server.public_id, server.live?.address ?? '', ...SEARCHED.flatMap((field) => server[field])].some((text) =>
    searchKey(String(text)).includes(needle),
  )
}

export function countStatuses(servers: readonly Server[]): Record<StatusKey, number> {
  const counts: Record<StatusKey, number> = { online: 0, unlisted: 0, offline: 0, never_seen: 0, banned: 0 }
  for (const server of servers) counts[statusOf(server).key] += 1
  return counts
}

const VALUES: Record<SortKey, (server: Server) => number | string | null> = {
  name: ({ name }) => name,
  players: ({ live }) => live?.players ?? null,
  status: (server) => STATUS_RANKS[statusOf(server).key],
  last_announce: (server) => timeOf(lastAnnounceAt(server)),
  created: ({ created_at }) => timeOf(created_at),
}

function timeOf(at: string | null): number | null {
  return at === null ? null : Date.parse(at)
}

function compareValues(a: number | string, b: number | string): number {
  return typeof a === 'string' && typeof b === 'string' ? compareTexts(a, b) : Number(a) - Number(b)
}

/** Pinned servers come first, and servers without a value last, in either order. */
export function sortServers<S extends Server>(servers: readonly S[], { key, order }: Sort, pinned: ReadonlySet<string>): S[] {
  const direction = order === 'asc' ? 1 : -1
  const rows = servers.map((server) => ({ server, value: VALUES[key](server), isPinned: pinned.has(server.public_id) }))
  rows.sort((a, b) => {
    if (a.isPinned !== b.isPinned) return a.isPinned ? -1 : 1
    const byValue =
      a.value === null || b.value === null
        ? Number(a.value === null) - Number(b.value === null)
        : direction * compareValues(a.value, b.value)
    return byValue || compareTexts(a.server.name, b.server.name) || (a.server.public_id < b.server.public_id ? -1 : 1)
  })
  return rows.map(({ server }) => server)
}
