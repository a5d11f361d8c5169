import { ChevronLeft, ChevronRight, Search } from 'lucide-react'
import { BROWSE_SORTS, type BrowseQuery, type BrowseView } from '#contract/public-site/public-site.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { counted } from '#web/ui/count-text.ts'
import { Kbd } from '#web/ui/kbd.tsx'
import { BrowseFilters, FiltersButton } from './browse-filters.tsx'
import { SORT_NAMES, browsePath, isPlainBrowse, parametersOf } from './browse-links.ts'
import { ServerRow } from './server-row.tsx'

/** `data-live`: the script replaces its content with the current one (live-page.ts). */
export function BrowsePage({ view }: { view: BrowseView }) {
  const { query, servers, players, found, rows } = view
  return (
    <div data-live>
      <div className="flex flex-wrap items-baseline gap-x-4">
        <h1 className="text-20 font-semibold tracking-[-0.01em] sm:text-28">{m.public_browse_title()}</h1>
        <p className="text-13 text-ink-2 tabular-nums">
          {m.public_totals({ servers: m.public_servers(counted(servers)), players: m.public_players(counted(players)) })}
        </p>
      </div>
      <SearchForm query={query} />
      <BrowseFilters view={view} />
      <p data-found className="mt-2 flex min-h-6 flex-wrap items-center gap-x-3 text-13 text-ink-3 sm:mt-3">
        {m.public_found(counted(found))}
        {!isPlainBrowse(query) && (
          <a href="/browse" rel="nofollow" className="inline-flex min-h-6 items-center text-accent hover:underline">
            {m.public_clear_filters()}
          </a>
        )}
      </p>
      {rows.length === 0 ? (
        <Empty query={query} />
      ) : (
        <ol data-rows className="mt-1 border-b border-line">
          {rows.map((server) => (
            <ServerRow key={server.publicId} server={server} />
          ))}
        </ol>
      )}
      <Paging view={view} />
    </div>
  )
}

/** A plain form. The script searches while the visitor types. */
function SearchForm({ query }: { query: BrowseQuery }) {
  const others = parametersOf({ ...query, page: 1 }).filter(([name]) => name !== 'q' && name !== 'sort')
  return (
    <form action="/browse" role="search" data-search className="mt-3 flex flex-wrap gap-2">
      {others.map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      <div className="relative min-w-0 flex-1 max-sm:basis-full">
        <Search size={16} aria-hidden="true" className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-3" />
        <input
          type="search"
          name="q"
          id="search"
          defaultValue={query.q}
          maxLength={64}
          autoComplete="off"
          placeholder={m.public_search_hint()}
          aria-label={m.public_search()}
          className="field-input peer min-h-10 pl-9 text-ellipsis"
        />
        <span className="needs-script pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 peer-focus:hidden peer-not-placeholder-shown:hidden pointer-coarse:hidden">
          <Kbd>/</Kbd>
        </span>
      </div>
      <FiltersButton query={query} />
      <select
        name="sort"
        id="sort"
        aria-label={m.public_sort()}
        defaultValue={query.sort}
        className="field-input min-h-10 min-w-0 max-sm:min-h-11 max-sm:flex-1 sm:w-44"
      >
        {BROWSE_SORTS.map((sort) => (
          <option key={sort} value={sort}>
            {SORT_NAMES[sort]()}
          </option>
        ))}
      </select>
      <button type="submit" className={buttonClass('secondary', 'without-script min-h-10')}>
        {m.public_search_button()}
      </button>
    </form>
  )
}

function Empty({ query }: { query: BrowseQuery }) {
  const [title, hint] = emptyTexts(query)
  return (
    <div className="mt-1 border-y border-line py-16 text-center">
      <p className="font-medium">{title}</p>
      <p className="mt-1 text-13 text-ink-2">{hint}</p>
    </div>
  )
}

function emptyTexts(query: BrowseQuery): [title: string, hint: string] {
  if (isPlainBrowse({ ...query, sort: 'players' })) return [m.public_empty_list(), m.public_empty_list_hint()]
  if (isPlainBrowse({ ...query, ids: undefined, sort: 'players' })) return [m.public_empty_chosen(), m.public_empty_chosen_hint()]
  return [m.public_empty(), m.public_empty_hint()]
}

/** First, last, and the neighbours of the current page. */
function Paging({ view: { query, pages } }: { view: BrowseView }) {
  const { page } = query
  if (pages === 1) return null
  const shown = [...new Set([1, page - 2, page - 1, page, page + 1, page + 2, pages])].filter((each) => each >= 1 && each <= pages)
  return (
    <nav aria-label={m.public_paging()} className="mt-5 flex flex-wrap items-center justify-center gap-1.5">
      {page > 1 && <Step page={page - 1} query={query} rel="prev" label={m.public_previous()} />}
      {shown.map((each) => (
        <a
          key={each}
          href={browsePath({ ...query, page: each })}
          aria-current={each === page ? 'page' : undefined}
          className="inline-flex min-h-9 min-w-9 items-center justify-center rounded-6 px-2 text-13 text-ink-2 tabular-nums hover:bg-surface-2 pointer-coarse:min-h-11 pointer-coarse:min-w-11 aria-[current]:bg-surface-2 aria-[current]:font-semibold aria-[current]:text-ink-1"
        >
          <span className="sr-only">{m.public_page()} </span>
          {formatNumber(each)}
        </a>
      ))}
      {page < pages && <Step page={page + 1} query={query} rel="next" label={m.public_next()} />}
    </nav>
  )
}

function Step({ page, query, rel, label }: { page: number; query: BrowseQuery; rel: 'prev' | 'next'; label: string }) {
  const Icon = rel === 'prev' ? ChevronLeft : ChevronRight
  return (
    <a
      href={browsePath({ ...query, page })}
      rel={rel}
      aria-label={label}
      className="inline-flex size-9 items-center justify-center rounded-6 text-ink-2 hover:bg-surface-2 pointer-coarse:size-11"
    >
      <Icon size={16} aria-hidden="true" />
    </a>
  )
}
