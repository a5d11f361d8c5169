import { expect, test } from 'vitest'
import { inWords } from './in-words.ts'

test.each([
  [24, '24 hours'],
  [1, '1 hour'],
  [1.5, '1.5 hours'],
  [0.5, '30 minutes'],
  [1 / 60, '1 minute'],
  [0.005, '18 seconds'],
])('%d hours are %s', (hours, words) => {
  expect(inWords(hours)).toBe(words)
})
