/** How many rounds a benchmark needs for a conclusive result. */
import { expect, test } from 'vitest'
import type { Cost } from './load.ts'
import { type Rounds, interleave } from './rounds.ts'

/** One side costs 1, 2, 3 …, the other always 1. Other processes disturb the first rounds. */
function growing(disturbed = 0): [() => Promise<Cost>, () => Promise<Cost>] {
  const costing = (cpuMicroseconds: number, othersPercent = 0) => Promise.resolve({ cpuMicroseconds, othersPercent } as Cost)
  let rounds = 0
  return [() => costing((rounds += 1), rounds <= disturbed ? 50 : 0), () => costing(1)]
}

// The expected ranks are from tables of the sign test.
test.each([
  [5, 1, 5],
  [8, 2, 7],
  [10, 2, 9],
  [15, 4, 12],
])('%i rounds are inconclusive for targets from the %ith to the %ith ratio', async (count, first, last) => {
  const rounds = await interleave(count, growing())
  const open = Array.from({ length: count }, (_, place) => place + 1).filter((target) => rounds.isInconclusive(0, 1, target))
  expect([open[0], open.at(-1)]).toEqual([first, last])
})

test('rounds continue while inconclusive, up to three times the requested number, unless fewer than five were requested', async () => {
  const roundCount = async (rounds: number, target: number) => {
    return (await interleave(rounds, growing(), (soFar: Rounds) => soFar.isInconclusive(0, 1, target))).count
  }
  // 6 is above all five ratios. 2.5 is conclusive only after eleven rounds. 5 stays within the interval.
  expect(await Promise.all([roundCount(5, 6), roundCount(5, 2.5), roundCount(5, 5), roundCount(4, 2)])).toEqual([5, 11, 15, 4])
})

test('rounds continue while too few undisturbed ones count, however far their ratios are from the target', async () => {
  const rounds = await interleave(5, growing(2), (soFar) => soFar.isInconclusive(0, 1, 100))
  expect([rounds.count, rounds.ratio(0, 1)]).toEqual([5, 5])
})

test('the median of an even number of rounds is the mean of the middle two', async () => {
  expect((await interleave(8, growing())).ratio(0, 1)).toBe(4.5)
})
