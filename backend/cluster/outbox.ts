/** What is to be said and waits for its turn: bounded, in order. */

/** Past it all of it is dropped: the others read everything anew, which is less. */
const MOST_CHARACTERS = 2_000_000
/** One statement takes no more. */
const MOST_AT_ONCE = 100

export class Outbox {
  #waiting: string[] = []
  #characters = 0
  #hasDropped = false

  get isEmpty(): boolean {
    return this.#waiting.length === 0 && !this.#hasDropped
  }

  /** Whether something was dropped since this was last asked. */
  takeDropped(): boolean {
    const hasDropped = this.#hasDropped
    this.#hasDropped = false
    return hasDropped
  }

  add(payload: string): void {
    this.#waiting.push(payload)
    this.#characters += payload.length
    if (this.#characters <= MOST_CHARACTERS) return
    this.#waiting = []
    this.#characters = 0
    this.#hasDropped = true
  }

  take(): string[] {
    const taken = this.#waiting.splice(0, MOST_AT_ONCE)
    this.#characters -= lengthOf(taken)
    return taken
  }

  /** What was taken and could not be sent waits again, before what came since. */
  putBack(payloads: readonly string[]): void {
    this.#waiting.unshift(...payloads)
    this.#characters += lengthOf(payloads)
  }
}

const lengthOf = (payloads: readonly string[]) => payloads.reduce((sum, payload) => sum + payload.length, 0)
