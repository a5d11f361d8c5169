import { expect, test } from 'vitest'
import { BOX, drawSeries, rangeText } from './series.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 12, minute)).toISOString()

test('one point is no line', () => {
  expect(drawSeries([])).toBeUndefined()
  expect(drawSeries([{ at: at(0), players: 1, slots: 2 }])).toBeUndefined()
})

test('the graph spans the time and holds the larger of players and slots', () => {
  const drawing = drawSeries([
    { at: at(0), players: 0, slots: 64 },
    { at: at(30), players: 100, slots: 64 },
    { at: at(60), players: 50, slots: 64 },
  ])
  expect(drawing).toMatchObject({ most: 100, least: 0, mostSlots: 64, leastSlots: 64, over: 1 })
  expect(drawing?.players).toMatch(new RegExp(`^M0 ${BOX.height}L300 [\\d.]+L${BOX.width} [\\d.]+$`))
  expect(drawing?.top).toBeGreaterThan(100)
})

test('slots hold until they change', () => {
  const drawing = drawSeries([
    { at: at(0), players: 1, slots: 10 },
    { at: at(60), players: 1, slots: 20 },
  ])
  const [, first, second] = /^M0 ([\d.]+)H600V([\d.]+)$/.exec(drawing?.slots ?? '') ?? []
  expect(Number(first)).toBeGreaterThan(Number(second))
})

test('points of one moment, and of nobody, are drawn without a number that is none', () => {
  const drawing = drawSeries([
    { at: at(0), players: 0, slots: 0 },
    { at: at(0), players: 0, slots: 0 },
  ])
  expect(JSON.stringify(drawing)).not.toMatch(/NaN|null|Infinity/)
})

test.each([
  [128, 128, '128'],
  [64, 1280, '64 to 1,280'],
])('%i and %i are said as %s', (least, most, said) => {
  expect(rangeText(least, most)).toBe(said)
})
