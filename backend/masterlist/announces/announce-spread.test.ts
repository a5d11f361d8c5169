import { expect, test } from 'vitest'
import { AnnounceSpread } from './announce-spread.ts'

/** Simulates a fleet that follows the intervals. Returns the most announces within one second, for each minute. */
function busiestSeconds(servers: number, minutes: number, firstAt: (index: number) => number): number[] {
  const spread = new AnnounceSpread(75)
  const due = Array.from({ length: servers }, (_, index) => firstAt(index))
  const busiest: number[] = []
  for (let minute = 0; minute < minutes; minute += 1) {
    let max = 0
    for (let second = minute * 60; second < minute * 60 + 60; second += 1) {
      let count = 0
      for (const [index, at] of due.entries()) {
        if (at >= (second + 1) * 1000) continue
        count += 1
        due[index] = at + spread.next(at, servers) * 1000
      }
      max = Math.max(max, count)
    }
    busiest.push(max)
  }
  return busiest
}

test('a fleet that returns within one second is spread within two minutes', () => {
  const [first = 0, , third = 0] = busiestSeconds(3000, 3, (index) => index / 10)
  expect(first).toBe(3000)
  // Perfectly even would be 100 a second.
  expect(third).toBeLessThan(250)
})

test('an evenly spread fleet stays spread', () => {
  const [, , , , fifth = 0] = busiestSeconds(3000, 5, (index) => index * 10)
  expect(fifth).toBeLessThan(250)
})

test('intervals are whole seconds, allow for a lost announce, and vary', () => {
  const spread = new AnnounceSpread(75)
  const waits = Array.from({ length: 1000 }, (_, index) => spread.next(index * 30, 1000))
  expect(waits.every((wait) => Number.isInteger(wait) && wait >= 15 && wait <= 45)).toBe(true)
  expect(new Set(waits).size).toBeGreaterThan(10)
})

test('the shortest TTL gives an interval of one second', () => {
  expect(new AnnounceSpread(1).next(5, 1)).toBe(1)
})
