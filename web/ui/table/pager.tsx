import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight, type LucideIcon } from 'lucide-react'
import { useEffect, useEffectEvent, useId } from 'react'
import type { PageMeta } from '#contract/api/paging.ts'
import { m } from '#messages'
import { PAGE_SIZES } from '#web/lib/url/list-search.ts'
import { IconButton } from '#web/ui/button.tsx'
import { counted, type CountText } from '#web/ui/count-text.ts'
import type { AnyList } from './use-list.ts'

interface PagerProps {
  meta: PageMeta
  ids: readonly string[]
  countText: CountText
  /** Other rows are being loaded. */
  waiting: boolean
  list: AnyList
}

export function Pager({ meta, ids, countText, waiting, list }: PagerProps) {
  const id = useId()
  const count = ids.length
  const { page, per_page: size, pages, capped } = meta
  const isFirst = waiting || page === 1
  const isLast = waiting || !hasNextPage(meta, count)
  const next = { after: ids.at(-1) }
  // Page 1 needs no cursor: it always starts at the first row.
  const previous = page === 2 || count === 0 ? {} : { before: ids[0] }
  const goTo = (to: number, key: { after?: string | undefined; before?: string | undefined } = {}) => {
    const table = document.querySelector('[data-list]')
    if (table && table.getBoundingClientRect().top < 0) table.scrollIntoView({ block: 'start' })
    list.change({ page: to, ...key })
  }
  // A page beyond the end becomes the last one.
  const lastPage = count === 0 && page > 1 ? Math.max(1, Math.min(pages, page - 1)) : undefined
  const redirect = useEffectEvent((last: number) => list.change({ page: last }, true))
  useEffect(() => {
    if (lastPage !== undefined) redirect(lastPage)
  }, [lastPage])
  return (
    <nav aria-label={m.ui_pager_label()} className="mt-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 text-13 text-ink-2">
      <p role="status" className="tabular-nums">
        {count === 0 && waiting ? '' : rangeText(meta, count, countText)}
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <label htmlFor={id} className="flex items-center gap-2">
          <span className="text-ink-3">{m.ui_pager_rows()}</span>
          <select
            id={id}
            value={size}
            onChange={(event) => list.change({ per_page: PAGE_SIZES.find((each) => String(each) === event.target.value) })}
            className="field-input w-20"
          >
            {PAGE_SIZES.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <div className="flex items-center gap-1">
          <PageButton label={m.ui_pager_first()} Icon={ChevronsLeft} disabled={isFirst} onPress={() => goTo(1)} />
          <PageButton label={m.ui_pager_previous()} Icon={ChevronLeft} disabled={isFirst} onPress={() => goTo(page - 1, previous)} />
          <span className="px-1 tabular-nums">{m.ui_pager_page({ page: counted(page).shown })}</span>
          <PageButton label={m.ui_pager_next()} Icon={ChevronRight} disabled={isLast} onPress={() => goTo(page + 1, next)} />
          <PageButton
            label={m.ui_pager_last()}
            Icon={ChevronsRight}
            disabled={waiting || page >= pages || capped}
            onPress={() => goTo(pages)}
          />
        </div>
      </div>
    </nav>
  )
}

/** Stays focusable at the first and last page. */
function PageButton({ label, Icon, disabled, onPress }: { label: string; Icon: LucideIcon; disabled: boolean; onPress: () => void }) {
  return (
    <IconButton
      label={label}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onPress}
      className={disabled ? 'pointer-events-none opacity-60' : ''}
    >
      <Icon size={17} aria-hidden="true" />
    </IconButton>
  )
}

/** Compares row counts, too, because rows can be removed while a page is shown. */
export function hasNextPage({ page, per_page: size, pages, total, capped }: PageMeta, count: number): boolean {
  return page < pages || (count === size && (capped || (page - 1) * size + count !== total))
}

/** `51–100 of 240 servers`. */
export function rangeText({ page, per_page: size, total, capped }: PageMeta, count: number, countText: CountText): string {
  if (count === 0 || (total === 1 && count === 1)) return countText(counted(count))
  const from = (page - 1) * size + 1
  const to = from + count - 1
  const all = countText({ count: total, shown: `${counted(total).shown}${capped ? '+' : ''}` })
  // Rows were removed since, so their positions are unknown.
  if (to > total && !capped) return m.ui_pager_partial({ count: counted(count).shown, all })
  return m.ui_pager_range({ from: counted(from).shown, to: counted(to).shown, all })
}
