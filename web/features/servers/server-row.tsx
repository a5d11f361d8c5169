import { Link, type LinkProps, useNavigate } from '@tanstack/react-router'
import { ArrowUpRight, Copy, Ellipsis, History, Pencil } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { m } from '#messages'
import { IconButton } from '#web/ui/button.tsx'
import { copyText } from '#web/ui/copy-text.ts'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { hasPermission, serverLink, type ShownServer } from './access.ts'
import { Flags, TransferFlag } from './flags.tsx'
import { visibleAppearance } from '#web/features/servers/listing/visible-appearance.ts'
import { Players } from './players.tsx'
import { ServerTile } from './server-tile.tsx'
import { lastAnnounceAt, noAnnounceText, statusOf } from './status.ts'
import { StatusPill } from './status-pill.tsx'

const GRID = 'sm:grid-cols-[minmax(0,1fr)_auto_36px] lg:grid-cols-[minmax(200px,1fr)_190px_104px_minmax(0,180px)_104px_36px]'

const COLUMNS = [
  m.servers_row_server(),
  m.servers_row_status(),
  m.servers_row_players(),
  m.servers_row_tags(),
  m.servers_row_last_announce(),
]

export function ServerColumns() {
  return (
    <div role="row" className={`hidden gap-4 border-b border-line px-4 py-2 text-12 text-ink-3 lg:grid ${GRID}`}>
      {COLUMNS.map((name) => (
        <span key={name} role="columnheader">
          {name}
        </span>
      ))}
      <span role="columnheader">
        <span className="sr-only">{m.ui_actions()}</span>
      </span>
    </div>
  )
}

interface ServerRowProps {
  server: ShownServer
  graph: ReactNode
  link?: Pick<LinkProps, 'to' | 'params'>
  menu?: ReactNode
}

/** The name's link covers the whole row. Below 640 px, a row is a card. */
export function ServerRow({ server, graph, link = serverLink(server), menu = <RowMenu server={server} /> }: ServerRowProps) {
  const last = lastAnnounceAt(server)
  const note = statusOf(server).reason || server.game_mode
  return (
    <div
      role="row"
      className={`relative px-4 py-3.5 lg:py-2 transition-colors duration-100 hover:bg-surface-2/50 sm:grid sm:items-center sm:gap-4 ${GRID}`}
    >
      <div role="cell" className="flex min-w-0 items-center gap-3 pr-10 sm:pr-0">
        <ServerTile name={server.name} iconUrl={visibleAppearance(server).iconUrl} />
        <div className="min-w-0">
          <div className="flex items-center gap-1.5">
            <Link
              {...link}
              title={server.name}
              data-row
              className="truncate font-medium text-ink-1 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-6 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
            >
              {server.name}
            </Link>
            <Flags server={server} />
            <TransferFlag server={server} />
          </div>
          <div className="truncate text-12 text-ink-3" title={note}>
            <span className="font-mono">{server.public_id}</span>
            {note && ` · ${note}`}
          </div>
        </div>
      </div>
      <div className="mt-3 flex items-center justify-between gap-3 sm:mt-0 sm:justify-end lg:contents">
        <span role="cell" className="relative">
          <StatusPill server={server} />
        </span>
        <span role="cell" className="flex min-h-10 items-center text-13">
          <Players live={server.live} graph={graph} />
        </span>
      </div>
      <Tags tags={server.tags} />
      <div role="cell" className="relative hidden text-13 text-ink-2 lg:block">
        {last === null ? <span className="text-ink-3">{noAnnounceText(server)}</span> : <TimeAgo at={last} />}
      </div>
      <div role="cell" className="absolute top-2.5 right-2 sm:relative sm:inset-auto">
        {menu}
      </div>
    </div>
  )
}

/** As many tags as fit in one line, and the number of hidden ones. */
function Tags({ tags }: { tags: readonly string[] }) {
  const line = useRef<HTMLDivElement>(null)
  const [hiddenCount, setHiddenCount] = useState(0)
  useLayoutEffect(() => {
    const element = line.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => {
      const tops = Array.from(element.children, (child) => child.getBoundingClientRect().top)
      setHiddenCount(tops.filter((top) => top > (tops[0] ?? 0)).length)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [tags])
  return (
    <div role="cell" className="hidden min-w-0 items-center gap-1 lg:flex">
      <div ref={line} className="flex h-6 min-w-0 flex-wrap gap-1 overflow-hidden">
        {tags.map((tag) => (
          <span key={tag} className="h-6 max-w-full truncate rounded-6 border border-line px-1.5 text-12 leading-[22px] text-ink-2">
            {tag}
          </span>
        ))}
      </div>
      {hiddenCount > 0 && (
        <span aria-hidden="true" data-tip={tags.join(', ')} className="relative shrink-0 text-12 text-ink-3 tabular-nums">
          +{hiddenCount}
        </span>
      )}
    </div>
  )
}

function RowMenu({ server }: { server: ShownServer }) {
  const navigate = useNavigate()
  const open = (tab?: 'listing' | 'announces') => void navigate({ ...serverLink(server), search: tab ? { tab } : {} })
  const copy = async (text: string, message: string) => {
    if (await copyText(text)) toastSuccess(message)
  }
  return (
    <Menu
      label={m.ui_actions_for({ name: server.name })}
      trigger={(props) => (
        <IconButton {...props} label={m.ui_actions_for({ name: server.name })}>
          <Ellipsis size={18} aria-hidden="true" />
        </IconButton>
      )}
    >
      <MenuItem icon={<ArrowUpRight size={15} />} onSelect={() => open()}>
        {m.servers_row_open()}
      </MenuItem>
      <MenuItem icon={<Pencil size={15} />} onSelect={() => open('listing')}>
        {hasPermission(server, 'EDIT_DETAILS') || hasPermission(server, 'EDIT_APPEARANCE') ? m.servers_row_edit() : m.servers_row_listing()}
      </MenuItem>
      <MenuItem icon={<History size={15} />} onSelect={() => open('announces')}>
        {m.servers_row_announces()}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Copy size={15} />} onSelect={() => void copy(server.public_id, m.servers_row_id_copied())}>
        {m.servers_row_copy_id()}
      </MenuItem>
      {server.live && (
        <MenuItem icon={<Copy size={15} />} onSelect={() => void copy(server.live?.address ?? '', m.servers_row_address_copied())}>
          {m.servers_row_copy_address()}
        </MenuItem>
      )}
    </Menu>
  )
}
