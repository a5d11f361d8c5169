/** Texts of times and durations. */
import { expect, test } from 'vitest'
import { hoursText, relativeTime, timeLeft } from './time.ts'

const now = Date.parse('2026-01-01T00:00:00.000Z')
const isoAfter = (seconds: number) => new Date(now + seconds * 1000).toISOString()

test.each([
  [2 * 3600 + 3 * 60 + 4, { hours: 2, minutes: 3, seconds: 4 }],
  // Hours are not capped at a day.
  [100 * 3600 + 59, { hours: 100, minutes: 0, seconds: 59 }],
  [0.2, { hours: 0, minutes: 0, seconds: 1 }],
  [0, { hours: 0, minutes: 0, seconds: 0 }],
  [-90, { hours: 0, minutes: 0, seconds: 0 }],
])('the time left until %d seconds from now', (seconds, left) => {
  expect(timeLeft(isoAfter(seconds), now)).toEqual(left)
})

test.each([
  [24, '24 hours'],
  [1, '1 hour'],
  [1.5, '1.5 hours'],
  [0.5, '30 minutes'],
  [1 / 60, '1 minute'],
  [0.005, '18 seconds'],
])('%d hours are %s', (hours, text) => {
  expect(hoursText(hours)).toBe(text)
})

test.each([
  [3, 'just now'],
  [-40, '40 sec. ago'],
  // Always with a number, never `next mo.` or `last yr.`.
  [-86_400, '1 day ago'],
  [31 * 86_400, 'in 1 mo.'],
  [-366 * 86_400, '1 yr. ago'],
])('%d seconds from now are %s', (seconds, text) => {
  expect(relativeTime(isoAfter(seconds), now)).toBe(text)
})
