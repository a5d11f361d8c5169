import { Link } from '@tanstack/react-router'
import { queryOptions } from '@tanstack/react-query'
import { ADDRESS_PROBLEMS, type AdminServer } from '#contract/servers/servers-admin.ts'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { Players } from '#web/features/servers/players.tsx'
import { Flags, ServerIcon, StatusPill } from '#web/features/servers/server-marks.tsx'
import { Avatar } from '#web/features/session/avatar.tsx'
import type { ListFilter } from '#web/ui/table/filter-bar.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { call } from '#web/lib/http/call.ts'
import { anyOf, defineList, oneOf, queryOf, matching, anyMatching, UUID } from '#web/lib/url/list-search.ts'
import { neverStale } from '#web/ui/table/list-query.ts'
import { AboveRowLink, type Column, CountCell, RowTitle, TimeCell } from '#web/ui/table/list-table.tsx'

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

export const SERVER_COLUMNS: readonly Column<AdminServer>[] = [
  {
    id: 'name',
    header: m.servers_row_server(),
    cell: ({ row: { id, original: server } }) => (
      <RowTitle
        id={id}
        href={`/admin/servers/${id}`}
        icon={<ServerIcon server={server} />}
        name={server.name}
        badges={<Flags server={server} />}
        subtitle={
          <>
            <span className="font-mono">{id}</span>
            {server.game_mode !== '' && <> · {server.game_mode}</>}
          </>
        }
      />
    ),
  },
  {
    id: 'owner',
    header: m.servers_admin_owner(),
    cell: ({ row }) => <OwnerLink owner={row.original.owner} />,
    meta: { untitledInCard: true, className: 'min-[1300px]:min-w-44 lg:max-w-44' },
  },
  {
    id: 'status',
    header: m.common_status(),
    cell: ({ row }) => (
      <AboveRowLink>
        <StatusPill server={row.original} />
      </AboveRowLink>
    ),
    meta: { untitledInCard: true, className: 'whitespace-nowrap min-[1300px]:min-w-52' },
  },
  {
    id: 'players',
    header: m.servers_row_players(),
    cell: ({ row: { original } }) => <Players live={original.live} graph={<PlayersMeter live={original.live} />} />,
    meta: { className: 'whitespace-nowrap min-[1300px]:min-w-36' },
  },
  {
    id: 'issues',
    header: m.common_issues(),
    cell: ({ row }) => <CountCell count={row.original.open_issues} />,
    meta: { alignEnd: true, className: 'tabular-nums min-[1300px]:min-w-20' },
  },
  {
    id: 'created_at',
    header: m.servers_admin_created(),
    cell: ({ row }) => <TimeCell at={row.original.created_at} />,
    // Hidden where names need the space.
    meta: { className: 'whitespace-nowrap text-ink-2 lg:max-[1299px]:hidden min-[1300px]:min-w-32' },
  },
]

export const SERVER_FILTERS: readonly ListFilter<AdminServer, keyof typeof serversList.filters>[] = [
  {
    name: 'status',
    label: m.common_status(),
    options: [
      { value: 'online', label: m.servers_status_online() },
      { value: 'offline', label: m.servers_status_offline() },
      { value: 'never_seen', label: m.servers_status_never_seen() },
    ],
  },
  {
    name: 'banned',
    label: m.common_ban(),
    options: [
      { value: 'true', label: m.common_banned() },
      { value: 'false', label: m.common_not_banned() },
    ],
  },
  {
    name: 'problem',
    label: m.servers_admin_problem(),
    options: [
      { value: 'private', label: m.servers_admin_problem_private() },
      { value: 'duplicate', label: m.servers_admin_problem_duplicate() },
      { value: 'unproven', label: m.servers_admin_problem_unproven() },
    ],
  },
  { name: 'tags', label: m.servers_admin_tag(), maxLength: 24 },
  {
    name: 'user_id',
    label: m.servers_admin_owner(),
    nameOf: (rows, id) => rows.find(({ owner }) => owner.id === id)?.owner.discord.username,
  },
  {
    name: 'group_id',
    label: m.servers_listing_group(),
    nameOf: (rows, id) => rows.find(({ group }) => group?.id === id)?.group?.name,
  },
]

export function PlayersMeter({ live }: { live: Server['live'] }) {
  if (live === null) return null
  const label = m.servers_admin_players_of({ players: formatNumber(live.players), max: formatNumber(live.max_players) })
  return <meter value={live.players} max={live.max_players} aria-label={label} className="players-meter" />
}

export const serversList = defineList({
  sorts: { created_at: 'desc', name: 'asc', players: 'desc' },
  filters: {
    status: anyOf(['online', 'offline', 'never_seen']),
    banned: oneOf(['true', 'false']),
    problem: anyOf(ADDRESS_PROBLEMS),
    tags: anyMatching(/^.{1,24}$/u),
    user_id: matching(UUID),
    group_id: matching(UUID),
  },
})

export const adminServersOptions = (state: ReturnType<typeof serversList.read>) => {
  const query = queryOf(state)
  return queryOptions({
    ...neverStale,
    queryKey: ['admin', 'servers', query],
    queryFn: ({ signal }) => call('GET /api/admin/tokens', { query, signal, fullBody: true }),
  })
}
