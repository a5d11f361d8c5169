import { expect, test } from 'vitest'
import { normalizeUsername, isValidUsername } from './users.api.ts'

test.each([
  ['alice', 'alice'],
  ['  @alice ', 'alice'],
  ['@ alice', 'alice'],
  ['al@ice', 'al@ice'],
  [' @ ', ''],
])('%j is looked for as %j', (typed, name) => {
  expect(normalizeUsername(typed)).toBe(name)
})

test.each([
  ['night_city.2', true],
  ['Rune', true],
  ['nobody here!!', false],
  ['old#1234', false],
])('%s can be a name: %s', (name, possible) => {
  expect(isValidUsername(name)).toBe(possible)
})
