import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AdminServer } from '#contract/servers/servers-admin.ts'
import { m } from '#messages'
import { Flags } from '#web/features/servers/flags.tsx'
import { Players } from '#web/features/servers/players.tsx'
import { ServerIcon } from '#web/features/servers/server-icon.tsx'
import { StatusPill } from '#web/features/servers/status-pill.tsx'
import { Avatar } from '#web/features/session/avatar.tsx'
import { type Column, CountCell, DataTable, type RowTitle, TimeCell } from '#web/ui/table/data-table.tsx'
import { FilterBar, FilterChip, FilterMenu } from '#web/ui/table/filter-bar.tsx'
import { FilterText } from '#web/ui/table/filter-text.tsx'
import type { useList } from '#web/ui/table/use-list.ts'
import type { Selection } from '#web/ui/table/use-selection.ts'
import { PlayersMeter } from './players-meter.tsx'
import { serversList } from './servers-list.ts'

const titleOf = (server: AdminServer): RowTitle => ({
  icon: <ServerIcon server={server} />,
  name: server.name,
  badges: <Flags server={server} />,
  subtitle: (
    <>
      <span className="font-mono">{server.public_id}</span>
      {server.game_mode !== '' && <> · {server.game_mode}</>}
    </>
  ),
})

export function OwnerLink({ owner: { id, discord } }: Pick<AdminServer, 'owner'>) {
  return (
    <Link
      to="/admin/users/$user_id"
      params={{ user_id: id }}
      className="relative inline-flex max-w-full items-center gap-2 rounded-6 text-ink-1 hover:underline"
    >
      <Avatar user={discord} size={20} />
      <span className="truncate">{discord.username}</span>
    </Link>
  )
}

const COLUMNS: readonly Column<AdminServer>[] = [
  {
    key: 'owner',
    title: m.servers_admin_owner(),
    inCard: 'untitled',
    className: 'min-[1300px]:min-w-44 lg:max-w-44',
    cell: (server) => <OwnerLink owner={server.owner} />,
  },
  {
    key: 'status',
    title: m.common_status(),
    inCard: 'untitled',
    className: 'whitespace-nowrap min-[1300px]:min-w-52',
    cell: (server) => (
      <span className="relative">
        <StatusPill server={server} />
      </span>
    ),
  },
  {
    key: 'players',
    title: m.servers_row_players(),
    sort: 'players',
    className: 'whitespace-nowrap min-[1300px]:min-w-36',
    isEmpty: ({ live }) => live === null,
    cell: (server) => <Players live={server.live} graph={<PlayersMeter live={server.live} />} />,
  },
  {
    key: 'issues',
    title: m.common_issues(),
    alignEnd: true,
    className: 'tabular-nums min-[1300px]:min-w-20',
    isEmpty: ({ open_issues: open }) => open === 0,
    cell: ({ open_issues: open }) => <CountCell count={open} />,
  },
  {
    key: 'created_at',
    title: m.servers_admin_created(),
    sort: 'created_at',
    // Hidden where names need the space.
    className: 'whitespace-nowrap text-ink-2 lg:max-[1299px]:hidden min-[1300px]:min-w-32',
    cell: (server) => <TimeCell at={server.created_at} />,
  },
]

export type ServersList = ReturnType<typeof useList<keyof typeof serversList.sorts, typeof serversList.filters>>

interface ServersTableProps {
  rows: readonly AdminServer[] | undefined
  list: ServersList
  selection: Selection<AdminServer>
  waiting: boolean
  empty: ReactNode
}

export function ServersTable({ rows, list, selection, waiting, empty }: ServersTableProps) {
  return (
    <DataTable
      label={m.nav_servers()}
      rows={rows}
      idOf={(server) => server.public_id}
      titleOf={titleOf}
      titleColumn={{ title: m.servers_row_server(), sort: 'name' }}
      hrefOf={(server) => `/admin/servers/${server.public_id}`}
      columns={COLUMNS}
      list={list}
      selection={selection}
      waiting={waiting}
      empty={empty}
    />
  )
}

const STATUS = [
  { value: 'online', label: m.servers_status_online() },
  { value: 'offline', label: m.servers_status_offline() },
  { value: 'never_seen', label: m.servers_status_never_seen() },
] as const
const BANNED = [
  { value: 'true', label: m.common_banned() },
  { value: 'false', label: m.common_not_banned() },
] as const

/** Filters by owner and group come from links. They can only be removed here. */
export function ServersFilters({ list, rows }: { list: ServersList; rows: readonly AdminServer[] }) {
  const { search, status, banned, tags, user_id: owner, group_id: group } = list.state
  const first = rows[0]
  return (
    <FilterBar
      label={m.servers_admin_search()}
      placeholder={m.servers_admin_search_placeholder()}
      search={search}
      onSearch={(text) => list.change({ search: text }, true)}
      isFiltered={list.isFiltered}
      onClear={list.clearFilters}
    >
      <FilterMenu
        label={m.common_status()}
        multiple
        options={STATUS}
        chosen={status}
        onChange={(chosen) => list.change({ status: chosen })}
      />
      <FilterMenu
        label={m.common_ban()}
        options={BANNED}
        chosen={banned === undefined ? [] : [banned]}
        onChange={([chosen]) => list.change({ banned: chosen })}
      />
      {tags.length < serversList.filters.tags.max && (
        <FilterText label={m.servers_admin_tag()} maxLength={24} onAdd={(tag) => list.change({ tags: [...new Set([...tags, tag])] })} />
      )}
      {tags.map((tag) => (
        <FilterChip key={tag} label={m.servers_admin_tag()} onRemove={() => list.change({ tags: tags.filter((each) => each !== tag) })}>
          {tag}
        </FilterChip>
      ))}
      {owner !== undefined && (
        <FilterChip label={m.servers_admin_owner()} onRemove={() => list.change({ user_id: undefined })}>
          {first?.owner.id === owner ? first.owner.discord.username : owner.slice(0, 8)}
        </FilterChip>
      )}
      {group !== undefined && (
        <FilterChip label={m.servers_listing_group()} onRemove={() => list.change({ group_id: undefined })}>
          {first?.group?.id === group ? first.group.name : group.slice(0, 8)}
        </FilterChip>
      )}
    </FilterBar>
  )
}
