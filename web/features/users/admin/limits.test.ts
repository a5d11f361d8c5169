import { expect, test } from 'vitest'
import { limitError, changedLimits, toLimitInputs } from './limits.ts'

const saved = toLimitInputs({ max_masterlist_tokens: 7, max_managers: null, max_masterlist_groups: null })

test('only what differs is sent, and an emptied field is what the tier allows', () => {
  expect(saved).toEqual({ max_masterlist_tokens: '7', max_managers: '', max_masterlist_groups: '' })
  expect(changedLimits({ ...saved, max_masterlist_tokens: '', max_managers: ' 0 ' }, saved)).toEqual({
    max_masterlist_tokens: null,
    max_managers: 0,
  })
  expect(changedLimits(saved, saved)).toEqual({})
})

test.each([
  ['', undefined],
  ['0', undefined],
  ['1000', undefined],
  ['1001', 'The maximum number of servers must be 0 to 1000.'],
  ['-1', 'The maximum number of servers must be a whole number, or empty for what the tier allows.'],
  ['1.5', 'The maximum number of servers must be a whole number, or empty for what the tier allows.'],
  ['many', 'The maximum number of servers must be a whole number, or empty for what the tier allows.'],
])('%j as a limit: %s', (typed, problem) => {
  expect(limitError('Servers', typed)).toBe(problem)
  if (problem !== undefined) expect(changedLimits({ ...saved, max_managers: typed }, saved)).toBeUndefined()
})
