import { expect, test } from 'vitest'
import { isValidUsername, normalizeUsername } from './users.api.ts'

test.each([
  ['alice', 'alice'],
  ['  @alice ', 'alice'],
  ['@ alice', 'alice'],
  ['al@ice', 'al@ice'],
  [' @ ', ''],
])('%j becomes the username %j', (text, name) => {
  expect(normalizeUsername(text)).toBe(name)
})

test.each([
  ['night_city.2', true],
  ['Rune', true],
  ['nobody here!!', false],
  ['old#1234', false],
])('%s is a valid username: %s', (name, isValid) => {
  expect(isValidUsername(name)).toBe(isValid)
})
