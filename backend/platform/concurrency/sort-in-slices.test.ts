import { expect, test } from 'vitest'
import { sortInSlices } from './sort-in-slices.ts'

test('sorts like `toSorted`, whatever the length, and keeps the order of equal items', async () => {
  for (const length of [0, 1, 500, 501, 3001]) {
    const items = Array.from({ length }, (_, index) => ({ index, text: `name ${(index * 7919) % 97}` }))
    const expected = items.toSorted((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text)))
    expect(await sortInSlices(items, ({ text }) => text)).toEqual(expected)
    expect(await sortInSlices(items, ({ index }) => -index)).toEqual(items.toReversed())
  }
})

test('lets other work run while it sorts', async () => {
  let turns = 0
  const timer = setInterval(() => (turns += 1), 0)
  await sortInSlices(
    Array.from({ length: 100_000 }, (_, index) => `name ${(index * 7919) % 100_000}`),
    (text) => text,
  )
  clearInterval(timer)
  expect(turns).toBeGreaterThan(5)
})
