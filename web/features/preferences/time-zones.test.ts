/** The time zones to choose from. */
import { expect, test } from 'vitest'
import { timeZoneGroups, timeZoneName } from './time-zones.ts'

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

test('renamed zones have their current name', () => {
  expect(idsOf(timeZoneGroups(['Europe/Kiev', 'Asia/Calcutta'], 'Asia/Kolkata')).slice(0, 2)).toEqual([
    ['Asia', ['Asia/Kolkata']],
    ['Europe', ['Europe/Kyiv']],
  ])
  expect([timeZoneName('Europe/Kiev'), timeZoneName('America/New_York')]).toEqual(['Europe/Kyiv', 'America/New York'])
})

test('the chosen zone can be chosen again, even if the browser does not list it', () => {
  expect(idsOf(timeZoneGroups(['Europe/Rome'], 'Asia/Tokyo'))[0]).toEqual(['Asia', ['Asia/Tokyo']])
  expect(idsOf(timeZoneGroups(['Europe/Rome'], 'Europe/Rome'))[0]).toEqual(['Europe', ['Europe/Rome']])
})
