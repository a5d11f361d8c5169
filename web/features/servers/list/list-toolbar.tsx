import { ArrowDown, ArrowUp, ArrowUpDown, Download, Rows2, Rows4 } from 'lucide-react'
import { m } from '#messages'
import type { StatusKey } from '#web/features/servers/status.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useSearchText } from '#web/lib/url/use-search-text.ts'
import { IconButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { Menu, MenuCheckItem } from '#web/ui/menu.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { type SortKey, SORTS, STATUS_KEYS } from './list-state.ts'
import type { ListControls } from './use-list-state.ts'

const STATUS_LABELS: Record<StatusKey, string> = {
  online: m.servers_summary_listed(),
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
  list: ListControls
  counts: Record<StatusKey, number>
  /** Servers that the list shows. */
  found: number
  onExport: () => void
}

export function ListToolbar({ list, counts, found, onExport }: ListToolbarProps) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
      <SearchBox list={list} found={found} />
      <StatusChips list={list} counts={counts} />
      <div className="ml-auto flex items-center max-sm:order-1">
        <SortMenu list={list} />
        <DensityButton list={list} />
        <IconButton label={m.servers_list_csv()} disabled={found === 0} onClick={onExport} className="disabled:opacity-50">
          <Download size={16} aria-hidden="true" />
        </IconButton>
      </div>
    </div>
  )
}

function SearchBox({ list, found }: Pick<ListToolbarProps, 'list' | 'found'>) {
  const { text, setText } = useSearchText(list.query, list.search)
  return (
    <div className="relative min-w-0 flex-1 sm:max-w-56">
      <SearchField label={m.servers_list_search()} placeholder={m.servers_list_search_placeholder()} text={text} onText={setText} />
      <span role="status" className="sr-only">
        {text === '' && list.status === undefined ? '' : m.servers_list_found({ count: found })}
      </span>
    </div>
  )
}

/** The counts follow the search. A status without servers has no chip, unless it is usual or chosen. */
function StatusChips({ list, counts }: Pick<ListToolbarProps, 'list' | 'counts'>) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const isUsual = (key: StatusKey) => key !== 'never_seen' && key !== 'banned'
  return (
    <div
      role="group"
      aria-label={m.servers_row_status()}
      className="flex gap-1 max-sm:scroll-fade max-sm:order-2 max-sm:-mx-4 max-sm:w-[calc(100%+2rem)] max-sm:overflow-x-auto max-sm:px-4 max-sm:[scrollbar-width:none]"
    >
      <Chip label={m.servers_list_all()} count={total} isChosen={list.status === undefined} onChoose={() => list.filter(undefined)} />
      {STATUS_KEYS.filter((key) => isUsual(key) || counts[key] > 0 || list.status === key).map((key) => (
        <Chip
          key={key}
          label={STATUS_LABELS[key]}
          count={counts[key]}
          isChosen={list.status === key}
          onChoose={() => list.filter(list.status === key ? undefined : key)}
        />
      ))}
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

function SortMenu({ list }: { list: ListControls }) {
  const { key: current, order } = list.sort
  const Arrow = order === 'asc' ? ArrowUp : ArrowDown
  return (
    <Menu
      label={m.servers_list_sort()}
      trigger={
        <button
          type="button"
          aria-label={m.servers_list_sort_by({ sort: SORT_LABELS[current] })}
          data-tip={m.servers_list_sort_by({ sort: SORT_LABELS[current] })}
          className="inline-flex min-h-9 items-center gap-1.5 rounded-6 px-2.5 text-13 text-ink-2 hover:bg-surface-2 hover:text-ink-1 max-xl:w-9 max-xl:justify-center max-xl:px-0 pointer-coarse:min-h-11 pointer-coarse:max-xl:w-11"
        >
          <ArrowUpDown size={16} aria-hidden="true" />
          <span className="max-xl:hidden">{SORT_LABELS[current]}</span>
        </button>
      }
    >
      {(Object.keys(SORTS) as SortKey[]).map((key) => (
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

function DensityButton({ list }: { list: ListControls }) {
  const isCompact = list.density === 'compact'
  const Icon = isCompact ? Rows2 : Rows4
  return (
    <IconButton
      label={m.servers_list_compact()}
      aria-pressed={isCompact}
      onClick={() => list.setDensity(isCompact ? 'comfortable' : 'compact')}
    >
      <Icon size={16} aria-hidden="true" />
    </IconButton>
  )
}
