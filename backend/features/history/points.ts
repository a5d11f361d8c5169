/** A server's history as launchers and query libraries read it: points with even distances, of which the last is now. */
import type { Deps } from '#backend/deps.ts'
import type { ServerRecord } from '#backend/features/masterlist/server-record.ts'
import { etagOf } from '#backend/features/masterlist/snapshot.ts'
import { type Series, serverSeries } from './history.ts'
import type { Sampling } from './sampling.ts'
import type { Step } from './steps.ts'
import { MINUTE_MS } from './time.ts'

/** As the master list calls them, and as they are read. */
const RANGES = { '1d': '24h', '7d': '7d', '31d': '31d' } as const
export type PointRange = keyof typeof RANGES
export const POINT_RANGES = Object.keys(RANGES) as PointRange[]

export type Kind = 'avg' | 'max'

/** One body, with its name. */
interface Points {
  readonly body: string
  readonly etag: string
}

type BothKinds = Readonly<Record<Kind, Points>>

/** Of some 10 KB each. They are read once a minute, however many ask. */
const MOST_KEPT = 500
/** How many are read from the database at once, and how many may wait for that. */
const MOST_AT_ONCE = 3
const MOST_WAITING = 300

export class PlayerPoints {
  readonly #deps: Deps
  readonly #sampling: Sampling
  #kept = new Map<string, Promise<BothKinds>>()
  #minute = 0
  #reading = 0
  #waiting: (() => void)[] = []

  constructor(deps: Deps, sampling: Sampling) {
    this.#deps = deps
    this.#sampling = sampling
  }

  /** Undefined where too many others wait already. */
  async of(server: ServerRecord, range: PointRange, kind: Kind): Promise<Points | undefined> {
    const minute = Math.floor(this.#deps.clock.now() / MINUTE_MS)
    if (minute !== this.#minute) this.#kept = new Map()
    this.#minute = minute
    const key = `${server.publicId} ${range}`
    const known = this.#kept.get(key)
    if (known !== undefined) return (await known)[kind]
    if (this.#waiting.length >= MOST_WAITING) return undefined
    const kept = this.#kept
    if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value ?? '')
    const made = this.#inTurn(() => this.#read(server, range))
    kept.set(key, made)
    made.catch(() => kept.delete(key))
    return (await made)[kind]
  }

  async #read({ publicId, fields: { createdAt } }: ServerRecord, range: PointRange): Promise<BothKinds> {
    const series = await serverSeries(this.#deps, this.#sampling, { publicId, createdAt }, RANGES[range])
    const named = (of: (step: Step) => number): Points => {
      const body = JSON.stringify(pointsOf(series, of))
      return { body, etag: etagOf(body) }
    }
    return { avg: named((step) => step.average), max: named((step) => step.highest) }
  }

  async #inTurn<T>(read: () => Promise<T>): Promise<T> {
    if (this.#reading >= MOST_AT_ONCE) await new Promise<void>((resolve) => void this.#waiting.push(resolve))
    else this.#reading += 1
    try {
      return await read()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#reading -= 1
      // Its turn goes over.
      else next()
    }
  }
}

/** From the first step of which anything is known; of one that was there before the range, the first in which anybody looked. */
function pointsOf({ from, stepMs, steps, first }: Series<Step> & { readonly first: number | undefined }, of: (step: Step) => number) {
  if (first === undefined) return []
  const begin = steps.findIndex(first < from ? (step) => step.looked > 0 : (step) => step.online > 0)
  if (begin === -1) return []
  return steps.slice(begin).map((step, index) => ({ t: (from + (begin + index) * stepMs) / 1000, c: of(step) }))
}
