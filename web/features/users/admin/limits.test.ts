import { expect, test } from 'vitest'
import { changedLimits, limitError, toLimitInputs } from './limits.ts'

const saved = toLimitInputs({ max_masterlist_tokens: 7, max_managers: null, max_masterlist_groups: null })

test('only changed limits are sent, and an empty field means the tier default', () => {
  expect(saved).toEqual({ max_masterlist_tokens: '7', max_managers: '', max_masterlist_groups: '' })
  expect(changedLimits({ ...saved, max_masterlist_tokens: '', max_managers: ' 0 ' }, saved)).toEqual({
    max_masterlist_tokens: null,
    max_managers: 0,
  })
  expect(changedLimits(saved, saved)).toEqual({})
})

test.each(['', '0', ' 7 ', '1000'])('%j is a valid limit', (input) => {
  expect(limitError(input)).toBeUndefined()
})

test.each(['1001', '-1', '1.5', 'many'])('%j is an invalid limit, and nothing is sent', (input) => {
  expect(limitError(input)).toBe('Enter a whole number from 0 to 1000, or leave blank for the tier default.')
  expect(changedLimits({ ...saved, max_managers: input }, saved)).toBeUndefined()
})
