/** The time zones to choose from. */
import { expect, test } from 'vitest'
import { timeZoneGroups } from './time-zones.ts'

const idsOf = (groups: ReturnType<typeof timeZoneGroups>) => groups.map(({ area, zones }) => [area, zones.map(({ id }) => id)])

test('zones are grouped by area and sorted by city, and those without an area come last', () => {
  const known = ['America/New_York', 'Europe/Rome', 'America/Argentina/Buenos_Aires', 'Europe/Berlin']
  const groups = timeZoneGroups(known, null)
  expect(idsOf(groups)).toEqual([
    ['America', ['America/Argentina/Buenos_Aires', 'America/New_York']],
    ['Europe', ['Europe/Berlin', 'Europe/Rome']],
    ['', ['UTC']],
  ])
  expect(groups[0]?.zones.map(({ city }) => city)).toEqual(['Argentina, Buenos Aires', 'New York'])
})

test('the chosen zone can be chosen again, even if the browser has another name for it', () => {
  expect(idsOf(timeZoneGroups(['Asia/Calcutta'], 'Asia/Kolkata'))[0]).toEqual(['Asia', ['Asia/Calcutta', 'Asia/Kolkata']])
  expect(idsOf(timeZoneGroups(['Europe/Rome'], 'Europe/Rome'))[0]).toEqual(['Europe', ['Europe/Rome']])
})
