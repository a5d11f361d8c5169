/** Interleaves turns of several sides, and computes the ratios of their costs. */
import type { Cost } from './load.ts'

/** Rounds in which other processes used more of a core are dropped, but never more than half of all rounds. */
const DISTURBED_PERCENT = 20
/** Rounds continue until the median ratio is above or below its target with this confidence. */
const CONFIDENCE = 0.9
const MAX_ROUNDS_FACTOR = 3
/** The fewest rounds that can reach the confidence. A run with fewer rounds is not extended. */
const MIN_ROUNDS_FOR_CONFIDENCE = 5

export type Turn = () => Promise<Cost>

export class Rounds {
  /** The costs of each counted round, in the order of the sides. */
  readonly #rounds: readonly (readonly Cost[])[]

  constructor(all: readonly (readonly Cost[])[]) {
    const disturbanceOf = (round: readonly Cost[]) => Math.max(...round.map((cost) => cost.othersPercent))
    this.#rounds = all
      .toSorted((a, b) => disturbanceOf(a) - disturbanceOf(b))
      .filter((round, place) => place < Math.ceil(all.length / 2) || disturbanceOf(round) <= DISTURBED_PERCENT)
  }

  /** The round with the median CPU of a side. */
  of(side: number): Cost {
    const costs = this.#rounds.flatMap((round) => round[side] ?? [])
    return costs.toSorted((a, b) => a.cpuMicroseconds - b.cpuMicroseconds)[Math.floor(costs.length / 2)] as Cost
  }

  /** The median of the ratios within each round. */
  ratio(side: number, to: number, of: (cost: Cost) => number = (cost) => cost.cpuMicroseconds): number {
    return median(this.#ratios(side, to, of))
  }

  /** Whether more rounds could turn `met` into `MISSED` or the reverse. */
  isInconclusive(side: number, to: number, target: number, of: (cost: Cost) => number = (cost) => cost.cpuMicroseconds): boolean {
    const ratios = this.#ratios(side, to, of).toSorted((a, b) => a - b)
    if (ratios.length < MIN_ROUNDS_FOR_CONFIDENCE) return true
    const outside = ranksOutsideInterval(ratios.length)
    return (ratios[outside] ?? 0) <= target && target <= (ratios.at(-1 - outside) ?? Infinity)
  }

  get count(): number {
    return this.#rounds.length
  }

  #ratios(side: number, to: number, of: (cost: Cost) => number): number[] {
    return this.#rounds.map((round) => of(round[side] as Cost) / of(round[to] as Cost))
  }

  /** Responses by status over all counted rounds. */
  statuses(side: number): Readonly<Record<string, number>> {
    const sums: Record<string, number> = {}
    for (const { statuses } of this.#rounds.flatMap((round) => round[side] ?? []))
      for (const [status, count] of Object.entries(statuses)) sums[status] = (sums[status] ?? 0) + count
    return sums
  }

  /** The mean of a side, for costs that do not occur in every round. */
  mean(side: number, of: (cost: Cost) => number): number {
    return this.#rounds.reduce((sum, round) => sum + of(round[side] as Cost), 0) / this.#rounds.length
  }

  /** The maximum CPU of other processes in a counted round, in per cent of a core. */
  get othersPercent(): number {
    return Math.max(...this.#rounds.flat().map((cost) => cost.othersPercent))
  }
}

/** @param isInconclusive whether the rounds so far need more */
export async function interleave(
  rounds: number,
  turns: readonly Turn[],
  isInconclusive: (soFar: Rounds) => boolean = () => false,
): Promise<Rounds> {
  const all: Cost[][] = []
  const maxRounds = rounds < MIN_ROUNDS_FOR_CONFIDENCE ? rounds : rounds * MAX_ROUNDS_FACTOR
  while (all.length < rounds || (all.length < maxRounds && isInconclusive(new Rounds(all)))) {
    const costs: Cost[] = []
    for (const turn of turns) costs.push(await turn())
    all.push(costs)
  }
  return new Rounds(all)
}

/** How many sorted values lie outside the confidence interval of the median at each end (sign test). */
function ranksOutsideInterval(values: number): number {
  let [ways, beyond, outside] = [1, 0, -1]
  while (outside < (values - 1) / 2) {
    beyond += ways / 2 ** values
    if (2 * beyond > 1 - CONFIDENCE) break
    outside += 1
    ways = (ways * (values - outside)) / (outside + 1)
  }
  return Math.max(outside, 0)
}

export function median(values: readonly number[]): number {
  const inOrder = values.toSorted((a, b) => a - b)
  const [low, high] = [inOrder[Math.ceil(values.length / 2) - 1], inOrder[Math.floor(values.length / 2)]]
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2
}
