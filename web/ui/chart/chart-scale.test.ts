/** Scales of charts: ticks and texts. */
import { expect, test } from 'vitest'
import { valueTicks, valueText, stepTime, timeTicks } from './chart-scale.ts'

test.each([
  [0, [0, 1, 2]],
  [1, [0, 1, 2]],
  [3, [0, 1, 2, 3, 4]],
  [37, [0, 10, 20, 30, 40]],
  [128, [0, 50, 100, 150]],
  [1000, [0, 500, 1000, 1500]],
  [40_000, [0, 20_000, 40_000, 60_000]],
])('a graph with the maximum %d has evenly spaced integer ticks', (max, ticks) => {
  expect(valueTicks(max)).toEqual(ticks)
})

test('the top tick is above the maximum, and there are at most six ticks', () => {
  for (let max = 0; max < 3_000_000; max += 1 + Math.floor(max / 7)) {
    const ticks = valueTicks(max)
    expect(ticks.at(-1)).toBeGreaterThan(max)
    expect(ticks.length).toBeLessThanOrEqual(6)
    expect(ticks.every(Number.isInteger)).toBe(true)
  }
})

test('large numbers are abbreviated', () => {
  expect([980, 1200, 12_000, 1_500_000].map(valueText)).toEqual(['980', '1,200', '12k', '1.5m'])
})

const DAY_S = 86_400

test('a step of a day shows its UTC day in every time zone, on the axis and in the table', () => {
  const previousZone = process.env.TZ
  try {
    for (const [zone, offset] of [
      ['Pacific/Auckland', -780],
      ['America/Los_Angeles', 480],
      ['Asia/Kolkata', -330],
      ['UTC', 0],
    ] as const) {
      process.env.TZ = zone
      const day = Date.UTC(2026, 10, 22)
      expect(new Date(day).getTimezoneOffset()).toBe(offset)
      const ticks = timeTicks(Date.UTC(2025, 10, 22), Date.UTC(2026, 10, 22), DAY_S)
      expect(ticks.map(({ at }) => at)).toEqual(Array.from({ length: 12 }, (_, index) => Date.UTC(2025, 11 + index)))
      expect(ticks.slice(0, 3).map(({ text }) => text)).toEqual(['Dec', '2026', 'Feb'])
      expect(timeTicks(day, day + DAY_S * 1000, DAY_S)[0]?.text).toBe('22 Nov')
      expect(stepTime(day, DAY_S)).toContain('22')
    }
  } finally {
    if (previousZone === undefined) delete process.env.TZ
    else process.env.TZ = previousZone
  }
})

test('ticks of a graph of weeks are two weeks apart', () => {
  const first = Date.UTC(2025, 10, 22)
  const ticks = timeTicks(first, first + 91 * DAY_S * 1000, 7 * DAY_S)
  expect(ticks.slice(0, 3).map(({ text }) => text)).toEqual(['22 Nov', '6 Dec', '20 Dec'])
})

test('ticks of a graph of hours are at whole hours or days of the time zone', () => {
  const [first, day] = [Date.UTC(2026, 10, 22, 9, 50), DAY_S * 1000]
  expect(timeTicks(first, first + day, 600).map(({ text }) => text)).toEqual([
    '10:00',
    '12:00',
    '14:00',
    '16:00',
    '18:00',
    '20:00',
    '22:00',
    '23 Nov',
    '02:00',
    '04:00',
    '06:00',
    '08:00',
  ])
  expect(timeTicks(first, first + 7 * day, 3600).map(({ text }) => text)).toHaveLength(7)
  expect(timeTicks(first, first + 31 * day, 14_400).map(({ text }) => text)).toEqual([
    '23 Nov',
    '28 Nov',
    '3 Dec',
    '8 Dec',
    '13 Dec',
    '18 Dec',
    '23 Dec',
  ])
})
