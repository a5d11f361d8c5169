import { Link, type LinkProps } from '@tanstack/react-router'
import { Pin } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { serverLink, type ShownServer } from './access.ts'
import { Flags, TransferFlag } from './flags.tsx'
import { RowTags } from './list/row-tags.tsx'
import { GRID, SELECTABLE_GRID } from './list/server-columns.tsx'
import { Players } from './players.tsx'
import { ServerIcon } from './server-icon.tsx'
import { lastAnnounceAt, noAnnounceText, statusOf } from './status.ts'
import { StatusPill } from './status-pill.tsx'

interface ServerRowProps {
  server: ShownServer
  graph: ReactNode
  link?: Pick<LinkProps, 'to' | 'params'>
  menu: ReactNode
  /** The checkbox. Null leaves its room empty. */
  select?: ReactNode
  isSelected?: boolean
  isPinned?: boolean
  isCompact?: boolean
  /** Why the last bulk change of this server failed. */
  failure?: string | undefined
  /** From 1, if not all rows are rendered. */
  rowIndex?: number | undefined
  measure?: ((element: HTMLElement | null) => void) | undefined
  index?: number | undefined
}

/** The name's link covers the whole row. Below 640 px, a row is a card. */
export function ServerRow(props: ServerRowProps) {
  const { server, graph, select, isCompact = false, isSelected = false, menu, rowIndex, index, measure } = props
  const last = lastAnnounceAt(server)
  return (
    <div
      ref={measure}
      role="row"
      data-row={server.public_id}
      data-index={index}
      aria-rowindex={rowIndex}
      className={cx(
        'relative grid scroll-my-20 items-center gap-x-4 border-line px-4 transition-colors duration-100 not-last:border-b hover:bg-surface-2/50',
        isCompact ? 'py-2.5 sm:py-0.5' : 'py-3 lg:py-1.5',
        isSelected && 'bg-surface-2/70',
        select === undefined ? GRID : SELECTABLE_GRID,
      )}
    >
      {select !== undefined && (
        <div role="cell" className="relative flex max-sm:self-start max-sm:pt-2.5">
          {select}
        </div>
      )}
      <NameCell {...props} isCompact={isCompact} />
      <div
        className={cx(
          'flex flex-wrap items-center justify-between gap-3 sm:justify-end lg:contents',
          isCompact ? 'max-sm:mt-1' : 'max-sm:mt-2',
          select !== undefined && 'max-sm:col-start-2',
        )}
      >
        <span role="cell" className="relative">
          <StatusPill server={server} />
        </span>
        <span
          role="cell"
          className={cx('flex min-w-18 flex-1 items-center justify-end text-13 lg:justify-start', !isCompact && 'min-h-10')}
        >
          <Players live={server.live} graph={isCompact ? <span className="hidden xl:contents">{graph}</span> : graph} inline />
        </span>
      </div>
      <RowTags tags={server.tags} />
      <div role="cell" className="relative hidden text-13 text-ink-2 lg:block">
        {last === null ? <span className="text-ink-3">{noAnnounceText(server)}</span> : <TimeAgo at={last} />}
      </div>
      <div role="cell" className="absolute top-2 right-2 sm:relative sm:inset-auto">
        {menu}
      </div>
    </div>
  )
}

function NameCell({ server, link = serverLink(server), isPinned = false, isCompact, failure }: ServerRowProps) {
  const note = statusOf(server).reason || server.game_mode
  return (
    <div role="cell" className="flex min-w-0 items-center gap-3 pr-10 sm:pr-0">
      <ServerIcon server={server} className={isCompact ? 'size-6' : 'size-9'} />
      <div className="min-w-0">
        <div className="flex items-center gap-1.5">
          {isPinned && <Pin size={13} role="img" aria-label={m.servers_row_pinned()} className="shrink-0 fill-current text-accent" />}
          <Link
            {...link}
            title={server.name}
            data-row-link={server.public_id}
            className="truncate font-medium text-ink-1 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-6 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {server.name}
          </Link>
          <Flags server={server} />
          <TransferFlag server={server} />
        </div>
        {failure !== undefined ? (
          <div className="relative truncate text-12 text-danger" title={failure}>
            {failure}
          </div>
        ) : (
          !isCompact && (
            <div className="truncate text-12 text-ink-3" title={note}>
              <span className="font-mono">{server.public_id}</span>
              {note && ` · ${note}`}
            </div>
          )
        )}
      </div>
    </div>
  )
}
