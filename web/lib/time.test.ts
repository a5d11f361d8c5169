/** Texts of times and durations, and the time zone that they follow. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { PANEL_LANGUAGES } from '#contract/text/panel-languages.ts'
import { exactTime, formatTime, hoursText, localDay, localMinute, relativeTime, setTimeZone, timeLeft, timeOfLocalMinute } from './time.ts'

afterEach(() => {
  setTimeZone(null)
  vi.unstubAllGlobals()
})
// Other files would get the modules of the last language.
afterAll(() => vi.resetModules())

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
  [-40, '40 sec ago'],
  // Always with a number, never `next mo` or `last yr`.
  [-86_400, '1 day ago'],
  [31 * 86_400, 'in 1 mo'],
  [-366 * 86_400, '1 yr ago'],
])('%d seconds from now are %s', (seconds, text) => {
  expect(relativeTime(isoAfter(seconds), now)).toBe(text)
})

describe('the chosen time zone', () => {
  const noon = '2026-07-01T12:00:00.000Z'

  test('is used for every style, and the browser’s again without one', () => {
    const own = exactTime(noon)
    setTimeZone('Asia/Kolkata')
    expect(exactTime(noon)).toBe('1 Jul 2026, 17:30:00')
    expect(formatTime(noon, 'time')).toBe('17:30')
    expect(formatTime(noon, 'time', 'UTC')).toBe('12:00')
    setTimeZone(null)
    expect(exactTime(noon)).toBe(own)
  })

  test('decides which day a time is in', () => {
    setTimeZone('Pacific/Auckland')
    expect([localDay(noon), localMinute(noon)]).toEqual(['2026-07-02', '2026-07-02T00:00'])
    setTimeZone('America/Los_Angeles')
    expect([localDay(noon), localMinute(noon)]).toEqual(['2026-07-01', '2026-07-01T05:00'])
  })

  test('that this browser does not know is ignored', () => {
    const own = exactTime(noon)
    setTimeZone('Mars/Olympus')
    expect(exactTime(noon)).toBe(own)
  })
})

describe('an entered time', () => {
  test.each([
    ['Europe/Berlin', '2026-01-15T20:00', '2026-01-15T19:00:00.000Z'],
    ['Europe/Berlin', '2026-07-15T20:00', '2026-07-15T18:00:00.000Z'],
    ['Asia/Kolkata', '2026-07-15T00:10', '2026-07-14T18:40:00.000Z'],
    // On the days of a clock change.
    ['Europe/Berlin', '2026-03-29T01:30', '2026-03-29T00:30:00.000Z'],
    ['Europe/Berlin', '2026-03-29T03:30', '2026-03-29T01:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25T01:30', '2026-10-24T23:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25T03:30', '2026-10-25T02:30:00.000Z'],
    // The hour comes twice; the first counts.
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
    ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
  ])('in %s, %s is %s', (zone, text, iso) => {
    setTimeZone(zone)
    expect(new Date(timeOfLocalMinute(text)).toISOString()).toBe(iso)
    expect(localMinute(iso)).toBe(text)
  })

  test('in an hour that a clock change skips is close to it', () => {
    const time = timeOfLocalMinute('2026-03-29T02:30', 'Europe/Berlin')
    expect(Math.abs(time - Date.parse('2026-03-29T01:00:00.000Z'))).toBeLessThanOrEqual(3_600_000)
  })

  test.each(['', 'soon', '2026-13-01T00:00'])('that is no time is NaN: %j', (text) => {
    expect(timeOfLocalMinute(text)).toBeNaN()
  })
})

test('nothing else in the panel formats a date or a time', () => {
  // The scripts of the public pages have no React, so they cannot import time.ts.
  const enhancements = ['enhance.ts', 'enhance/week-graph.ts'].map((file) => join('public-site', file))
  const OWNERS = new Set([join('lib', 'time.ts'), ...enhancements])
  const root = join(import.meta.dirname, '..')
  const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) => !file.includes('.test.') && !OWNERS.has(file))
  const formatting = /DateTimeFormat|toLocale(?:Date|Time)String|toDateString|toTimeString|new Date\([^)]*\)\.toLocaleString/
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => formatting.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

test.each(PANEL_LANGUAGES)('in %s, every style writes the time of day alike, with or without a leading zero', async (lang) => {
  vi.stubGlobal('document', { cookie: `muster_language=${lang}` })
  vi.resetModules()
  const { formatTime: format } = await import('./time.ts')
  const early = '2026-11-27T06:05:00Z'
  const time = new RegExp(`(?<!\\d)${format(early, 'time', 'UTC')}`)
  for (const style of ['minute', 'dayAndTime'] as const) expect(format(early, style, 'UTC')).toMatch(time)
})
