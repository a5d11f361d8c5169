import { expect, test } from 'vitest'
import { heightsFor, heightText, lonelyOf, runsOf } from './chart-scale.ts'

test.each([
  [0, [0, 1, 2]],
  [1, [0, 1, 2]],
  [3, [0, 1, 2, 3, 4]],
  [37, [0, 10, 20, 30, 40]],
  [128, [0, 50, 100, 150]],
  [1000, [0, 500, 1000, 1500]],
  [40_000, [0, 20_000, 40_000, 60_000]],
])('a graph whose highest number is %d has even marks of whole numbers', (most, marks) => {
  expect(heightsFor(most)).toEqual(marks)
})

test('whatever the highest number, it lies below the top, and the marks stay few', () => {
  for (let most = 0; most < 3_000_000; most += 1 + Math.floor(most / 7)) {
    const marks = heightsFor(most)
    expect(marks.at(-1)).toBeGreaterThan(most)
    expect(marks.length).toBeLessThanOrEqual(6)
    expect(marks.every(Number.isInteger)).toBe(true)
  }
})

test('large numbers are said in short', () => {
  expect([980, 1200, 12_000, 1_500_000].map(heightText)).toEqual(['980', '1,200', '12K', '1.5M'])
})

test('what holds for several steps on end is one run', () => {
  expect(runsOf([true, true, false, true, false])).toEqual([
    [0, 2],
    [3, 4],
  ])
})

test('a number between gaps is found: no line leads through it', () => {
  expect(lonelyOf([1, null, 2, 3, null, 4, null])).toEqual([0, 5])
})
