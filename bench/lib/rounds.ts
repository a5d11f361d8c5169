/** Several sides turn by turn in the same minutes, and what one costs of another. */
import type { Cost } from './load.ts'

/** Rounds in which others took more of a core do not count, as long as half of them are left. */
const DISTURBED_PERCENT = 20

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
    return median(this.#rounds.map((round) => of(round[side] as Cost) / of(round[to] as Cost)))
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

export async function interleave(rounds: number, turns: readonly Turn[]): Promise<Rounds> {
  const all: Cost[][] = []
  for (let round = 0; round < rounds; round += 1) {
    const costs: Cost[] = []
    for (const turn of turns) costs.push(await turn())
    all.push(costs)
  }
  return new Rounds(all)
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
