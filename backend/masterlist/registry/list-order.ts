/** The order of the list: by rank (listed-row.ts), then by name, then by public ID. */
import btree from 'sorted-btree'
import type { PublishedRow } from './listed-row.ts'

// The package is CommonJS.
const { default: BTree } = btree

/** The published rows in the order of the list. */
export class ListOrder {
  readonly #sorted = new BTree<PublishedRow, undefined>(undefined, compareRows)

  /** @param previous the server's row until now. */
  replace(previous: PublishedRow | undefined, row: PublishedRow | undefined): void {
    if (previous !== undefined) this.#sorted.delete(previous)
    if (row !== undefined) this.#sorted.set(row, undefined)
  }

  rows(): readonly PublishedRow[] {
    return this.#sorted.keysArray()
  }
}

export function compareRows(a: PublishedRow, b: PublishedRow): number {
  return a.rank - b.rank || compare(a.fields.name, b.fields.name) || compare(a.fields.publicId, b.fields.publicId)
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
