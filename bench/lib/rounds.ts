/** Several sides turn by turn in the same minutes, and what one costs of another. */
import type { Cost } from './load.ts'

/** Rounds in which others took more of a core do not count, as long as half of them are left. */
const DISTURBED_PERCENT = 20
/** How sure the middle of the ratios has to be on one side of its aim before no further rounds are played, and at how many at the most. */
const SURE = 0.9
const MAX_TIMES_THE_ROUNDS = 3
/** So many rounds that count are needed at the least to be so sure; who asks for less wants it quickly. */
const LEAST_ROUNDS_TO_BE_SURE = 5

export type Turn = () => Promise<Cost>

export class Rounds {
  /** Those that count, the costs in the order of the sides. */
  readonly #rounds: readonly (readonly Cost[])[]

  constructor(all: readonly (readonly Cost[])[]) {
    const othersOf = (round: readonly Cost[]) => Math.max(...round.map((cost) => cost.othersPercent))
    this.#rounds = all
      .toSorted((a, b) => othersOf(a) - othersOf(b))
      .filter((round, place) => place < Math.ceil(all.length / 2) || othersOf(round) <= DISTURBED_PERCENT)
  }

  /** The middle one of a side. */
  of(side: number): Cost {
    const costs = this.#rounds.flatMap((round) => round[side] ?? [])
    return costs.toSorted((a, b) => a.cpuMicroseconds - b.cpuMicroseconds)[Math.floor(costs.length / 2)] as Cost
  }

  /** The middle of the ratios within each round. */
  ratio(side: number, to: number, of: (cost: Cost) => number = (cost) => cost.cpuMicroseconds): number {
    return median(this.#ratios(side, to, of))
  }

  /** Whether other rounds of the same may have said `met` in place of `MISSED`, or the reverse. */
  leavesOpen(side: number, to: number, aim: number, of: (cost: Cost) => number = (cost) => cost.cpuMicroseconds): boolean {
    const ratios = this.#ratios(side, to, of).toSorted((a, b) => a - b)
    if (ratios.length < LEAST_ROUNDS_TO_BE_SURE) return true
    const outside = ranksOutside(ratios.length)
    return (ratios[outside] ?? 0) <= aim && aim <= (ratios.at(-1 - outside) ?? Infinity)
  }

  get count(): number {
    return this.#rounds.length
  }

  #ratios(side: number, to: number, of: (cost: Cost) => number): number[] {
    return this.#rounds.map((round) => of(round[side] as Cost) / of(round[to] as Cost))
  }

  /** Of all that count: answers by status. */
  statuses(side: number): Readonly<Record<string, number>> {
    const sums: Record<string, number> = {}
    for (const { statuses } of this.#rounds.flatMap((round) => round[side] ?? []))
      for (const [status, count] of Object.entries(statuses)) sums[status] = (sums[status] ?? 0) + count
    return sums
  }

  /** The mean of a side: where what costs most does not happen in every round. */
  mean(side: number, of: (cost: Cost) => number): number {
    return this.#rounds.reduce((sum, round) => sum + of(round[side] as Cost), 0) / this.#rounds.length
  }

  /** What others took in the worst of the rounds that count, in per cent of a core. */
  get othersPercent(): number {
    return Math.max(...this.#rounds.flat().map((cost) => cost.othersPercent))
  }
}

/** @param isOpen of the rounds so far: whether it takes more of them to say what they are played for. */
export async function interleave(
  rounds: number,
  turns: readonly Turn[],
  isOpen: (soFar: Rounds) => boolean = () => false,
): Promise<Rounds> {
  const all: Cost[][] = []
  const most = rounds < LEAST_ROUNDS_TO_BE_SURE ? rounds : rounds * MAX_TIMES_THE_ROUNDS
  while (all.length < rounds || (all.length < most && isOpen(new Rounds(all)))) {
    const costs: Cost[] = []
    for (const turn of turns) costs.push(await turn())
    all.push(costs)
  }
  return new Rounds(all)
}

/**
 * How many of so many values in their order may be left out at each end, so that the true median is between the others with the certainty
 * asked for (the sign test): each value is on either side of it as a coin falls.
 */
function ranksOutside(values: number): number {
  let [ways, beyond, outside] = [1, 0, -1]
  while (outside < (values - 1) / 2) {
    beyond += ways / 2 ** values
    if (2 * beyond > 1 - SURE) break
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
