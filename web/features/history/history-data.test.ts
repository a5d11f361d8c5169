import { expect, test } from 'vitest'
import type { ServerHistory } from '#contract/history.ts'
import { csvFile, meanOf, peakOf, serverChart, serverColumns, tableRows } from './history-data.ts'

const history: ServerHistory = {
  range: '7d',
  from: '2026-11-22T05:00:00.000Z',
  step_seconds: 3600,
  average: [10, null, null, 40],
  highest: [12, null, null, 1234],
  online: [100, 0, null, 50],
  peak: { players: 1234, at: '2026-11-22T08:00:00.000Z', seconds: 60 },
  uptime: 50,
}

test('the CSV file has every step in UTC, and unknown values are empty', () => {
  expect(csvFile(history, serverColumns(history)).split('\r\n')).toEqual([
    'time,average,highest,online_percent',
    '2026-11-22T05:00:00.000Z,10,12,100',
    '2026-11-22T06:00:00.000Z,,,0',
    '2026-11-22T07:00:00.000Z,,,',
    '2026-11-22T08:00:00.000Z,40,1234,50',
    '',
  ])
})

test('the table formats the same values for reading', () => {
  expect(tableRows(history, serverColumns(history)).map(([, ...numbers]) => numbers)).toEqual([
    ['10', '12', '100'],
    ['–', '–', '0'],
    ['–', '–', '–'],
    ['40', '1,234', '50'],
  ])
})

test('the mean weights each step by the time online', () => {
  expect(meanOf(history.average, history.online)).toBe(20)
  expect(meanOf(history.average)).toBe(25)
  expect(meanOf([null, null])).toBeNull()
})

test('the peak is the first step with the highest value, and is null without values', () => {
  expect(peakOf(history, [3, null, 7, 7])).toEqual({ max: 7, at: Date.parse('2026-11-22T07:00:00.000Z') })
  expect(peakOf(history, [null, 0])).toEqual({ max: 0, at: Date.parse('2026-11-22T06:00:00.000Z') })
  expect(peakOf(history, [null, null])).toBeNull()
})

test('the chart marks offline steps, but not steps without data', () => {
  const { times, bands, remarks } = serverChart(history)
  expect(times.map((at) => new Date(at).getUTCHours())).toEqual([5, 6, 7, 8])
  expect(bands?.steps).toEqual([false, true, false, false])
  expect(remarks).toEqual(['', 'Offline', 'No data', 'Online 50%'])
})
