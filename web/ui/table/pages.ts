import type { PageInfo } from './use-list.ts'

const counted = (number: number) => number.toLocaleString('en')

/**
 * Whether rows follow. A page that follows a row keeps its rows while others leave before it: its number then says more than the total
 * does, and a full page may not be the last. One too many gives way to the last.
 */
export function rowsFollow({ page, per_page: size, pages, total, capped }: PageInfo, count: number): boolean {
  return page < pages || (count === size && (capped || (page - 1) * size + count !== total))
}

/** Which rows of how many: `51–100 of 240 servers`. */
export function rangeOf({ page, per_page: size, total, capped }: PageInfo, count: number, noun: string): string {
  if (count === 0) return `0 ${noun}`
  if (total === 1 && count === 1) return `1 ${noun.replace(/s$/, '')}`
  const from = (page - 1) * size + 1
  const to = from + count - 1
  const all = `${counted(total)}${capped ? '+' : ''} ${noun}`
  // So many rows left before these that nobody knows any more which they are.
  return to > total && !capped ? `${counted(count)} of ${all}` : `${counted(from)}–${counted(to)} of ${all}`
}
