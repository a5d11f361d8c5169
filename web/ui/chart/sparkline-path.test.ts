import { expect, test } from 'vitest'
import { sparklineOf } from './curve.tsx'

test('the line reaches the top at the highest value, and the area reaches the bottom', () => {
  expect(sparklineOf([0, 10, 5])).toEqual({
    line: 'M0 15L0.5 15L1.5 1L2.5 8L3 8',
    area: 'M0 16L0 15L0.5 15L1.5 1L2.5 8L3 8V16Z',
    max: 10,
    width: 3,
  })
})

test('a null is a gap, and a single value between gaps is visible', () => {
  expect(sparklineOf([null, 4, null, null, 4, 4])?.line).toBe('M1 1L1.5 1L2 1M4 1L4.5 1L5.5 1L6 1')
})

test('fewer than two values give no line, and zeros give a line at the bottom', () => {
  expect(sparklineOf([])).toBeNull()
  expect(sparklineOf([null, null])).toBeNull()
  expect(sparklineOf([null, 4])).toBeNull()
  expect(sparklineOf([0, 0])).toMatchObject({ line: 'M0 15L0.5 15L1.5 15L2 15', max: 0 })
})

test('on a scale, the area ends at zero', () => {
  expect(sparklineOf([10, 10], 20)?.area).toBe('M0 15L0 8L0.5 8L1.5 8L2 8V15Z')
})
