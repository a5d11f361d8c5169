/**
 * Maps of long lists: the keys of every 500th row, so that a page far behind begins at a row near it. A map is some seconds old, and so
 * is where a far page begins; `after` and the first pages are exact.
 */
import type { Clock } from '#backend/platform/clock.ts'
import type { Db } from './open.ts'
import type { Keys, List } from './paging-walk.ts'
import { countMatches, listAnchors } from './paging.queries.ts'

const EVERY = 500
/** After so long a map that is asked for is made anew behind the answer. */
const STALE_AFTER_MS = 20_000
/** After so long it is of no use, and whoever asks waits for a new one. */
const GONE_AFTER_MS = 60_000
const MOST_MAPS = 50
/** More than any list has. */
const MOST_ROWS = 1_000_000_000

interface Anchor {
  /** Which of the list's walks it is on. */
  readonly index: number
  readonly keys: Keys
}

interface Map_ {
  readonly anchors: readonly Anchor[]
  readonly madeAt: number
}

export class Anchors {
  readonly #db: Db
  readonly #clock: Clock
  readonly #made = new Map<string, Map_>()
  readonly #making = new Map<string, Promise<Map_>>()
  /** One map at a time: however many ask, the database makes room for others. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** The anchor at or before the row with this many before it, and how many are between; no keys where the list ends before it. */
  async before(list: List, offset: number): Promise<{ index: number; keys: Keys | undefined; rest: number }> {
    const { anchors } = this.#ready(list) ?? (await this.#make(list))
    const anchor = anchors[Math.floor(offset / EVERY)]
    return { index: anchor?.index ?? 0, keys: anchor?.keys, rest: offset % EVERY }
  }

  /** Sees to it that the map is there soon. */
  prepare(list: List): void {
    if (this.#ready(list) === undefined) this.#makeBehind(list)
  }

  #ready(list: List): Map_ | undefined {
    const map = this.#made.get(nameOf(list))
    const age = this.#clock.uptime() - (map?.madeAt ?? -Infinity)
    if (age > GONE_AFTER_MS) return undefined
    if (age > STALE_AFTER_MS) this.#makeBehind(list)
    return map
  }

  /** Where it fails, whoever needs it next is told. */
  #makeBehind(list: List): void {
    void this.#make(list).catch(() => undefined)
  }

  #make(list: List): Promise<Map_> {
    const name = nameOf(list)
    const making = this.#making.get(name)
    if (making !== undefined) return making
    const made = this.#last
      .catch(() => undefined)
      .then(() => this.#read(list))
      .then((map) => {
        this.#made.delete(name)
        this.#made.set(name, map)
        for (const oldest of this.#made.keys()) if (this.#made.size > MOST_MAPS) this.#made.delete(oldest)
        return map
      })
      .finally(() => this.#making.delete(name))
    this.#making.set(name, made)
    this.#last = made.catch(() => undefined)
    return made
  }

  async #read(list: List): Promise<Map_> {
    const madeAt = this.#clock.uptime()
    const anchors: Anchor[] = []
    // All walks as they were at one moment: else a row that goes from one to the other moves where the next begins.
    await this.#db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        let first = 0
        for (const [index, walk] of list.walks.entries()) {
          const keys = await listAnchors(trx, list, walk, first, EVERY)
          anchors.push(...keys.map((one) => ({ index, keys: one })))
          if (index < list.walks.length - 1) first += await countMatches(trx, list, [walk], MOST_ROWS, { density: 1 })
        }
      })
    return { anchors, madeAt }
  }
}

const nameOf = (list: List) => `${list.name} ${list.order}`
