import { ChevronDown, SlidersHorizontal, X } from 'lucide-react'
import type { BrowseView, ChoiceFilter, FilterValue } from '#contract/public-site/public-site.ts'
import { CHOICE_FILTERS, MAX_TAGS, SWITCH_FILTERS } from '#contract/public-site/public-site.ts'
import { searchKey } from '#contract/text/search-key.ts'
import { m } from '#messages'
import { fieldText } from '#web/lib/code-names.ts'
import { formatNumber } from '#web/lib/format.ts'
import { cx } from '#web/ui/class-names.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { counted } from '#web/ui/count-text.ts'
import {
  CHOICE_NAMES,
  SWITCH_NAMES,
  browsePath,
  countFilters,
  isPlainBrowse,
  withChoice,
  withSwitch,
  withoutChoice,
} from './browse-links.ts'

const CHIP =
  'inline-flex min-h-8 max-w-full items-center gap-1.5 rounded-full border px-2.5 text-13 whitespace-nowrap select-none hover:border-line-strong pointer-coarse:min-h-11'
const OFF = 'border-line text-ink-2'
const ON = 'border-accent bg-surface-2 text-ink-1'
/** The script sets which of them is current. */
const CHOSEN = 'needs-script border-line text-ink-2 aria-[current]:border-accent aria-[current]:bg-surface-2 aria-[current]:text-ink-1'

/** A row, or a sheet in reach of the thumb on phones. */
const SHEET = cx(
  'flex-wrap gap-2 text-ink-1 outline-none backdrop:bg-(--scrim)',
  'sm:static sm:mt-3 sm:flex sm:size-auto sm:overflow-visible sm:bg-transparent',
  'max-sm:top-auto max-sm:max-h-[85dvh] max-sm:w-full max-sm:max-w-none max-sm:overscroll-contain max-sm:rounded-t-10 max-sm:border-t max-sm:border-line max-sm:bg-surface-1 max-sm:px-4 max-sm:pt-2 max-sm:open:flex',
)

/** Opens the sheet of the filters. Only phones show it. */
export function FiltersButton({ query }: Pick<BrowseView, 'query'>) {
  const chosen = countFilters(query)
  return (
    <button type="button" popoverTarget="filters" className={buttonClass('secondary', 'min-h-11 min-w-0 flex-1 sm:hidden')}>
      <SlidersHorizontal size={16} aria-hidden="true" className="shrink-0 text-ink-2" />
      <span className="truncate">{m.public_filters()}</span>
      {chosen > 0 && (
        <span className="min-w-5 rounded-full bg-accent px-1.5 text-12 leading-5 text-on-accent tabular-nums">{formatNumber(chosen)}</span>
      )}
    </button>
  )
}

/** Chips: links that work without a script, which search engines do not follow. */
export function BrowseFilters({ view }: { view: BrowseView }) {
  const { query, filters } = view
  const hasIds = query.ids !== undefined
  return (
    <div id="filters" popover="auto" tabIndex={-1} role="group" aria-label={m.public_filters()} className={SHEET}>
      <div className="flex min-h-11 w-full items-center justify-between sm:hidden">
        <h2 className="text-16 font-semibold">{m.public_filters()}</h2>
        {!isPlainBrowse(query) && (
          <a href="/browse" rel="nofollow" className="inline-flex min-h-11 items-center text-13 text-accent">
            {m.public_clear_filters()}
          </a>
        )}
      </div>
      <a href="/browse?ids=" rel="nofollow" data-chosen="favourites" aria-current={hasIds || undefined} className={cx(CHIP, CHOSEN)}>
        {m.public_favourites()}
        <span data-count className="min-w-[1ch] text-ink-3 tabular-nums">
          {formatNumber(0)}
        </span>
      </a>
      <a href="/browse?ids=" rel="nofollow" data-chosen="recent" className={cx(CHIP, CHOSEN)}>
        {m.public_recent()}
      </a>
      {SWITCH_FILTERS.map((name) => (
        <a
          key={name}
          href={browsePath(withSwitch(query, name))}
          rel="nofollow"
          aria-current={query[name] !== undefined || undefined}
          className={cx(CHIP, query[name] === undefined ? OFF : ON)}
        >
          {SWITCH_NAMES[name]()}
          <Count servers={filters.switches[name]} />
        </a>
      ))}
      {query.group !== undefined && (
        <Chosen href={browsePath({ ...query, group: undefined, page: 1 })} text={view.groupName ?? m.public_fact_group()} />
      )}
      {CHOICE_FILTERS.map((name) => (
        <Choice key={name} name={name} view={view} values={filters.choices[name]} />
      ))}
      <div className="sticky bottom-0 w-full bg-surface-1 pt-3 pb-[max(12px,env(safe-area-inset-bottom))] sm:hidden">
        <button type="button" popoverTarget="filters" popoverTargetAction="hide" className={buttonClass('primary', 'min-h-11 w-full')}>
          {m.public_filters_show(counted(view.found))}
        </button>
      </div>
    </div>
  )
}

/** A value that is set. The link removes it. */
function Chosen({ href, text }: { href: string; text: string }) {
  return (
    <a href={href} rel="nofollow" aria-label={m.public_filter_remove({ filter: text })} className={cx(CHIP, ON)}>
      <bdi className="min-w-0 truncate">{text}</bdi>
      <X size={13} aria-hidden="true" className="shrink-0" />
    </a>
  )
}

function Count({ servers }: { servers: number }) {
  return <span className="text-ink-3 tabular-nums">{formatNumber(servers)}</span>
}

function Choice({ name, view: { query }, values }: { name: ChoiceFilter; view: BrowseView; values: readonly FilterValue[] }) {
  const chosen = [query[name] ?? []].flat()
  const isChosen = (value: string) => chosen.some((other) => searchKey(other) === searchKey(value))
  const canAdd = name !== 'tag' || chosen.length < MAX_TAGS
  const offered = canAdd ? values.filter(({ value }) => !isChosen(value)) : []
  return (
    <>
      {chosen.map((value) => (
        <Chosen key={value} href={browsePath(withoutChoice(query, name, value))} text={fieldText(name, value)} />
      ))}
      {offered.length > 0 && (
        <details id={`filter-${name}`} name="filter" className="max-sm:w-full sm:relative">
          <summary className={cx(CHIP, OFF, 'list-none max-sm:w-full max-sm:justify-between')}>
            {CHOICE_NAMES[name]()}
            <ChevronDown size={13} aria-hidden="true" />
          </summary>
          <ul className="p-1 sm:absolute sm:z-20 sm:mt-1 sm:max-h-80 sm:w-64 sm:overflow-y-auto sm:rounded-10 sm:border sm:border-line sm:bg-surface-3 sm:shadow-overlay">
            {offered.map(({ value, servers }) => (
              <li key={value}>
                <a
                  href={browsePath(withChoice(query, name, value))}
                  rel="nofollow"
                  className="flex min-h-9 items-center justify-between gap-3 rounded-6 px-3 text-13 hover:bg-surface-2 pointer-coarse:min-h-11"
                >
                  <bdi className="min-w-0 truncate">{fieldText(name, value)}</bdi>
                  <Count servers={servers} />
                </a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
