/** The order of the list: by rank (listed-row.ts), then by name, then by public ID. */
import type { PublishedRow } from './listed-row.ts'

export function compareRows(a: PublishedRow, b: PublishedRow): number {
  if (a.rank !== b.rank) return a.rank - b.rank
  if (a.fields.name !== b.fields.name) return a.fields.name < b.fields.name ? -1 : 1
  return a.fields.publicId < b.fields.publicId ? -1 : 1
}

/** The published rows in the order of the list. */
export class ListOrder {
  #sorted: readonly PublishedRow[] = []
  /** Changes since the last merge. */
  readonly #added = new Set<PublishedRow>()
  readonly #removed = new Set<PublishedRow>()

  /** @param previous the server's row until now. */
  replace(previous: PublishedRow | undefined, row: PublishedRow | undefined): void {
    if (previous !== undefined && !this.#added.delete(previous)) this.#removed.add(previous)
    if (row !== undefined) this.#added.add(row)
  }

  /** Sorting two sorted runs merges them in linear time. Sorting all of 30,000 takes 50 ms. */
  rows(): readonly PublishedRow[] {
    if (this.#added.size === 0 && this.#removed.size === 0) return this.#sorted
    const remaining = this.#sorted.filter((row) => !this.#removed.has(row))
    const added = [...this.#added].toSorted(compareRows)
    this.#sorted = [...remaining, ...added].toSorted(compareRows)
    this.#added.clear()
    this.#removed.clear()
    return this.#sorted
  }
}
