/** Prints how costs grow with the number of servers. */
import { printTable, size, times } from './table.ts'

/** Microseconds of CPU on both sides. */
export interface CpuCost {
  readonly ours: number
  readonly bare: number
}

export interface GrowthRow {
  readonly name: string
  /** In the order of the sizes; undefined if the server did not support the request. */
  readonly costs: readonly (CpuCost | undefined)[]
}

const micro = (value: number | undefined) => (value === undefined ? '–' : `${value.toFixed(2)} µs`)

/** Prints the cost of each size, and the largest over the smallest. Prints nothing for a single size. */
export function printGrowth(title: string, sizes: readonly number[], all: readonly GrowthRow[]): void {
  if (sizes.length < 2) return
  const side = (costs: GrowthRow['costs'], which: keyof CpuCost) => {
    const [first, last] = [costs[0]?.[which], costs.at(-1)?.[which]]
    return [...costs.map((cost) => micro(cost?.[which])), first === undefined || last === undefined ? '–' : times(last / first)]
  }
  const heads = (which: keyof CpuCost) => [
    ...sizes.map((servers, at) => (at === 0 ? `${which} ${size(servers)}` : size(servers))),
    'growth',
  ]
  console.log(`GROWTH, ${size(sizes[0] ?? 0)} to ${size(sizes.at(-1) ?? 0)}: ${title}`)
  printTable([
    ['', ...heads('ours'), ...heads('bare')],
    ...all.map(({ name, costs }) => [name, ...side(costs, 'ours'), ...side(costs, 'bare')]),
  ])
}
