import { expect, test } from 'vitest'
import { limitText } from './limit-text.ts'

test('at the limit, the text mentions a higher tier if one allows more', () => {
  expect(limitText(0)).toBe('Your limit is 0, so you can’t create groups.')
  expect(limitText(1)).toBe('You have reached your limit of 1 group. A higher tier allows more.')
  expect(limitText(2, 2)).toBe('You have reached your limit of 2 groups. A higher tier allows more.')
  expect(limitText(10)).toBe('You have reached your limit of 10 groups.')
})

test('above the limit, the text says that groups stay and how many to delete', () => {
  expect(limitText(1, 10)).toBe('You have 10 groups, but your tier allows 1. You keep them, but delete 10 before you create another.')
  expect(limitText(2, 3)).toBe('You have 3 groups, but your tier allows 2. You keep them, but delete 2 before you create another.')
  expect(limitText(0, 1)).toBe('You have 1 group, but your limit is 0. You keep what you have.')
})
