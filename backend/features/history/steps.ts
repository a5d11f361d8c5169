/** One step of a server's history in four bytes: average and highest (at most 4,096), online and sampled minutes. */

export interface Step {
  /** Over the online minutes, rounded; 0 if there are none. */
  readonly average: number
  readonly highest: number
  readonly online: number
  /** Minutes in which a node took a sample. */
  readonly sampled: number
}

export const EMPTY_STEP: Step = { average: 0, highest: 0, online: 0, sampled: 0 }

/** Above every minute code (at most 225), and small enough that its product with the highest pair fits a Postgres integer. */
export const MINUTE_CODES = 240
/** Precision of the online share in a partly sampled step: exact for ten minutes. */
export const SHARE_LEVELS = 15

export function unpackSteps(packed: Buffer, minutes: number): Step[] {
  return Array.from({ length: packed.length / 4 }, (_, index) => unpackStep(packed.readInt32BE(4 * index), minutes))
}

function unpackStep(packed: number, minutes: number): Step {
  const code = packed % MINUTE_CODES
  const pair = Math.floor(packed / MINUTE_CODES)
  let highest = Math.floor((Math.sqrt(8 * pair + 1) - 1) / 2)
  if (triangle(highest + 1) <= pair) highest += 1
  const average = pair - triangle(highest)
  if (code <= minutes) return { average, highest, online: code, sampled: minutes }
  const partialCode = code - minutes - 1
  const sampled = (Math.floor(partialCode / SHARE_LEVELS) * minutes) / 10
  return { average, highest, online: Math.round(((partialCode % SHARE_LEVELS) * sampled) / (SHARE_LEVELS - 1)), sampled }
}

function triangle(side: number): number {
  return (side * (side + 1)) / 2
}

export class Sum {
  #players = 0
  #highest = 0
  #online = 0
  #sampled = 0

  add({ average, highest, online, sampled }: Step): void {
    this.#players += average * online
    this.#highest = Math.max(this.#highest, highest)
    this.#online += online
    this.#sampled += sampled
  }

  addMinute(players: number): void {
    this.#players += players
    this.#highest = Math.max(this.#highest, players)
    this.#online += 1
    this.#sampled += 1
  }

  addOffline(minutes = 1): void {
    this.#sampled += minutes
  }

  get step(): Step {
    const average = this.#online === 0 ? 0 : Math.round(this.#players / this.#online)
    return { average, highest: this.#highest, online: this.#online, sampled: this.#sampled }
  }
}

/** Whole percent; 0 and 100 only if it was offline or online throughout. */
export function percentOnline({ online, sampled }: Step): number | null {
  if (sampled === 0) return null
  if (online === 0 || online === sampled) return online === 0 ? 0 : 100
  return Math.min(99, Math.max(1, Math.round((100 * online) / sampled)))
}
