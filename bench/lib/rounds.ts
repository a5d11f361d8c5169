/** Interleaves turns of several sides, and computes the ratios of their costs. */
import type { Cost } from './load.ts'

/** Rounds in which other processes used more of a core are dropped, but never more than half of all rounds. */
const DISTURBED_PERCENT = 20
export type Turn = () => Promise<Cost>
type Figure = (cost: Cost) => number

export class Rounds {
  /** The costs of each counted round, in the order of the sides. */
  readonly #rounds: readonly (readonly Cost[])[]

  constructor(all: readonly (readonly Cost[])[]) {
    const disturbanceOf = (round: readonly Cost[]) => Math.max(...round.map((cost) => cost.othersPercent))
    this.#rounds = all
      .toSorted((a, b) => disturbanceOf(a) - disturbanceOf(b))
      .filter((round, place) => place < Math.ceil(all.length / 2) || disturbanceOf(round) <= DISTURBED_PERCENT)
  }

  /** The median of a side. */
  of(side: number, figure: Figure): number {
    return median(this.#rounds.map((round) => figure(round[side] as Cost)))
  }

  /** The median of the ratios within each round. */
  ratio(side: number, to: number, figure: Figure): number {
    return median(this.#rounds.map((round) => figure(round[side] as Cost) / figure(round[to] as Cost)))
  }

  /** The median of the differences within each round. */
  difference(side: number, to: number, figure: Figure): number {
    return median(this.#rounds.map((round) => figure(round[side] as Cost) - figure(round[to] as Cost)))
  }

  /** Every status that a side received. */
  statuses(side: number): string {
    return [...new Set(this.#rounds.flatMap((round) => Object.keys(round[side]?.statuses ?? {})))].join(' ')
  }

  /** The maximum CPU of other processes in a counted round, in per cent of a core. */
  get othersPercent(): number {
    return Math.max(...this.#rounds.flat().map((cost) => cost.othersPercent))
  }
}

export async function interleave(rounds: number, turns: readonly Turn[]): Promise<Rounds> {
  const all: Cost[][] = []
  while (all.length < rounds) {
    const costs: Cost[] = []
    for (const turn of turns) costs.push(await turn())
    all.push(costs)
  }
  return new Rounds(all)
}

export function median(values: readonly number[]): number {
  const inOrder = values.toSorted((a, b) => a - b)
  const [low, high] = [inOrder[Math.ceil(values.length / 2) - 1], inOrder[Math.floor(values.length / 2)]]
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2
}
