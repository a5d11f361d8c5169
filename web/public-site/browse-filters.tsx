import { ChevronDown, X } from 'lucide-react'
import type { BrowseView, ChoiceFilter, FilterValue } from '#contract/public-site.ts'
import { CHOICE_FILTERS, MAX_TAGS, SWITCH_FILTERS } from '#contract/public-site.ts'
import { searchKey } from '#contract/search-key.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { cx } from '#web/ui/class-names.ts'
import { CHOICE_NAMES, SWITCH_NAMES, browsePath, valueText, withChoice, withSwitch, withoutChoice } from './browse-links.ts'

const CHIP =
  'inline-flex min-h-8 items-center gap-1.5 rounded-full border px-2.5 text-13 whitespace-nowrap select-none hover:border-line-strong pointer-coarse:min-h-11'
const OFF = 'border-line text-ink-2'
const ON = 'border-accent bg-surface-2 text-ink-1'
/** The script sets which of them is current. */
const CHOSEN = 'needs-script border-line text-ink-2 aria-[current]:border-accent aria-[current]:bg-surface-2 aria-[current]:text-ink-1'

/** Chips: links that work without a script. Search engines do not follow them. */
export function BrowseFilters({ view }: { view: BrowseView }) {
  const { query, filters } = view
  const hasIds = query.ids !== undefined
  return (
    <div className="relative mt-3 flex flex-wrap gap-2">
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
      {CHOICE_FILTERS.map((name) => (
        <Choice key={name} name={name} view={view} values={filters.choices[name]} />
      ))}
    </div>
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
        <a
          key={value}
          href={browsePath(withoutChoice(query, name, value))}
          rel="nofollow"
          aria-label={m.public_filter_remove({ filter: valueText(name, value) })}
          className={cx(CHIP, ON)}
        >
          <bdi>{valueText(name, value)}</bdi>
          <X size={13} aria-hidden="true" />
        </a>
      ))}
      {offered.length > 0 && (
        <details id={`filter-${name}`} name="filter" className="sm:relative">
          <summary className={cx(CHIP, OFF, 'list-none')}>
            {CHOICE_NAMES[name]()}
            <ChevronDown size={13} aria-hidden="true" />
          </summary>
          <ul className="absolute inset-x-0 z-20 mt-1 max-h-80 overflow-y-auto rounded-10 border border-line bg-surface-3 p-1 shadow-overlay sm:right-auto sm:w-64">
            {offered.map(({ value, servers }) => (
              <li key={value}>
                <a
                  href={browsePath(withChoice(query, name, value))}
                  rel="nofollow"
                  className="flex min-h-9 items-center justify-between gap-3 rounded-6 px-3 text-13 hover:bg-surface-2 pointer-coarse:min-h-11"
                >
                  <bdi className="min-w-0 truncate">{valueText(name, value)}</bdi>
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
