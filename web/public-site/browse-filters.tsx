import { ChevronDown, SlidersHorizontal, X } from 'lucide-react'
import type { BrowseView, ChoiceFilter, FilterValue } from '#contract/public-site/public-site.ts'
import { CHOICE_FILTERS, MAX_TAGS, SWITCH_FILTERS } from '#contract/public-site/public-site.ts'
import { searchKey } from '#contract/text/search-key.ts'
import { m } from '#messages'
import { fieldText } from '#web/lib/field-text.ts'
import { formatNumber } from '#web/lib/format.ts'
import { cx } from '#web/ui/class-names.ts'
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

/** Opens the sheet of the filters. Only phones show it (public-site.css). */
export function FiltersButton({ query }: Pick<BrowseView, 'query'>) {
  const chosen = countFilters(query)
  return (
    <button
      type="button"
      popoverTarget="filters"
      className="filters-open h-11 min-w-0 flex-1 items-center justify-center gap-2 rounded-6 border border-line bg-surface-1 px-3 font-medium"
    >
      <SlidersHorizontal size={16} aria-hidden="true" className="shrink-0 text-ink-2" />
      <span className="truncate">{m.public_filters()}</span>
      {chosen > 0 && (
        <span className="min-w-5 rounded-full bg-accent px-1.5 text-12 leading-5 text-on-accent tabular-nums">{formatNumber(chosen)}</span>
      )}
    </button>
  )
}

/** Chips: links that work without a script, which search engines do not follow. A row, or a sheet on phones. */
export function BrowseFilters({ view }: { view: BrowseView }) {
  const { query, filters } = view
  const hasIds = query.ids !== undefined
  return (
    <div id="filters" popover="auto" tabIndex={-1} role="group" aria-label={m.public_filters()} className="filters">
      <div className="filters-head">
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
      <div className="filters-foot">
        <button
          type="button"
          popoverTarget="filters"
          popoverTargetAction="hide"
          className="h-11 w-full rounded-6 bg-accent font-medium text-on-accent hover:bg-accent-hover"
        >
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
        <details id={`filter-${name}`} name="filter" className="filter-menu">
          <summary className={cx(CHIP, OFF, 'list-none')}>
            {CHOICE_NAMES[name]()}
            <ChevronDown size={13} aria-hidden="true" />
          </summary>
          <ul>
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
