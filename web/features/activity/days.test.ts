import { expect, test } from 'vitest'
import type { ActivityEntry } from '#contract/events/activity.ts'
import { byDay, dayLabel } from './days.ts'

test('today and yesterday have names, and other days are dates', () => {
  const today = '2026-03-01'
  expect(dayLabel(today, today)).toBe('Today')
  expect(dayLabel('2026-02-28', today)).toBe('Yesterday')
  expect(dayLabel('2026-01-02', today)).toBe('Friday 2 January')
  expect(dayLabel('2025-03-03', today)).toBe('3 March 2025')
})

test('entries are grouped by day and keep their order', () => {
  const entry = (id: string, day: number, hour: number) => ({ id, at: new Date(2026, 0, day, hour).toISOString() }) as ActivityEntry
  const days = byDay([entry('3', 2, 9), entry('2', 1, 20), entry('1', 1, 8)])
  expect(days.map(({ entries }) => entries.map(({ id }) => id))).toEqual([['3'], ['2', '1']])
})
