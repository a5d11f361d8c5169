import { ArrowDown, ArrowUp, ArrowUpDown, Download, Rows2, Rows4 } from 'lucide-react'
import { m } from '#messages'
import type { ShownServer } from '#web/features/servers/access.ts'
import { formatNumber } from '#web/lib/format.ts'
import { IconButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { Menu, MenuCheckItem } from '#web/ui/menu.tsx'
import { ListSearch } from '#web/ui/table/list-search.tsx'
import { hasStatus, type OwnList, type SortKey, type Status, STATUSES } from './list-state.ts'

const STATUS_LABELS: Record<Status, string> = {
  listed: m.servers_summary_listed(),
  unlisted: m.servers_list_unlisted(),
  offline: m.servers_status_offline(),
  never_seen: m.servers_status_never_seen(),
  banned: m.servers_status_banned(),
}

const SORT_LABELS: Record<SortKey, string> = {
  name: m.servers_list_sort_name(),
  players: m.servers_row_players(),
  status: m.servers_row_status(),
  last_announce: m.servers_row_last_announce(),
  created: m.servers_list_sort_created(),
}

interface ListToolbarProps {
  list: OwnList
  /** What the search finds, with any status. */
  matching: readonly ShownServer[]
  found: readonly ShownServer[]
  onExport: () => void
}

export function ListToolbar({ list, matching, found, onExport }: ListToolbarProps) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
      <ListSearch list={list} label={m.servers_list_search()} placeholder={m.servers_list_search_placeholder()} className="sm:max-w-56" />
      <span role="status" className="sr-only">
        {list.isFiltered ? m.servers_list_found({ count: found.length }) : ''}
      </span>
      <StatusChips list={list} matching={matching} />
      <div className="ml-auto flex items-center max-sm:order-1">
        <SortMenu list={list} />
        <IconButton label={m.servers_list_compact()} aria-pressed={list.isCompact} onClick={() => list.setCompact(!list.isCompact)}>
          {list.isCompact ? <Rows2 size={16} aria-hidden="true" /> : <Rows4 size={16} aria-hidden="true" />}
        </IconButton>
        <IconButton label={m.servers_list_csv()} disabled={found.length === 0} onClick={onExport} className="disabled:opacity-50">
          <Download size={16} aria-hidden="true" />
        </IconButton>
      </div>
    </div>
  )
}

/** The counts follow the search. A status without servers has no chip, unless it is usual or chosen. */
function StatusChips({ list, matching }: Pick<ListToolbarProps, 'list' | 'matching'>) {
  const chosen = list.state.status
  const choose = (status: Status | undefined) => list.change({ status: status === chosen ? undefined : status })
  return (
    <div
      role="group"
      aria-label={m.servers_row_status()}
      className="flex gap-1 max-sm:scroll-fade max-sm:order-2 max-sm:-mx-4 max-sm:w-[calc(100%+2rem)] max-sm:overflow-x-auto max-sm:px-4 max-sm:[scrollbar-width:none]"
    >
      <Chip label={m.servers_list_all()} count={matching.length} isChosen={chosen === undefined} onChoose={() => choose(undefined)} />
      {(Object.keys(STATUSES) as Status[]).map((status) => {
        const count = matching.filter((server) => hasStatus(server, status)).length
        const isUsual = status !== 'never_seen' && status !== 'banned'
        if (!isUsual && count === 0 && status !== chosen) return null
        return (
          <Chip key={status} label={STATUS_LABELS[status]} count={count} isChosen={status === chosen} onChoose={() => choose(status)} />
        )
      })}
    </div>
  )
}

function Chip({ label, count, isChosen, onChoose }: { label: string; count: number; isChosen: boolean; onChoose: () => void }) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className={cx(
        'inline-flex min-h-8 shrink-0 items-center gap-1.5 rounded-full px-2.5 text-13 whitespace-nowrap transition-colors duration-100 pointer-coarse:min-h-11',
        isChosen ? 'bg-surface-3 font-medium text-ink-1' : 'text-ink-2 hover:bg-surface-2 hover:text-ink-1',
      )}
    >
      {label}
      <span className={cx('text-12 font-normal tabular-nums', isChosen ? 'text-ink-2' : 'text-ink-3')}>{formatNumber(count)}</span>
    </button>
  )
}

function SortMenu({ list }: { list: OwnList }) {
  const { sort: current, order } = list.state
  const Arrow = order === 'asc' ? ArrowUp : ArrowDown
  const label = m.servers_list_sort_by({ sort: SORT_LABELS[current] })
  return (
    <Menu
      label={m.servers_list_sort()}
      trigger={
        <button
          type="button"
          aria-label={label}
          data-tip={label}
          className="inline-flex min-h-9 items-center gap-1.5 rounded-6 px-2.5 text-13 text-ink-2 hover:bg-surface-2 hover:text-ink-1 max-xl:w-9 max-xl:justify-center max-xl:px-0 pointer-coarse:min-h-11 pointer-coarse:max-xl:w-11"
        >
          <ArrowUpDown size={16} aria-hidden="true" />
          <span className="max-xl:hidden">{SORT_LABELS[current]}</span>
        </button>
      }
    >
      {(Object.keys(SORT_LABELS) as SortKey[]).map((key) => (
        <MenuCheckItem key={key} isChecked={key === current} onSelect={() => list.sortBy(key)}>
          <span className="flex-1">{SORT_LABELS[key]}</span>
          {key === current && (
            <>
              <Arrow size={14} aria-hidden="true" className="text-ink-3" />
              <span className="sr-only">{order === 'asc' ? m.servers_list_ascending() : m.servers_list_descending()}</span>
            </>
          )}
        </MenuCheckItem>
      ))}
    </Menu>
  )
}
