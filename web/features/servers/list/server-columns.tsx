import { type LinkProps, useNavigate } from '@tanstack/react-router'
import { ArrowUpRight, Copy, Ellipsis, History, Pencil, Pin, PinOff } from 'lucide-react'
import { createContext, type ReactNode, use } from 'react'
import { m } from '#messages'
import { canEdit, serverLink, type ShownServer } from '#web/features/servers/access.ts'
import { Flags, ServerIcon, StatusPill, TransferFlag } from '#web/features/servers/server-marks.tsx'
import { Players } from '#web/features/servers/players.tsx'
import { lastAnnounceAt, noAnnounceText, statusOf } from '#web/features/servers/status.ts'
import { IconButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { copyText } from '#web/ui/copy-text.ts'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { AboveRowLink, type Column, NoneCell, RowTitle, TimeCell } from '#web/ui/table/list-table.tsx'
import { toastError, toastSuccess } from '#web/ui/toast.ts'

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
    cell: ({ row }) => <TagsCell tags={row.original.tags} />,
    meta: { className: 'max-lg:hidden lg:max-xl:hidden xl:min-w-[186px] xl:max-w-[186px]' },
  },
  {
    id: 'last_announce',
    header: m.servers_row_last_announce(),
    cell: ({ row }) => <LastAnnounceCell server={row.original} />,
    meta: { className: 'text-ink-2 max-lg:hidden lg:min-w-31 lg:max-w-31' },
  },
]

export const OWN_COLUMNS: readonly Column<ShownServer>[] = [
  ...SERVER_COLUMNS,
  {
    id: 'menu',
    header: m.ui_actions(),
    cell: ({ row }) => <MenuCell server={row.original} />,
    meta: { isTitleHidden: true, untitledInCard: true, className: 'relative max-sm:absolute max-sm:top-2 max-sm:right-2' },
  },
]

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

const MAX_SHOWN_TAGS = 3

/** The first tags, and the number of others, which have a tooltip. */
function TagsCell({ tags }: { tags: readonly string[] }) {
  // The number takes the place of the third.
  const shown = tags.length > MAX_SHOWN_TAGS ? MAX_SHOWN_TAGS - 1 : MAX_SHOWN_TAGS
  const others = tags.slice(shown)
  return (
    <span className="flex min-w-0 items-center gap-1">
      {tags.slice(0, shown).map((tag) => (
        <span key={tag} className="h-6 min-w-0 truncate rounded-6 border border-line px-1.5 text-12 leading-[22px] text-ink-2">
          {tag}
        </span>
      ))}
      {others.length > 0 && (
        <span data-tip={tags.join(', ')} className="relative shrink-0 text-12 text-ink-3 tabular-nums">
          <span aria-hidden="true">+{others.length}</span>
          <span className="sr-only">{others.join(' ')}</span>
        </span>
      )}
    </span>
  )
}

function LastAnnounceCell({ server }: { server: ShownServer }) {
  const at = lastAnnounceAt(server)
  return at === null ? <NoneCell>{noAnnounceText(server)}</NoneCell> : <TimeCell at={at} />
}

function MenuCell({ server }: { server: ShownServer }) {
  const { pinned, onPin } = use(ServerCells)
  const navigate = useNavigate()
  const { public_id: id, live } = server
  const isPinned = pinned.has(id)
  const PinIcon = isPinned ? PinOff : Pin
  const label = m.ui_actions_for({ name: server.name })
  const open = (tab?: 'listing' | 'announces') => void navigate({ ...serverLink(server), search: tab ? { tab } : {} })
  const copy = async (text: string, message: string) => {
    if (await copyText(text)) toastSuccess(message)
    else toastError(m.ui_copy_failed())
  }
  return (
    <Menu
      label={label}
      trigger={
        <IconButton label={label}>
          <Ellipsis size={18} aria-hidden="true" />
        </IconButton>
      }
    >
      <MenuItem icon={<ArrowUpRight size={15} />} onSelect={() => open()}>
        {m.servers_row_open()}
      </MenuItem>
      <MenuItem icon={<Pencil size={15} />} onSelect={() => open('listing')}>
        {canEdit(server) ? m.servers_row_edit() : m.servers_row_listing()}
      </MenuItem>
      <MenuItem icon={<History size={15} />} onSelect={() => open('announces')}>
        {m.servers_row_announces()}
      </MenuItem>
      <MenuItem icon={<PinIcon size={15} />} onSelect={() => onPin(server, !isPinned)}>
        {isPinned ? m.servers_row_unpin() : m.servers_row_pin()}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Copy size={15} />} onSelect={() => void copy(id, m.servers_row_id_copied())}>
        {m.servers_row_copy_id()}
      </MenuItem>
      {live && (
        <MenuItem icon={<Copy size={15} />} onSelect={() => void copy(live.address, m.servers_row_address_copied())}>
          {m.servers_row_copy_address()}
        </MenuItem>
      )}
    </Menu>
  )
}
