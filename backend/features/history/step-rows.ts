/** The steps of many servers, by dense index: 6 bytes a step. Steps are numbered since 1970, and a new one replaces the oldest. */
import type { Step } from './steps.ts'

const ROWS_PER_SLAB = 1024

interface Slab {
  /** End of each row in wall milliseconds; 0 without a row. */
  readonly ends: Float64Array
  readonly averages: Int16Array
  readonly highests: Int16Array
  /** At most 255 minutes a step. */
  readonly online: Uint8Array
  readonly sampled: Uint8Array
}

export class StepRows {
  readonly #slabs: Slab[] = []
  readonly #count: number

  /** @param count steps of each server. */
  constructor(count: number) {
    this.#count = count
  }

  /** End of the known steps, in wall milliseconds; 0 without a row. */
  endOf(index: number): number {
    return this.#slabs[Math.floor(index / ROWS_PER_SLAB)]?.ends[index % ROWS_PER_SLAB] ?? 0
  }

  /** @param first number of the first of these steps. @param end of the known steps, in wall milliseconds. */
  put(index: number, first: number, steps: readonly Step[], end: number): void {
    const slab = this.#slabOf(index)
    slab.ends[index % ROWS_PER_SLAB] = end
    for (const [offset, { average, highest, online, sampled }] of steps.entries()) {
      const at = this.#positionOf(index, first + offset)
      slab.averages[at] = average
      slab.highests[at] = highest
      slab.online[at] = online
      slab.sampled[at] = sampled
    }
  }

  stepOf(index: number, number: number): Step {
    const { averages, highests, online, sampled } = this.#slabOf(index)
    const at = this.#positionOf(index, number)
    return { average: averages[at] ?? 0, highest: highests[at] ?? 0, online: online[at] ?? 0, sampled: sampled[at] ?? 0 }
  }

  delete(index: number): void {
    this.#slabOf(index).ends[index % ROWS_PER_SLAB] = 0
  }

  #positionOf(index: number, number: number): number {
    return (index % ROWS_PER_SLAB) * this.#count + (number % this.#count)
  }

  #slabOf(index: number): Slab {
    const size = ROWS_PER_SLAB * this.#count
    return (this.#slabs[Math.floor(index / ROWS_PER_SLAB)] ??= {
      ends: new Float64Array(ROWS_PER_SLAB),
      averages: new Int16Array(size),
      highests: new Int16Array(size),
      online: new Uint8Array(size),
      sampled: new Uint8Array(size),
    })
  }
}
