/** The order of the list: by step (listed-row.ts), then by name, then by public id. */
import { STEPS, type ShownRow } from './listed-row.ts'
import type { ServerRecord } from './server-record.ts'

/** More unsorted servers than this, or than are sorted, are merged at once. */
const MAX_UNSORTED = 10_000

/** Listed servers by shown name and then public id. */
export class NameOrder {
  #sorted: ServerRecord[] = []
  /** Servers that came, went or were renamed since. */
  #unsorted = new Set<ServerRecord>()

  /** Call after `server.shown` has changed. */
  moved(server: ServerRecord): void {
    this.#unsorted.add(server)
    if (this.#unsorted.size > Math.max(MAX_UNSORTED, this.#sorted.length)) this.all()
  }

  /** All shown servers. Sorts only the moved ones, and merges them with the rest. */
  all(): readonly ServerRecord[] {
    if (this.#unsorted.size === 0) return this.#sorted
    const merged: ServerRecord[] = []
    /** Still to be merged, the first name last. */
    const moved = [...this.#unsorted].filter((server) => server.shown !== undefined).toSorted((a, b) => compareNames(b, a))
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
  const [nameA, nameB] = [a.shown?.fields.name ?? '', b.shown?.fields.name ?? '']
  if (nameA !== nameB) return nameA < nameB ? -1 : 1
  return a.publicId < b.publicId ? -1 : 1
}

/** A counting sort by step, which keeps the order of names: linear, where sorting 30,000 servers takes tens of milliseconds. */
export function inListOrder(byName: readonly ServerRecord[]): ShownRow[] {
  const rows: ShownRow[] = []
  /** Where the next row of each step goes. */
  const places = new Uint32Array(STEPS + 1)
  for (const { shown } of byName) {
    if (shown === undefined) continue
    rows.push(shown)
    places[shown.step + 1] = (places[shown.step + 1] ?? 0) + 1
  }
  for (let step = 1; step < STEPS; step += 1) places[step] = (places[step] ?? 0) + (places[step - 1] ?? 0)
  const ordered = rows.slice()
  for (const row of rows) {
    const place = places[row.step] ?? 0
    ordered[place] = row
    places[row.step] = place + 1
  }
  return ordered
}
