/** Servers by their shown name and then public id: the order in which the list shows those with as many players. */
import type { ServerRecord } from './server-record.ts'

/** More than this, or than are in order, do not wait to be put in. */
const MOST_OUT_OF_PLACE = 10_000

export class NameOrder {
  #servers: ServerRecord[] = []
  /** Those that came, went or were renamed since. */
  #outOfPlace = new Set<ServerRecord>()

  /** One came, went or was renamed: `server.shown` says so already. */
  moved(server: ServerRecord): void {
    this.#outOfPlace.add(server)
    if (this.#outOfPlace.size > Math.max(MOST_OUT_OF_PLACE, this.#servers.length)) this.all()
  }

  /** Every server that is shown. Only those that are out of place are sorted; each finds its place among the rest by halving. */
  all(): readonly ServerRecord[] {
    if (this.#outOfPlace.size === 0) return this.#servers
    const inPlace = this.#servers.filter((server) => !this.#outOfPlace.has(server))
    const moved = [...this.#outOfPlace].filter((server) => server.shown !== undefined).toSorted(byName)
    this.#outOfPlace = new Set()
    this.#servers = merged(inPlace, moved)
    return this.#servers
  }
}

function merged(inPlace: readonly ServerRecord[], moved: readonly ServerRecord[]): ServerRecord[] {
  const all: ServerRecord[] = []
  let from = 0
  for (const server of moved) {
    const to = placeOf(server, inPlace, from)
    for (; from < to; from += 1) take(all, inPlace[from])
    all.push(server)
  }
  for (; from < inPlace.length; from += 1) take(all, inPlace[from])
  return all
}

function take(all: ServerRecord[], server: ServerRecord | undefined): void {
  if (server !== undefined) all.push(server)
}

/** How many stand before it, of which it is known that `least` do. */
function placeOf(server: ServerRecord, sorted: readonly ServerRecord[], least: number): number {
  let [low, high] = [least, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const other = sorted[middle]
    if (other !== undefined && byName(other, server) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function byName(a: ServerRecord, b: ServerRecord): number {
  const [one, other] = [a.shown?.fields.name ?? '', b.shown?.fields.name ?? '']
  if (one !== other) return one < other ? -1 : 1
  return a.publicId < b.publicId ? -1 : 1
}
