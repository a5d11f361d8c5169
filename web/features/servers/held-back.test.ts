import { expect, test } from 'vitest'
import { issueOf, textOf } from './held-back.ts'

const ID = '0190f5a4-3c1e-7b2a-9d8e-5f6a7b8c9d0e'
const held = {
  code: 'HELD_BACK',
  message: `A protection issue keeps the server off the public list. Announces far too often: https://panel.example/protection-issues/${ID}. Its page says more.`,
}

test('the address that game servers print is a link in the panel', () => {
  expect(issueOf(held)).toBe(ID)
  expect(textOf(held)).toBe('A protection issue keeps the server off the public list. Announces far too often. Its page says more.')
})

test('any other reason is said as it is, also with an address in it', () => {
  const banned = { code: 'SERVER_BANNED', message: `The reason: see https://panel.example/protection-issues/${ID} for it.` }
  expect(issueOf(banned)).toBeUndefined()
  expect(textOf(banned)).toBe(banned.message)
})
