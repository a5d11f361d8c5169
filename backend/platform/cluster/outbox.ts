/** Messages that wait to be sent: bounded, in order. */

/** Past it the least important are dropped, and the others read everything again, which is less. */
const MAX_CHARACTERS = 2_000_000
const MAX_PER_STATEMENT = 100

/** The lowest is dropped first: late, the hints of 0 are of no use; changes by owners, such as a reissue, must arrive soon. Topics that aren't here: 1. */
const PRIORITIES: Readonly<Record<string, number>> = { heartbeat: 0, rateLimit: 0, rejected: 0, refresh: 2 }
const priorityOf = ({ topic }: Waiting) => PRIORITIES[topic] ?? 1

export interface Waiting {
  readonly topic: string
  readonly payload: string
}

export class Outbox {
  #waiting: Waiting[] = []
  #characters = 0
  #hasDropped = false

  get isEmpty(): boolean {
    return this.#waiting.length === 0 && !this.#hasDropped
  }

  /** Whether something was dropped since the last call that others must catch up with. */
  takeDropped(): boolean {
    const hasDropped = this.#hasDropped
    this.#hasDropped = false
    return hasDropped
  }

  add(message: Waiting): void {
    this.#waiting.push(message)
    this.#characters += message.payload.length
    for (let priority = 0; this.#characters > MAX_CHARACTERS; priority += 1) this.#drop(priority)
  }

  take(): Waiting[] {
    const taken = this.#waiting.splice(0, MAX_PER_STATEMENT)
    this.#characters -= lengthOf(taken)
    return taken
  }

  /** Messages that could not be sent go before those that came since. */
  putBack(taken: readonly Waiting[]): void {
    this.#waiting.unshift(...taken)
    this.#characters += lengthOf(taken)
  }

  #drop(priority: number): void {
    const kept = this.#waiting.filter((one) => priorityOf(one) > priority)
    if (kept.length < this.#waiting.length && priority > 0) this.#hasDropped = true
    this.#waiting = kept
    this.#characters = lengthOf(kept)
  }
}

const lengthOf = (all: readonly Waiting[]) => all.reduce((sum, { payload }) => sum + payload.length, 0)
