import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight, type LucideIcon } from 'lucide-react'
import { useId } from 'react'
import type { PageMeta } from '#contract/paging.ts'
import { type Size, SIZES } from '#web/lib/list-search.ts'
import { IconButton } from '#web/ui/button.tsx'
import type { AnyList, PageKey } from './use-list.ts'

interface PagerProps {
  meta: PageMeta
  ids: readonly string[]
  /** Plural. */
  noun: string
  /** Other rows than these are on the way. */
  waiting: boolean
  list: AnyList
}

export function Pager({ meta, ids, noun, waiting, list }: PagerProps) {
  const id = useId()
  const count = ids.length
  const { page, per_page: size, pages, capped } = meta
  const hasNext = rowsFollow(meta, count)
  // Whatever came meanwhile, page 1 has no row before it.
  const previous = page === 2 || count === 0 ? {} : { before: ids[0] }
  const turn = (to: number, key?: PageKey) => {
    showTop()
    list.turn(to, key)
  }
  return (
    <nav aria-label="Pages" className="mt-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 text-13 text-ink-2">
      <p role="status" className="tabular-nums">
        {count === 0 && waiting ? '' : rangeOf(meta, count, noun)}
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <label htmlFor={id} className="flex items-center gap-2">
          <span className="text-ink-3">Rows</span>
          <select
            id={id}
            value={size}
            onChange={(event) => list.change({ per_page: sizeOf(event.target.value) })}
            className="field-input w-20"
          >
            {SIZES.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <div className="flex items-center gap-1">
          <Step label="First page" Icon={ChevronsLeft} off={waiting || page === 1} onPress={() => turn(1)} />
          <Step label="Previous page" Icon={ChevronLeft} off={waiting || page === 1} onPress={() => turn(page - 1, previous)} />
          <span className="px-1 tabular-nums">Page {page.toLocaleString('en')}</span>
          <Step label="Next page" Icon={ChevronRight} off={waiting || !hasNext} onPress={() => turn(page + 1, { after: ids.at(-1) })} />
          <Step label="Last page" Icon={ChevronsRight} off={waiting || page >= pages || capped} onPress={() => turn(pages)} />
        </div>
      </div>
    </nav>
  )
}

function sizeOf(text: string): Size {
  return SIZES.find((size) => String(size) === text) ?? 50
}

/** Keeps the focus where it leads no further. */
function Step({ label, Icon, off, onPress }: { label: string; Icon: LucideIcon; off: boolean; onPress: () => void }) {
  return (
    <IconButton
      label={label}
      aria-disabled={off || undefined}
      onClick={off ? undefined : onPress}
      className={off ? 'pointer-events-none opacity-60' : ''}
    >
      <Icon size={17} aria-hidden="true" />
    </IconButton>
  )
}

function showTop(): void {
  const table = document.querySelector('[data-list]')
  if (table && table.getBoundingClientRect().top < 0) table.scrollIntoView({ block: 'start' })
}

const counted = (number: number) => number.toLocaleString('en')

/** The page number may exceed the total: rows can go while a page is shown. */
export function rowsFollow({ page, per_page: size, pages, total, capped }: PageMeta, count: number): boolean {
  return page < pages || (count === size && (capped || (page - 1) * size + count !== total))
}

/** `51–100 of 240 servers`. */
export function rangeOf({ page, per_page: size, total, capped }: PageMeta, count: number, noun: string): string {
  if (count === 0) return `0 ${noun}`
  if (total === 1 && count === 1) return `1 ${noun.replace(/s$/, '')}`
  const from = (page - 1) * size + 1
  const to = from + count - 1
  const all = `${counted(total)}${capped ? '+' : ''} ${noun}`
  // Too many rows left to know which these are.
  return to > total && !capped ? `${counted(count)} of ${all}` : `${counted(from)}–${counted(to)} of ${all}`
}
