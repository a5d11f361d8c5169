/** A refusal's sentence is shown beside the field it is about: each that the contract or the backend can say finds its field. */
import { describe, expect, test, vi } from 'vitest'
import type { z } from 'zod'
import { BENEFIT_FIELDS, BENEFITS, FIELD_BENEFITS } from '#contract/benefits.ts'
import { ServerChanges } from '#contract/servers.ts'
import { ConnectionError, HttpError } from '#web/lib/http-error.ts'
import { setFormErrors } from './form-errors.ts'
import { type ListingInput, SENT_FIELDS } from './listing-input.ts'

/** What each field can't be: every rule of the contract is broken by one of them. */
const WRONG: Readonly<Record<(typeof SENT_FIELDS)[number], readonly unknown[]>> = {
  name: [5, 'ab', 'x'.repeat(65), 'Zero\u200Bwidth'],
  description: [5, 'x'.repeat(281), 'bell\u0007'],
  language: [5, 'klingon'],
  tags: ['one', [5], [''], ['x'.repeat(25)], ['zero\u200Bwidth'], ['1', '2', '3', '4', '5'], ['Twice', 'twice']],
  game_mode: [5, 'x'.repeat(33), 'bell\u0007'],
  website: [5, 'not an address', `${'x'.repeat(260)}.com`],
  visible: ['yes'],
  vanity_url: [5, 'ab', 'x'.repeat(33), 'Large', 'two--hyphens', 'servers'],
  group_id: [5, 'x'.repeat(65)],
  promoted: ['yes', null],
  icon_image_id: [5, 'x'.repeat(65)],
}

/** As the backend says it: of a union the branch that speaks of the text. */
const sentencesOf = (issue: z.core.$ZodIssue): string[] =>
  issue.code === 'invalid_union' ? (issue.errors.at(-1) ?? []).flatMap(sentencesOf) : [issue.message]

const ofContract = SENT_FIELDS.flatMap((field) => {
  const issues = WRONG[field].flatMap((value) => ServerChanges.safeParse({ [field]: value }).error?.issues ?? [])
  return [...new Set(issues.flatMap(sentencesOf))].map((sentence) => [sentence, field] as const)
})

/** The rules' own words (backend/features/servers/fields.ts, groups.ts and images.ts beside it). */
const OF_RULES: readonly (readonly [string, string])[] = [
  ['Group: there is no such group. Choose another one.', 'group_id'],
  ['Icon must be the ID of an uploaded image, or null.', 'icon_image_id'],
  ['Icon: there is no such uploaded image. Upload it again.', 'icon_image_id'],
  ['Icon: this image was uploaded as "Server card banner". Upload it again as "Server icon".', 'icon_image_id'],
  ...BENEFIT_FIELDS.flatMap((field) =>
    ['you do', 'the owner of this server does'].map(
      (who) => [`This needs the benefit ${BENEFITS[FIELD_BENEFITS[field]].name}, which ${who} not have.`, field] as const,
    ),
  ),
]

const reply = (status: number, ...errors: string[]) => ({ statusCode: status, errors, isBusiness: false })
const refusal = (status: number, body: object) => new HttpError({ status, statusText: '', url: '/', body })

/** Where each sentence is shown, and what it says there. */
function shownOf(error: unknown): Record<string, string | undefined> {
  const setError = vi.fn<(name: string, error: { message?: string }) => void>()
  setFormErrors<ListingInput>(error, SENT_FIELDS, setError)
  return Object.fromEntries(setError.mock.calls.map(([name, { message }]) => [name, message]))
}

describe('a refusal of one field is shown at it', () => {
  // There is nothing to say at a switch that can't be wrong.
  test.each(ofContract.filter(([, field]) => field !== 'visible'))('“%s” at %s', (sentence, field) =>
    expect(shownOf(refusal(400, reply(400, sentence)))).toEqual({ [field]: sentence }),
  )

  test.each(OF_RULES)('“%s” at %s', (sentence, field) => expect(shownOf(refusal(403, reply(403, sentence)))).toEqual({ [field]: sentence }))

  test('every field of the contract has sentences here', () =>
    expect(new Set(ofContract.map(([, field]) => field))).toEqual(new Set(SENT_FIELDS)))
})

test.each([
  ['NAME_ALREADY_EXISTS', 'Another server has this name, or one that looks like it. Choose a different name.', 'name'],
  ['VANITY_URL_ALREADY_EXISTS', 'Another server has this vanity id. Choose a different one.', 'vanity_url'],
  [
    'VANITY_URL_ALREADY_EXISTS',
    'Another server used this vanity id recently, so it is reserved until 3 May. Choose a different one.',
    'vanity_url',
  ],
])('%s: “%s” at %s', (businessStatus, sentence, field) =>
  expect(shownOf(refusal(409, { ...reply(409, sentence), isBusiness: true, businessStatus }))).toEqual({ [field]: sentence }),
)

test('several are shown each at its own, and what is about no field over the form', () =>
  expect(
    shownOf(refusal(400, reply(400, 'Name must be 3 to 64 characters long.', 'Promoted must be true or false.', 'Not now.', 'Nor then.'))),
  ).toEqual({ name: 'Name must be 3 to 64 characters long.', promoted: 'Promoted must be true or false.', root: 'Not now., Nor then.' }))

test('what never reached the backend is about no field', () => {
  const error = new ConnectionError(undefined)
  expect(shownOf(error)).toEqual({ root: error.message })
})
