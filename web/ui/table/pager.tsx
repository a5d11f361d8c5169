import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react'
import { useId } from 'react'
import { type Size, SIZES } from '#web/lib/list-search.ts'
import { IconButton } from '#web/ui/button.tsx'
import type { PageInfo, PageKey } from './use-list.ts'

interface PagerProps {
  meta: PageInfo
  /** The first and the last row that are shown, and how many. */
  first: string | undefined
  last: string | undefined
  count: number
  /** What the rows are called, many of them. */
  noun: string
  onTurn: (page: number, key?: PageKey) => void
  onSize: (size: Size) => void
}

const STEP = 'disabled:pointer-events-none disabled:opacity-40'

const counted = (total: number, capped: boolean) => `${total.toLocaleString('en')}${capped ? '+' : ''}`

/** Which rows of how many, and the way to the others. */
export function Pager({ meta, first, last, count, noun, onTurn, onSize }: PagerProps) {
  const id = useId()
  const { page, per_page, total, pages, capped } = meta
  const from = (page - 1) * per_page + 1
  const hasNext = page < pages || (capped && count === per_page)
  const range =
    count === 0
      ? `0 ${noun}`
      : `${from.toLocaleString('en')}–${(from + count - 1).toLocaleString('en')} of ${counted(total, capped)} ${noun}`
  return (
    <nav aria-label="Pages" className="mt-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 text-13 text-ink-2">
      <p role="status" className="tabular-nums">
        {range}
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <label htmlFor={id} className="flex items-center gap-2">
          <span className="text-ink-3">Rows</span>
          <select id={id} value={per_page} onChange={(event) => onSize(sizeOf(event.target.value))} className="field-input w-20">
            {SIZES.map((size) => (
              <option key={size} value={size}>
                {size}
              </option>
            ))}
          </select>
        </label>
        <div className="flex items-center gap-1">
          <IconButton className={STEP} label="First page" disabled={page === 1} onClick={() => onTurn(1)}>
            <ChevronsLeft size={17} aria-hidden="true" />
          </IconButton>
          <IconButton
            className={STEP}
            label="Previous page"
            disabled={page === 1}
            // The first page is the first whatever came meanwhile.
            onClick={() => onTurn(page - 1, page === 2 ? {} : { before: first })}
          >
            <ChevronLeft size={17} aria-hidden="true" />
          </IconButton>
          <span className="px-1 tabular-nums">Page {page.toLocaleString('en')}</span>
          <IconButton className={STEP} label="Next page" disabled={!hasNext} onClick={() => onTurn(page + 1, { after: last })}>
            <ChevronRight size={17} aria-hidden="true" />
          </IconButton>
          <IconButton className={STEP} label="Last page" disabled={!hasNext || capped} onClick={() => onTurn(pages)}>
            <ChevronsRight size={17} aria-hidden="true" />
          </IconButton>
        </div>
      </div>
    </nav>
  )
}

function sizeOf(text: string): Size {
  return SIZES.find((size) => String(size) === text) ?? 50
}
