import { expect, test } from 'vitest'
import { m } from '#api-messages'
import { runInLanguage } from './language.ts'
import { sentence } from './sentence.ts'

test('a sentence has its parameters and its plural', () => {
  expect(sentence('SERVER_LIMIT_REACHED', { max: 3 })).toBe('You have reached your limit of 3 servers.')
  expect(sentence('TOO_MANY_REQUESTS', { count: 1 })).toBe('Too many requests. Try again in 1 second.')
  expect(sentence('TOO_MANY_REQUESTS', { count: 2 })).toBe('Too many requests. Try again in 2 seconds.')
})

test('a parameter is never read as a template', () => {
  expect(sentence('FIELD_UNKNOWN', { name: '{name} $& {0}' })).toBe('Unknown field “{name} $& {0}”. Leave it out.')
})

test('two calls at once have texts in two languages, after a wait too', async () => {
  const text = async () => {
    await new Promise(setImmediate)
    return m.error_not_signed_in()
  }
  const [german, english] = await Promise.all([runInLanguage('de', text), runInLanguage('en', text)])
  expect(english).toBe('You are not signed in.')
  expect(german).not.toBe(english)
})
