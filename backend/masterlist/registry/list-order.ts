/** The order of the list: by rank (listed-row.ts), then by name, then by public ID. */
import type { PublishedRow } from './listed-row.ts'
import type { ServerRecord } from './server-record.ts'

/** More unsorted servers than this, or than sorted ones, trigger a merge. */
const MAX_UNSORTED = 10_000

/** Published servers by published name, then by public ID. */
export class NameOrder {
  #sorted: ServerRecord[] = []
  /** Servers that were added, removed or renamed since the last merge. */
  #unsorted = new Set<ServerRecord>()

  /** Call after `server.published` has changed. */
  markMoved(server: ServerRecord): void {
    this.#unsorted.add(server)
    if (this.#unsorted.size > Math.max(MAX_UNSORTED, this.#sorted.length)) this.all()
  }

  /** Returns all published servers. Sorts only the moved ones and merges them with the rest. */
  all(): readonly ServerRecord[] {
    if (this.#unsorted.size === 0) return this.#sorted
    const merged: ServerRecord[] = []
    /** Not merged yet, in descending order. */
    const moved = [...this.#unsorted].filter((server) => server.published !== undefined).toSorted((a, b) => compareNames(b, a))
    for (const server of this.#sorted) {
      if (this.#unsorted.has(server)) continue
      for (let next = moved.at(-1); next !== undefined && compareNames(next, server) < 0; next = moved.at(-1)) {
        merged.push(next)
        moved.pop()
      }
      merged.push(server)
    }
    this.#unsorted = new Set()
    this.#sorted = merged.concat(moved.toReversed())
    return this.#sorted
  }
}

function compareNames(a: ServerRecord, b: ServerRecord): number {
  const [nameA, nameB] = [a.published?.fields.name ?? '', b.published?.fields.name ?? '']
  if (nameA !== nameB) return nameA < nameB ? -1 : 1
  return a.publicId < b.publicId ? -1 : 1
}

/** The published ones of a few servers, in the order of the list. */
export function publishedInListOrder(servers: readonly ServerRecord[]): PublishedRow[] {
  return inListOrder(servers.toSorted(compareNames))
}

/** Groups by rank, which keeps the order of names. This is linear; sorting 30,000 servers takes several milliseconds. */
export function inListOrder(byName: readonly ServerRecord[]): PublishedRow[] {
  const rows = byName.flatMap(({ published }) => published ?? [])
  const ranks = [...Map.groupBy(rows, ({ rank }) => rank)]
  return ranks.toSorted(([a], [b]) => a - b).flatMap(([, rowsOfRank]) => rowsOfRank)
}
