import { expect, test } from 'vitest'
import { fullText } from './full-text.ts'

test('at the limit it says what raises it, where anything does', () => {
  expect(fullText(0)).toBe('Your limit is 0 groups. A tier with groups raises it.')
  expect(fullText(1)).toBe('You have the one group that you can have. A higher tier allows more.')
  expect(fullText(2, 2)).toBe('You have all 2 groups that you can have. A higher tier allows more.')
  expect(fullText(10)).toBe('You have all 10 groups that you can have.')
})

test('over the limit it says that nothing is lost and how many are too many', () => {
  expect(fullText(1, 10)).toBe('You have 10 groups; your tier allows 1. The ones you have stay. Delete 10 to make another.')
  expect(fullText(2, 3)).toBe('You have 3 groups; your tier allows 2. The ones you have stay. Delete 2 to make another.')
  expect(fullText(0, 1)).toBe('You have 1 group; your limit is 0. The one you have stays.')
})
