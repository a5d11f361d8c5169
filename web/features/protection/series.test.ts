import { expect, test } from 'vitest'
import { BOX, drawSeries, rangeText } from './series.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 12, minute)).toISOString()

test('fewer than two points draw nothing', () => {
  expect(drawSeries([])).toBeUndefined()
  expect(drawSeries([{ at: at(0), players: 1, slots: 2 }])).toBeUndefined()
})

test('the graph covers the whole time and fits the larger of players and slots', () => {
  const drawing = drawSeries([
    { at: at(0), players: 0, slots: 64 },
    { at: at(30), players: 100, slots: 64 },
    { at: at(60), players: 50, slots: 64 },
  ])
  expect(drawing).toMatchObject({ maxPlayers: 100, minPlayers: 0, maxSlots: 64, minSlots: 64, over: 1 })
  expect(drawing?.players).toMatch(new RegExp(`^M0 ${BOX.height}L300 [\\d.]+L${BOX.width} [\\d.]+$`))
  expect(drawing?.top).toBeGreaterThan(100)
})

test('slots are drawn as steps', () => {
  const drawing = drawSeries([
    { at: at(0), players: 1, slots: 10 },
    { at: at(60), players: 1, slots: 20 },
  ])
  const [, first, second] = /^M0 ([\d.]+)H600V([\d.]+)$/.exec(drawing?.slots ?? '') ?? []
  expect(Number(first)).toBeGreaterThan(Number(second))
})

test('points with the same time and no players draw valid numbers', () => {
  const drawing = drawSeries([
    { at: at(0), players: 0, slots: 0 },
    { at: at(0), players: 0, slots: 0 },
  ])
  expect(JSON.stringify(drawing)).not.toMatch(/NaN|null|Infinity/)
})

test.each([
  [128, 128, '128'],
  [64, 1280, '64 to 1,280'],
])('the range from %i to %i is shown as %s', (min, max, text) => {
  expect(rangeText(min, max)).toBe(text)
})
