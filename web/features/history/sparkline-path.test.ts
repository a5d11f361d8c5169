import { expect, test } from 'vitest'
import { sparklineOf } from './sparkline-path.ts'

test('the line is as high as the highest number, and the area goes down to the ground', () => {
  expect(sparklineOf([0, 10, 5])).toEqual({
    line: 'M0 15L0.5 15L1.5 1L2.5 8L3 8',
    area: 'M0 16L0 15L0.5 15L1.5 1L2.5 8L3 8V16Z',
    most: 10,
  })
})

test('a gap is a gap, and one number between two gaps is seen', () => {
  expect(sparklineOf([null, 4, null, null, 4, 4])?.line).toBe('M1 1L1.5 1L2 1M4 1L4.5 1L5.5 1L6 1')
})

test('nothing known is no line; nobody there is a line at the bottom', () => {
  expect(sparklineOf([])).toBeNull()
  expect(sparklineOf([null, null])).toBeNull()
  expect(sparklineOf([0, 0])).toMatchObject({ line: 'M0 15L0.5 15L1.5 15L2 15', most: 0 })
})
