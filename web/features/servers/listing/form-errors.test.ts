/** Every error message of the contract and the backend appears at its field. */
import { describe, expect, test, vi } from 'vitest'
import type { z } from 'zod'
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import { BENEFIT_FIELDS, SERVER_FIELD_NAMES } from '#contract/servers/server-field-shapes.ts'
import { SERVER_FIELDS } from '#contract/servers/server-fields.ts'
import { ServerChanges } from '#contract/servers/servers.ts'
import { ConnectionError, HttpError } from '#web/lib/http/http-error.ts'
import { setFormErrors } from './form-errors.ts'
import type { ListingInput } from './listing-input.ts'

/** Together they break every rule of the contract. Each is tried on every field. */
const NASTY_VALUES: readonly unknown[] = [
  [5, -1, 2.5, 1e9, true, null, '', 'ab', 'yes', 'mars', 'klingon', 'not an address', 'Large', 'two--hyphens', 'servers'],
  ['bell\u0007', 'Zero\u200Bwidth', 'x'.repeat(25), 'x'.repeat(33), 'x'.repeat(65), 'x'.repeat(281), `${'x'.repeat(260)}.com`],
  [[5], [''], ['x'.repeat(25)], ['zero\u200Bwidth'], ['1', '2', '3', '4', '5'], ['Twice', 'twice']],
].flat()

/** The backend reports the last branch of a union. */
const messagesOf = (issue: z.core.$ZodIssue): string[] =>
  issue.code === 'invalid_union' ? (issue.errors.at(-1) ?? []).flatMap(messagesOf) : [issue.message]

const CONTRACT_MESSAGES = SERVER_FIELD_NAMES.flatMap((field) => {
  const issues = NASTY_VALUES.flatMap((value) => ServerChanges.safeParse({ [field]: value }).error?.issues ?? [])
  return [...new Set(issues.flatMap(messagesOf))].map((message) => [message, field] as const)
})

/** From the rules of backend/core: servers/fields.ts, groups and images. */
const BACKEND_MESSAGES: readonly (readonly [string, string])[] = [
  ['Group: there is no such group. Choose another one.', 'group_id'],
  ['Icon must be the ID of an uploaded image, or null.', 'icon_image_id'],
  ['Icon: there is no such uploaded image. Upload it again.', 'icon_image_id'],
  ['Icon: this image was uploaded as "Server card banner". Upload it again as "Server icon".', 'icon_image_id'],
  ...BENEFIT_FIELDS.flatMap((field) =>
    ['you do', 'the owner of this server does'].map(
      (subject) => [`This needs the benefit ${BENEFITS[SERVER_FIELDS[field].benefit].name()}, which ${subject} not have.`, field] as const,
    ),
  ),
]

const reply = (status: number, ...errors: string[]) => ({ statusCode: status, errors, isBusiness: false })
const rejection = (status: number, body: object) => new HttpError({ status, statusText: '', url: '/', body })

/** The error message of each field. */
function errorsByField(error: unknown): Record<string, string | undefined> {
  const setError = vi.fn<(name: string, error: { message?: string }) => void>()
  setFormErrors<ListingInput>(error, SERVER_FIELD_NAMES, setError)
  return Object.fromEntries(setError.mock.calls.map(([name, { message }]) => [name, message]))
}

describe('an error message appears at its field', () => {
  // A switch is never invalid.
  test.each(CONTRACT_MESSAGES.filter(([, field]) => field !== 'visible'))('“%s” at %s', (message, field) =>
    expect(errorsByField(rejection(400, reply(400, message)))).toEqual({ [field]: message }),
  )

  test.each(BACKEND_MESSAGES)('“%s” at %s', (message, field) =>
    expect(errorsByField(rejection(403, reply(403, message)))).toEqual({ [field]: message }),
  )

  test('every field of the contract is covered', () =>
    expect(new Set(CONTRACT_MESSAGES.map(([, field]) => field))).toEqual(new Set(SERVER_FIELD_NAMES)))
})

test.each([
  ['NAME_ALREADY_EXISTS', 'Another server has this name, or one that looks like it. Choose a different name.', 'name'],
  ['VANITY_URL_ALREADY_EXISTS', 'Another server has this vanity id. Choose a different one.', 'vanity_url'],
  [
    'VANITY_URL_ALREADY_EXISTS',
    'Another server used this vanity id recently, so it is reserved until 3 May. Choose a different one.',
    'vanity_url',
  ],
])('%s: “%s” at %s', (businessStatus, message, field) =>
  expect(errorsByField(rejection(409, { ...reply(409, message), isBusiness: true, businessStatus }))).toEqual({ [field]: message }),
)

test('messages without a field appear above the form', () =>
  expect(
    errorsByField(
      rejection(400, reply(400, 'Name must be 3 to 64 characters long.', 'Promoted must be true or false.', 'Not now.', 'Nor then.')),
    ),
  ).toEqual({ name: 'Name must be 3 to 64 characters long.', promoted: 'Promoted must be true or false.', root: 'Not now., Nor then.' }))

test('a connection error appears above the form', () => {
  const error = new ConnectionError(undefined)
  expect(errorsByField(error)).toEqual({ root: error.message })
})
