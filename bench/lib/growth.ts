/** How what something costs grows with the number of servers. */
import { printTable, size, times } from './table.ts'

/** Microseconds of both sides. */
export interface Cost {
  readonly ours: number
  readonly bare: number
}

export interface Growing {
  readonly name: string
  /** In the order of the sizes; undefined where it was not answered. */
  readonly costs: readonly (Cost | undefined)[]
}

const micro = (value: number | undefined) => (value === undefined ? '–' : `${value.toFixed(2)} µs`)

/** Each size's, and the largest over the smallest. Prints nothing where there is only one size. */
export function printGrowth(title: string, sizes: readonly number[], all: readonly Growing[]): void {
  if (sizes.length < 2) return
  const side = (costs: Growing['costs'], which: keyof Cost) => {
    const [first, last] = [costs[0]?.[which], costs.at(-1)?.[which]]
    return [...costs.map((cost) => micro(cost?.[which])), first === undefined || last === undefined ? '–' : times(last / first)]
  }
  const heads = (which: keyof Cost) => [...sizes.map((servers, at) => (at === 0 ? `${which} ${size(servers)}` : size(servers))), 'growth']
  console.log(`GROWTH, ${size(sizes[0] ?? 0)} to ${size(sizes.at(-1) ?? 0)}: ${title}`)
  printTable([
    ['', ...heads('ours'), ...heads('bare')],
    ...all.map(({ name, costs }) => [name, ...side(costs, 'ours'), ...side(costs, 'bare')]),
  ])
}
