/**
 * Who may be asked now: so many at once in all, few of them at one address, and of those that did not answer before at most half, so that
 * the silent ones, which take their whole time, never keep the others waiting. Each waits at most once, so the queue is as long as the list.
 */
const MOST_AT_ONCE = 32
const MOST_FAILING_AT_ONCE = MOST_AT_ONCE / 2
const MOST_AT_ONE_ADDRESS = 2

export interface Turn {
  /** Whose turn it is; who waits already does not wait twice. */
  readonly id: string
  /** What is counted as one address. */
  readonly address: string
  readonly isFailing: boolean
}

export class ProbeScheduler<T extends Turn> {
  readonly #run: (turn: T) => Promise<void>
  readonly #sound = new Lane<T>()
  readonly #failing = new Lane<T>()
  readonly #busy = new Map<string, number>()
  /** Those whose turn it was while their address was busy. */
  readonly #parked = new Map<string, Lane<T>>()
  /** Whose turn counts: of somebody who waits, or is being asked. */
  readonly #known = new Map<string, T>()
  readonly #begun = new Set<string>()
  readonly #running = new Set<Promise<void>>()
  #failingNow = 0

  /** @param run never rejects. */
  constructor(run: (turn: T) => Promise<void>) {
    this.#run = run
  }

  /** Who waits already does not wait twice, but may come forward from among those that fail. */
  add(turn: T): void {
    const before = this.#known.get(turn.id)
    const comesForward = before?.isFailing === true && !turn.isFailing && !this.#begun.has(turn.id)
    if (before !== undefined && !comesForward) return
    this.#known.set(turn.id, turn)
    this.#laneOf(turn).push(turn)
    this.#fill()
  }

  /** Whether somebody waits or is being asked. */
  has(id: string): boolean {
    return this.#known.has(id)
  }

  /** Nobody else gets a turn; resolves when the last one is over. */
  async close(): Promise<void> {
    this.#sound.clear()
    this.#failing.clear()
    this.#parked.clear()
    await Promise.all(this.#running)
  }

  #laneOf({ isFailing }: T): Lane<T> {
    return isFailing ? this.#failing : this.#sound
  }

  #fill(): void {
    while (this.#running.size < MOST_AT_ONCE) {
      const turn = this.#sound.take() ?? (this.#failingNow < MOST_FAILING_AT_ONCE ? this.#failing.take() : undefined)
      if (turn === undefined) return
      if (this.#known.get(turn.id) !== turn) continue
      if ((this.#busy.get(turn.address) ?? 0) < MOST_AT_ONE_ADDRESS) this.#begin(turn)
      else this.#park(turn)
    }
  }

  #begin(turn: T): void {
    this.#busy.set(turn.address, (this.#busy.get(turn.address) ?? 0) + 1)
    if (turn.isFailing) this.#failingNow += 1
    this.#begun.add(turn.id)
    const run = this.#run(turn).finally(() => {
      this.#running.delete(run)
      this.#end(turn)
    })
    this.#running.add(run)
  }

  #end(turn: T): void {
    this.#known.delete(turn.id)
    this.#begun.delete(turn.id)
    if (turn.isFailing) this.#failingNow -= 1
    const left = (this.#busy.get(turn.address) ?? 1) - 1
    if (left > 0) this.#busy.set(turn.address, left)
    else this.#busy.delete(turn.address)
    const parked = this.#parked.get(turn.address)
    let next = parked?.take()
    while (next !== undefined && this.#known.get(next.id) !== next) next = parked?.take()
    // At the end of its lane again: many servers at one address come no sooner than everybody else's.
    if (next === undefined) this.#parked.delete(turn.address)
    else this.#laneOf(next).push(next)
    this.#fill()
  }

  #park(turn: T): void {
    const parked = this.#parked.get(turn.address) ?? new Lane<T>()
    this.#parked.set(turn.address, parked)
    parked.push(turn)
  }
}

/** First in, first out, without moving everybody each time. */
class Lane<T> {
  #waiting: T[] = []
  #at = 0

  push(one: T): void {
    this.#waiting.push(one)
  }

  take(): T | undefined {
    const one = this.#waiting[this.#at]
    if (one === undefined) return undefined
    this.#at += 1
    if (this.#at > 1000) {
      this.#waiting = this.#waiting.slice(this.#at)
      this.#at = 0
    }
    return one
  }

  clear(): void {
    this.#waiting = []
    this.#at = 0
  }
}
