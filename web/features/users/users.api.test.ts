import { expect, test } from 'vitest'
import { exactName } from './users.api.ts'

test.each([
  ['alice', 'alice'],
  ['  @alice ', 'alice'],
  ['@ alice', 'alice'],
  ['al@ice', 'al@ice'],
  [' @ ', ''],
])('%j is looked for as %j', (typed, name) => {
  expect(exactName(typed)).toBe(name)
})
