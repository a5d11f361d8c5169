import { expect, test } from 'vitest'
import type { ServerHistory } from '#contract/history/history.ts'
import { csvFile, meanOf, peakOf, serverChart, serverColumns, tableRows, weekBefore } from './history-data.ts'

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
    '\uFEFFtime,average,highest,online_percent',
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

test('the week before is aligned by time, and missing steps are null', () => {
  const later = { ...history, from: '2026-11-15T06:00:00.000Z', average: [1, 2, 3, 4] }
  expect(weekBefore(history, later)).toEqual([null, 1, 2, 3])
  expect(weekBefore(history, { ...later, from: '2026-11-15T05:00:00.000Z' })).toEqual([1, 2, 3, 4])
  expect(weekBefore(history, { ...later, step_seconds: 600 })).toEqual([null, null, null, null])
  expect(weekBefore(history, undefined)).toEqual([null, null, null, null])
  const compared = [1, null, 2, 3]
  expect(serverChart(history, { compared }).lines.at(-1)).toMatchObject({ type: 'compare', values: compared })
  expect(csvFile(history, serverColumns(history, compared)).split('\r\n').slice(0, 2)).toEqual([
    '\uFEFFtime,average,highest,online_percent,average_week_before',
    '2026-11-22T05:00:00.000Z,10,12,100,1',
  ])
})
