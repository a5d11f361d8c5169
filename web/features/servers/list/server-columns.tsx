import type { LinkProps } from '@tanstack/react-router'
import { Pin, PinOff } from 'lucide-react'
import { createContext, type ReactNode, use } from 'react'
import { m } from '#messages'
import { serverLink, type ShownServer } from '#web/features/servers/access.ts'
import { Flags, TransferFlag } from '#web/features/servers/flags.tsx'
import { Players } from '#web/features/servers/players.tsx'
import { ServerIcon } from '#web/features/servers/server-icon.tsx'
import { lastAnnounceAt, noAnnounceText, statusOf } from '#web/features/servers/status.ts'
import { StatusPill } from '#web/features/servers/status-pill.tsx'
import { cx } from '#web/ui/class-names.ts'
import { MenuItem } from '#web/ui/menu.tsx'
import { AboveRowLink, type Column, NoneCell, RowTitle, TimeCell } from '#web/ui/table/columns.tsx'
import { RowMenu } from './row-menu.tsx'
import { RowTags } from './row-tags.tsx'

/** What the cells show besides the server. */
interface ShownWith {
  graphOf: (server: ShownServer) => ReactNode
  linkOf: (server: ShownServer) => Pick<LinkProps, 'to' | 'params'>
  isCompact: boolean
  pinned: ReadonlySet<string>
  onPin: (server: ShownServer, isPinned: boolean) => void
  /** Why the last bulk change failed, by server. */
  failures: ReadonlyMap<string, string>
}

export const ServerCells = createContext<ShownWith>({
  graphOf: () => null,
  linkOf: serverLink,
  isCompact: false,
  pinned: new Set(),
  onPin: () => {},
  failures: new Map(),
})

/** A narrow screen shows the name, status, players and menu. */
export const SERVER_COLUMNS: readonly Column<ShownServer>[] = [
  {
    id: 'name',
    header: m.servers_row_server(),
    cell: ({ row }) => <NameCell server={row.original} />,
    meta: { className: 'max-sm:pr-10 sm:max-lg:flex-1 sm:max-lg:basis-0' },
  },
  {
    id: 'status',
    header: m.servers_row_status(),
    cell: ({ row }) => (
      <AboveRowLink>
        <StatusPill server={row.original} />
      </AboveRowLink>
    ),
    meta: { untitledInCard: true, className: 'lg:min-w-[206px] lg:max-w-[206px]' },
  },
  {
    id: 'players',
    header: m.servers_row_players(),
    cell: ({ row }) => <PlayersCell server={row.original} />,
    meta: {
      untitledInCard: true,
      className:
        'max-lg:min-w-18 max-lg:justify-end max-sm:flex-1 sm:max-lg:flex! lg:min-w-30 lg:max-w-30 xl:min-w-[206px] xl:max-w-[206px]',
    },
  },
  {
    id: 'tags',
    header: m.servers_row_tags(),
    cell: ({ row }) => <RowTags tags={row.original.tags} />,
    meta: { className: 'max-lg:hidden lg:max-xl:hidden xl:min-w-[186px] xl:max-w-[186px]' },
  },
  {
    id: 'last_announce',
    header: m.servers_row_last_announce(),
    cell: ({ row }) => <LastAnnounceCell server={row.original} />,
    meta: { className: 'text-ink-2 max-lg:hidden lg:min-w-31 lg:max-w-31' },
  },
]

const MENU_COLUMN: Column<ShownServer> = {
  id: 'menu',
  header: m.ui_actions(),
  cell: ({ row }) => <MenuCell server={row.original} />,
  meta: { isTitleHidden: true, untitledInCard: true, className: 'relative max-sm:absolute max-sm:top-2 max-sm:right-2' },
}

export const OWN_COLUMNS = [...SERVER_COLUMNS, MENU_COLUMN]

function NameCell({ server }: { server: ShownServer }) {
  const { linkOf, isCompact, pinned, failures } = use(ServerCells)
  const { public_id: id, name } = server
  const note = statusOf(server).reason || server.game_mode
  const failure = failures.get(id)
  return (
    <RowTitle
      id={id}
      href={linkOf(server)}
      icon={<ServerIcon server={server} className={isCompact ? 'size-6' : 'size-9'} />}
      name={name}
      badges={
        <>
          {pinned.has(id) && <Pin size={13} role="img" aria-label={m.servers_row_pinned()} className="shrink-0 fill-current text-accent" />}
          <Flags server={server} />
          <TransferFlag server={server} />
        </>
      }
      subtitle={
        failure !== undefined ? (
          <span className="relative text-danger" title={failure}>
            {failure}
          </span>
        ) : isCompact ? undefined : (
          <span title={note}>
            <span className="font-mono">{id}</span>
            {note && ` · ${note}`}
          </span>
        )
      }
    />
  )
}

function PlayersCell({ server }: { server: ShownServer }) {
  const { graphOf, isCompact } = use(ServerCells)
  const graph = server.status === 'never_seen' ? null : graphOf(server)
  return (
    // Has room for the graph, which loads later.
    <span className={cx('flex items-center', !isCompact && 'min-h-10')}>
      <Players live={server.live} graph={isCompact ? <span className="hidden xl:contents">{graph}</span> : graph} inline />
    </span>
  )
}

function LastAnnounceCell({ server }: { server: ShownServer }) {
  const at = lastAnnounceAt(server)
  return at === null ? <NoneCell>{noAnnounceText(server)}</NoneCell> : <TimeCell at={at} />
}

function MenuCell({ server }: { server: ShownServer }) {
  const { pinned, onPin } = use(ServerCells)
  const isPinned = pinned.has(server.public_id)
  const Icon = isPinned ? PinOff : Pin
  return (
    <RowMenu server={server}>
      <MenuItem icon={<Icon size={15} />} onSelect={() => onPin(server, !isPinned)}>
        {isPinned ? m.servers_row_unpin() : m.servers_row_pin()}
      </MenuItem>
    </RowMenu>
  )
}
