/** When a benchmark has played enough rounds to say what it was asked. */
import { expect, test } from 'vitest'
import type { Cost } from './load.ts'
import { type Rounds, interleave } from './rounds.ts'

/** A side that costs 1, 2, 3 … beside one that always costs 1; others disturb the first rounds, if any. */
function growing(disturbed = 0): [() => Promise<Cost>, () => Promise<Cost>] {
  const costing = (cpuMicroseconds: number, othersPercent = 0) => Promise.resolve({ cpuMicroseconds, othersPercent } as Cost)
  let rounds = 0
  return [() => costing((rounds += 1), rounds <= disturbed ? 50 : 0), () => costing(1)]
}

// Of five coins one in sixteen falls on one side with all; of fifteen one in 28 with all but three: tables of the sign test.
test.each([
  [5, 1, 5],
  [8, 2, 7],
  [10, 2, 9],
  [15, 4, 12],
])('%i rounds leave an aim open from their %ith to their %ith ratio', async (count, first, last) => {
  const rounds = await interleave(count, growing())
  const open = Array.from({ length: count }, (_, place) => place + 1).filter((aim) => rounds.leavesOpen(0, 1, aim))
  expect([open[0], open.at(-1)]).toEqual([first, last])
})

test('rounds go on while they leave the aim open, up to three times as many; not where fewer were asked for than make sure', async () => {
  const played = async (rounds: number, aim: number) => {
    return (await interleave(rounds, growing(), (soFar: Rounds) => soFar.leavesOpen(0, 1, aim))).count
  }
  // The fifth ratio is 5, so 6 is above all; 2.5 is below the third lowest, which is the least of eleven, not of ten; 5 stays in the middle.
  expect(await Promise.all([played(5, 6), played(5, 2.5), played(5, 5), played(4, 2)])).toEqual([5, 11, 15, 4])
})

test('rounds go on where too few of them count, however far from the aim these are', async () => {
  const rounds = await interleave(5, growing(2), (soFar) => soFar.leavesOpen(0, 1, 100))
  expect([rounds.count, rounds.ratio(0, 1)]).toEqual([5, 5])
})

test('of as many rounds as can be halved the middle is between two', async () => {
  expect((await interleave(8, growing())).ratio(0, 1)).toBe(4.5)
})
