import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AdminServer } from '#contract/servers-admin.ts'
import { Flags } from '#web/features/servers/flags.tsx'
import { lookOf } from '#web/features/servers/listing/look.ts'
import { Players } from '#web/features/servers/players.tsx'
import { ServerTile } from '#web/features/servers/server-tile.tsx'
import { StatusPill } from '#web/features/servers/status-pill.tsx'
import { Avatar } from '#web/features/session/avatar.tsx'
import { type Column, CountCell, DataTable, type RowTitle, WhenCell } from '#web/ui/table/data-table.tsx'
import type { useList } from '#web/ui/table/use-list.ts'
import type { Selection } from '#web/ui/table/use-selection.ts'
import { Fullness } from './fullness.tsx'
import type { serversList } from './servers-list.ts'

const titleOf = (server: AdminServer): RowTitle => ({
  before: <ServerTile name={server.name} iconUrl={lookOf(server).iconUrl} />,
  name: server.name,
  marks: <Flags server={server} />,
  below: (
    <>
      <span className="font-mono">{server.public_id}</span>
      {server.game_mode !== '' && <> · {server.game_mode}</>}
    </>
  ),
})

/** Whose server it is, and the way to him. */
export function OwnerLink({ owner: { id, discord } }: Pick<AdminServer, 'owner'>) {
  return (
    <Link
      to="/admin/users/$user_id"
      params={{ user_id: id }}
      className="relative inline-flex max-w-full items-center gap-2 rounded-6 text-ink-1 hover:underline"
    >
      <Avatar person={discord} size={20} />
      <span className="truncate">{discord.username}</span>
    </Link>
  )
}

const COLUMNS: readonly Column<AdminServer>[] = [
  {
    key: 'owner',
    title: 'Owner',
    narrow: 'bare',
    className: 'min-[1300px]:min-w-44 lg:max-w-44',
    cell: (server) => <OwnerLink owner={server.owner} />,
  },
  {
    key: 'status',
    title: 'Status',
    narrow: 'bare',
    className: 'whitespace-nowrap min-[1300px]:min-w-52',
    cell: (server) => (
      <span className="relative">
        <StatusPill server={server} />
      </span>
    ),
  },
  {
    key: 'players',
    title: 'Players',
    sort: 'players',
    className: 'whitespace-nowrap min-[1300px]:min-w-36',
    isNothing: ({ live }) => live === null,
    cell: (server) => <Players live={server.live} graph={<Fullness live={server.live} />} />,
  },
  {
    key: 'issues',
    title: 'Issues',
    end: true,
    className: 'tabular-nums min-[1300px]:min-w-20',
    isNothing: ({ open_issues: open }) => open === 0,
    cell: ({ open_issues: open }) => <CountCell count={open} />,
  },
  {
    key: 'created_at',
    title: 'Created',
    sort: 'created_at',
    // Where there is hardly room for the names.
    className: 'whitespace-nowrap text-ink-2 lg:max-[1299px]:hidden min-[1300px]:min-w-32',
    cell: (server) => <WhenCell at={server.created_at} />,
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

/** All servers in rows. */
export function ServersTable({ rows, list, selection, waiting, empty }: ServersTableProps) {
  return (
    <DataTable
      label="Servers"
      rows={rows}
      idOf={(server) => server.public_id}
      titleOf={titleOf}
      titleHead={{ title: 'Server', sort: 'name' }}
      hrefOf={(server) => `/admin/servers/${server.public_id}`}
      columns={COLUMNS}
      list={list}
      selection={selection}
      waiting={waiting}
      empty={empty}
    />
  )
}
