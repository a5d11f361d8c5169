import { expect, test } from 'vitest'
import { AnnounceSpread } from './announce-spread.ts'

/** A fleet that does as it is told; answers the most announces of one second in each of so many minutes. */
function busiestSeconds(servers: number, minutes: number, firstAt: (index: number) => number): number[] {
  const spread = new AnnounceSpread(75)
  const due = Array.from({ length: servers }, (_, index) => firstAt(index))
  const busiest: number[] = []
  for (let minute = 0; minute < minutes; minute += 1) {
    let most = 0
    for (let second = minute * 60; second < minute * 60 + 60; second += 1) {
      let came = 0
      for (const [index, at] of due.entries()) {
        if (at >= (second + 1) * 1000) continue
        came += 1
        due[index] = at + spread.next(at, servers) * 1000
      }
      most = Math.max(most, came)
    }
    busiest.push(most)
  }
  return busiest
}

test('a fleet that comes back in one second is spread within two minutes', () => {
  const [first = 0, , third = 0] = busiestSeconds(3000, 3, (index) => index / 10)
  expect(first).toBe(3000)
  // Even would be 100 a second.
  expect(third).toBeLessThan(250)
})

test('a fleet that is spread stays so', () => {
  const [, , , , fifth = 0] = busiestSeconds(3000, 5, (index) => index * 10)
  expect(fifth).toBeLessThan(250)
})

test('each wait is whole seconds, leaves room for a lost announce, and differs from the next', () => {
  const spread = new AnnounceSpread(75)
  const waits = Array.from({ length: 1000 }, (_, index) => spread.next(index * 30, 1000))
  expect(waits.every((wait) => Number.isInteger(wait) && wait >= 15 && wait <= 45)).toBe(true)
  expect(new Set(waits).size).toBeGreaterThan(10)
})

test('with the shortest time to live it is a second', () => {
  expect(new AnnounceSpread(1).next(5, 1)).toBe(1)
})
