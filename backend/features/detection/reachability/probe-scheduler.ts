/**
 * Who is asked next: a limited number at once, in total and at one address. At most half of them failed before: those take their whole
 * timeout, and must not keep the others waiting.
 */
const MAX_AT_ONCE = 32
const MAX_FAILING_AT_ONCE = MAX_AT_ONCE / 2
const MAX_AT_ONE_ADDRESS = 2

export interface Turn {
  /** Nobody waits twice. */
  readonly id: string
  /** What is counted as one address. */
  readonly address: string
  readonly isFailing: boolean
}

export class ProbeScheduler<T extends Turn> {
  readonly #run: (turn: T) => Promise<void>
  // First in, first out.
  readonly #sound = new Set<T>()
  readonly #failing = new Set<T>()
  /** Turns that came up while their address was busy, by address. */
  readonly #parked = new Map<string, Set<T>>()
  readonly #running = new Map<T, Promise<void>>()
  /** Waiting or running, by id. */
  readonly #known = new Map<string, T>()

  /** @param run never rejects. */
  constructor(run: (turn: T) => Promise<void>) {
    this.#run = run
  }

  /** Whoever waits already may only move up from those that fail. */
  add(turn: T): void {
    const known = this.#known.get(turn.id)
    if (known !== undefined) {
      if (!known.isFailing || turn.isFailing || this.#running.has(known)) return
      this.#failing.delete(known)
      this.#parked.get(known.address)?.delete(known)
    }
    this.#known.set(turn.id, turn)
    this.#laneOf(turn).add(turn)
    this.#fill()
  }

  /** Whether it waits or is being asked. */
  has(id: string): boolean {
    return this.#known.has(id)
  }

  /** Nobody else is asked; resolves when the last one has been. */
  async close(): Promise<void> {
    this.#sound.clear()
    this.#failing.clear()
    this.#parked.clear()
    await Promise.all(this.#running.values())
  }

  #laneOf({ isFailing }: T): Set<T> {
    return isFailing ? this.#failing : this.#sound
  }

  #fill(): void {
    while (this.#running.size < MAX_AT_ONCE) {
      const mayFail = this.#countRunning((one) => one.isFailing) < MAX_FAILING_AT_ONCE
      const turn = firstOf(this.#sound) ?? (mayFail ? firstOf(this.#failing) : undefined)
      if (turn === undefined) return
      this.#laneOf(turn).delete(turn)
      if (this.#countRunning((one) => one.address === turn.address) < MAX_AT_ONE_ADDRESS) this.#begin(turn)
      else this.#park(turn)
    }
  }

  #begin(turn: T): void {
    const run = this.#run(turn).finally(() => this.#end(turn))
    this.#running.set(turn, run)
  }

  #end(turn: T): void {
    this.#running.delete(turn)
    this.#known.delete(turn.id)
    const parked = this.#parked.get(turn.address)
    const next = parked && firstOf(parked)
    if (next === undefined) this.#parked.delete(turn.address)
    else {
      parked?.delete(next)
      // At the end of its lane again: many servers at one address come no sooner than the others.
      this.#laneOf(next).add(next)
    }
    this.#fill()
  }

  #park(turn: T): void {
    const parked = this.#parked.get(turn.address) ?? new Set<T>()
    this.#parked.set(turn.address, parked.add(turn))
  }

  #countRunning(matches: (turn: T) => boolean): number {
    return [...this.#running.keys()].filter(matches).length
  }
}

function firstOf<T>(turns: Set<T>): T | undefined {
  const [first] = turns
  return first
}
