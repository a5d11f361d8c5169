/** The list of the user's servers: its search parameters, and what they find in which order. */
import { useState } from 'react'
import type { Server } from '#contract/servers/servers.ts'
import { searchKey } from '#contract/text/search-key.ts'
import { lastAnnounceAt, type StatusKey, statusOf } from '#web/features/servers/status.ts'
import { compareTexts } from '#web/lib/lists.ts'
import { browserStorage } from '#web/lib/storage.ts'
import { defineList, oneOf, type Order } from '#web/lib/url/list-search.ts'
import { useList } from '#web/ui/table/use-list.ts'

/** The statuses in the URL, in the order of the chips. `listed` is an online server. */
export const STATUSES = {
  listed: 'online',
  unlisted: 'unlisted',
  offline: 'offline',
  never_seen: 'never_seen',
  banned: 'banned',
} as const satisfies Record<string, StatusKey>
export type Status = keyof typeof STATUSES

export const serversList = defineList({
  sorts: { name: 'asc', players: 'desc', status: 'asc', last_announce: 'desc', created: 'desc' },
  searchName: 'q',
  filters: { status: oneOf(Object.keys(STATUSES) as Status[]), view: oneOf(['compact', 'comfortable']) },
})
export type SortKey = keyof typeof serversList.sorts
type Sort = { readonly sort: SortKey; readonly order: Order }

export const DEFAULT_SORT: Sort = serversList.read({})

const VIEW_KEY = 'muster.servers-view'

export type OwnList = ReturnType<typeof useOwnList>

/** Without a view in the URL, this browser's last choice counts. */
export function useOwnList() {
  const list = useList(serversList)
  const { search, status, view } = list.state
  const [savedView, saveView] = useState(() => browserStorage.read(VIEW_KEY))
  return {
    ...list,
    isFiltered: search.trim() !== '' || status !== undefined,
    isCompact: (view ?? savedView) === 'compact',
    setCompact: (isCompact: boolean) => {
      const next = isCompact ? 'compact' : null
      browserStorage.write(VIEW_KEY, next)
      saveView(next)
      list.change({ view: next ?? undefined }, true)
    },
  }
}

/** What needs attention comes first. */
const STATUS_RANKS: Record<StatusKey, number> = { banned: 0, offline: 1, unlisted: 2, never_seen: 3, online: 4 }

export function matchesSearch(server: Server, search: string): boolean {
  const needle = searchKey(search)
  return [server.name, server.public_id, server.game_mode, server.live?.address ?? '', ...server.tags].some((text) =>
    searchKey(text).includes(needle),
  )
}

export const hasStatus = (server: Server, status: Status) => statusOf(server).key === STATUSES[status]

const VALUES: Record<SortKey, (server: Server) => number | string | null> = {
  name: ({ name }) => name,
  players: ({ live }) => live?.players ?? null,
  status: (server) => STATUS_RANKS[statusOf(server).key],
  last_announce: (server) => timeOf(lastAnnounceAt(server)),
  created: ({ created_at }) => timeOf(created_at),
}

const timeOf = (at: string | null) => (at === null ? null : Date.parse(at))

function compareValues(a: number | string, b: number | string): number {
  return typeof a === 'string' && typeof b === 'string' ? compareTexts(a, b) : Number(a) - Number(b)
}

/** Pinned servers come first, and servers without a value last, in either order. */
export function sortServers<S extends Server>(servers: readonly S[], { sort, order }: Sort, pinned: ReadonlySet<string>): S[] {
  const direction = order === 'asc' ? 1 : -1
  const rows = servers.map((server) => ({ server, value: VALUES[sort](server), isPinned: pinned.has(server.public_id) }))
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
