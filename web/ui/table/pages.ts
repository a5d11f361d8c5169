import type { PageInfo } from './use-list.ts'

const counted = (number: number) => number.toLocaleString('en')

/** Whether rows follow. The page number may exceed the total: rows before a page can go while it is shown. */
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
