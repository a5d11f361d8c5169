/** Announce intervals spread a fleet evenly over time. */
import { expect, test } from 'vitest'
import { AnnounceSpread } from './announce-spread.ts'

/** Simulates a fleet that follows the intervals. Returns the maximum announces per second in each minute. */
function maxPerSecond(servers: number, minutes: number, firstAt: (index: number) => number): number[] {
  const spread = new AnnounceSpread(75)
  const due = Array.from({ length: servers }, (_, index) => firstAt(index))
  const maxima: number[] = []
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
    maxima.push(max)
  }
  return maxima
}

test('3,000 servers that return within one second are spread within two minutes', () => {
  const [first = 0, , third = 0] = maxPerSecond(3000, 3, (index) => index / 10)
  expect(first).toBe(3000)
  // Perfectly even would be 100 a second.
  expect(third).toBeLessThan(250)
})

test('an evenly spread fleet stays spread', () => {
  const [, , , , fifth = 0] = maxPerSecond(3000, 5, (index) => index * 10)
  expect(fifth).toBeLessThan(250)
})

test('intervals are whole seconds from 15 to 45, so that one announce may be lost, and they vary', () => {
  const spread = new AnnounceSpread(75)
  const waits = Array.from({ length: 1000 }, (_, index) => spread.next(index * 30, 1000))
  expect(waits.every((wait) => Number.isInteger(wait) && wait >= 15 && wait <= 45)).toBe(true)
  expect(new Set(waits).size).toBeGreaterThan(10)
})

test('the shortest TTL gives an interval of one second', () => {
  expect(new AnnounceSpread(1).next(5, 1)).toBe(1)
})

test('with the longest TTL, an interval is at most an hour', () => {
  const spread = new AnnounceSpread(86_400)
  const waits = Array.from({ length: 1000 }, () => spread.next(0, 1000))
  expect(Math.max(...waits)).toBeLessThanOrEqual(3600)
})
