/** Where a form shows the sentences of a rejection, and which of its own rules it applies. */
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { ConnectionError, HttpError } from '#web/lib/http/call.ts'
import { firstMessage, showErrors } from './form-errors.ts'
import { schemaResolver } from './form.tsx'

/** The message of each field of a form with a name and tags. */
function shownErrors(error: unknown): Record<string, string> {
  const setError = vi.fn<(name: string, message: string) => void>()
  showErrors(error, ['name', 'tags'], setError)
  return Object.fromEntries(setError.mock.calls)
}

const rejection = (errors: string[], fields?: Record<string, string>) =>
  new HttpError({ status: 400, statusText: '', url: '/', body: { statusCode: 400, errors, isBusiness: false, fields } })

test('a sentence is beside its field, also if it is about a part of its value', () => {
  expect(shownErrors(rejection(['Too short.', 'Too long.'], { name: 'Too short.', 'tags.1': 'Too long.' }))).toEqual({
    name: 'Too short.',
    tags: 'Too long.',
  })
})

test('sentences about no field of the form are above the buttons', () => {
  expect(shownErrors(rejection(['Too short.', 'Not now.', 'No.'], { name: 'Too short.', other: 'No.' }))).toEqual({
    name: 'Too short.',
    root: 'Not now., No.',
  })
  const lost = new ConnectionError(undefined)
  expect(shownErrors(lost)).toEqual({ root: lost.message })
})

test('the first message of a list is that of an item', () => {
  expect(firstMessage({ type: 'custom', message: 'All.' })).toBe('All.')
  expect(firstMessage([undefined, { type: 'custom', message: 'Second.' }] as never)).toBe('Second.')
  expect(firstMessage(undefined)).toBeUndefined()
})

test('a stored value that an earlier rule allowed can stay, and new ones are checked', async () => {
  const schema = z.object({ name: z.string().max(3), text: z.string().max(3).toUpperCase() })
  const resolve = schemaResolver(schema, { name: 'Twins', text: '' })
  const result = (values: z.input<typeof schema>) => resolve(values, undefined, { fields: {}, shouldUseNativeValidation: false })
  expect(await result({ name: 'Twins', text: 'new' })).toEqual({ values: { name: 'Twins', text: 'NEW' }, errors: {} })
  expect(Object.keys((await result({ name: 'Other', text: 'longer' })).errors)).toEqual(['name', 'text'])
  expect(Object.keys((await result({ name: 'Twins', text: 'longer' })).errors)).toEqual(['text'])
})
