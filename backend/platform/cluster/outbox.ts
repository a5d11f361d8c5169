/** What is to be said and waits for its turn: bounded, in order. */

/** Past it what is least missed is dropped, and the others read everything anew, which is less. */
const MOST_CHARACTERS = 2_000_000
/** One statement takes no more. */
const MOST_AT_ONCE = 100

/** What is dropped first, and last: late, the first are of no use to anybody; a change by an owner, such as a reissue, is to be heard as soon as may be. */
const PLACES: Readonly<Record<string, number>> = { seen: 0, taken: 0, refused: 0, refresh: 2 }
const placeOf = ({ topic }: Waiting) => PLACES[topic] ?? 1

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

  /** Whether something was dropped since this was last asked that is to be caught up with. */
  takeDropped(): boolean {
    const hasDropped = this.#hasDropped
    this.#hasDropped = false
    return hasDropped
  }

  add(said: Waiting): void {
    this.#waiting.push(said)
    this.#characters += said.payload.length
    for (let place = 0; this.#characters > MOST_CHARACTERS; place += 1) this.#drop(place)
  }

  take(): Waiting[] {
    const taken = this.#waiting.splice(0, MOST_AT_ONCE)
    this.#characters -= lengthOf(taken)
    return taken
  }

  /** What was taken and could not be sent waits again, before what came since. */
  putBack(taken: readonly Waiting[]): void {
    this.#waiting.unshift(...taken)
    this.#characters += lengthOf(taken)
  }

  #drop(place: number): void {
    const kept = this.#waiting.filter((one) => placeOf(one) > place)
    if (kept.length < this.#waiting.length && place > 0) this.#hasDropped = true
    this.#waiting = kept
    this.#characters = lengthOf(kept)
  }
}

const lengthOf = (all: readonly Waiting[]) => all.reduce((sum, { payload }) => sum + payload.length, 0)
