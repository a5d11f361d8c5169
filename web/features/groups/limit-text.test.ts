import { expect, test } from 'vitest'
import { limitText } from './limit-text.ts'

test('at the limit it says what raises it, where anything does', () => {
  expect(limitText(0)).toBe('Your limit is 0 groups. A tier with groups raises it.')
  expect(limitText(1)).toBe('You have the one group that you can have. A higher tier allows more.')
  expect(limitText(2, 2)).toBe('You have all 2 groups that you can have. A higher tier allows more.')
  expect(limitText(10)).toBe('You have all 10 groups that you can have.')
})

test('over the limit it says that nothing is lost and how many are too many', () => {
  expect(limitText(1, 10)).toBe('You have 10 groups; your tier allows 1. The ones you have stay. Delete 10 to make another.')
  expect(limitText(2, 3)).toBe('You have 3 groups; your tier allows 2. The ones you have stay. Delete 2 to make another.')
  expect(limitText(0, 1)).toBe('You have 1 group; your limit is 0. The one you have stays.')
})
