/** Replies are in the language of `Accept-Language`. Codes and statuses are the same in every language. */
import { beforeAll, expect, test } from 'vitest'
import { m } from '#api-messages'
import { PANEL_LANGUAGES } from '#contract/text/panel-languages.ts'
import { buildServer, validAnnounce } from '#tests/factories.ts'
import { raiseIssue } from '#tests/findings.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, send } from '#tests/list/send.ts'

const IN_GERMAN = { locale: 'de' } as const
const GERMAN = { 'accept-language': 'de' }

let app: TestApp
let owner: SignedInUser

beforeAll(async () => {
  app = await startApp()
  owner = await app.newUser()
})

interface Rejected {
  readonly errors: readonly string[]
  readonly statusCode: number
  readonly isBusiness: boolean
  readonly businessStatus?: string
  readonly fields?: Readonly<Record<string, string>>
}

async function rejected(
  path: string,
  language: string | undefined,
  body?: string,
): Promise<Rejected & { readonly language: string | null }> {
  const response = await owner.fetch(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...(language && { 'accept-language': language }) },
    ...(body !== undefined && { body }),
  })
  expect(response.headers.get('vary')).toBe('Accept-Language')
  return { ...((await response.json()) as Rejected), language: response.headers.get('content-language') }
}

test.each([
  ['de', 'de'],
  ['de-AT, en;q=0.5', 'de'],
  ['it, fr;q=0.3, de;q=0.8', 'de'],
  ['de;q=0, *', 'en'],
  [undefined, 'en'],
  ['*', 'en'],
  ['xx', 'en'],
  [';;;q=,,de;q=x', 'en'],
])('Accept-Language %s is answered in %s', async (header, language) => {
  const text = language === 'de' ? m.error_server_not_found({}, IN_GERMAN) : 'There is no such server.'
  expect(await rejected('/api/users/tokens/AAAAAAA', header)).toEqual({ statusCode: 404, errors: [text], isBusiness: false, language })
})

test('each of the languages has its own text', async () => {
  const texts = new Set<string | undefined>()
  for (const locale of PANEL_LANGUAGES) {
    const { errors, language } = await rejected('/api/missing', locale)
    expect({ errors, language }).toEqual({ errors: [m.error_page_not_found({}, { locale })], language: locale })
    texts.add(errors[0])
  }
  expect(texts.size).toBe(PANEL_LANGUAGES.length)
})

test('rejections of every step of a call are in the language of the request', async () => {
  const anonymous = await app.anonymous.fetch('/api/users/tokens', { headers: GERMAN })
  expect(await anonymous.json()).toMatchObject({ statusCode: 403, errors: [m.error_not_signed_in({}, IN_GERMAN)] })
  expect(await rejected('/api/missing', 'de')).toMatchObject({ statusCode: 404, errors: [m.error_page_not_found({}, IN_GERMAN)] })
  expect((await rejected('/api/users/tokens', 'de', '{')).errors).toEqual([m.error_body_not_json({}, IN_GERMAN)])
  expect((await rejected('/api/users/tokens', 'de', '{"name":"ab","visible":1}')).errors).toEqual([
    m.input_wrong_length({ field: m.field_name({}, IN_GERMAN), min: 3, max: 64 }, IN_GERMAN),
    m.input_must_be_boolean({ field: m.field_visible({}, IN_GERMAN) }, IN_GERMAN),
  ])
  const { name } = await buildServer(owner)
  const taken = JSON.stringify({ name })
  const [german, english] = [await rejected('/api/users/tokens', 'de', taken), await rejected('/api/users/tokens', 'en', taken)]
  const text = m.error_server_name_taken({}, IN_GERMAN)
  expect(german).toEqual({ ...english, language: 'de', errors: [text], fields: { name: text } })
  expect(german.businessStatus).toBe('NAME_ALREADY_EXISTS')
})

test('simultaneous requests in different languages do not mix', async () => {
  const languages = Array.from({ length: 30 }, (_, index) => (['de', 'en', 'fr'] as const)[index % 3] ?? 'en')
  const replies = await Promise.all(languages.map((language) => rejected('/api/users/tokens', language, '{"name":"ab"}')))
  expect(replies.map(({ errors }) => errors)).toEqual(
    languages.map((locale) => [m.input_wrong_length({ field: m.field_name({}, { locale }), min: 3, max: 64 }, { locale })]),
  )
})

test('the master list also replies in the language of the request, with the same codes', async () => {
  const none = await announceFrom(app, undefined, {}, { headers: GERMAN })
  expect(none.headers).toMatchObject({ 'content-language': 'de', vary: 'Accept-Language' })
  expect(none.rejection).toEqual({
    statusCode: 401,
    code: 'CREDENTIAL_MISSING',
    errors: [m.list_credential_missing({}, IN_GERMAN)],
    remedy: m.list_credential_missing_remedy({}, IN_GERMAN),
    isBusiness: false,
  })
  const { credential, public_id } = await buildServer(owner)
  const invalid = await announceFrom(app, credential, { port: 0 }, { headers: GERMAN })
  expect(invalid.rejection).toMatchObject({
    code: 'BODY_INVALID',
    errors: [m.input_must_be_in_range({ field: 'port', min: 1, max: 65_535 }, IN_GERMAN)],
    remedy: m.list_body_invalid_remedy({}, IN_GERMAN),
  })
  // The parsed query is cached, but not its sentences.
  for (const locale of ['en', 'de', 'fr'] as const) {
    const { text } = await send(`${app.listUrl}/servers?format=xml`, { headers: { 'accept-language': locale } })
    expect(JSON.parse(text)).toMatchObject({ code: 'QUERY_INVALID', errors: [m.input_format_invalid({}, { locale })] })
  }
  // The owner reads stored attempts, and why the server is not on the list, in their own language.
  const server = await owner.fetch(`/api/users/tokens/${public_id}`, { headers: GERMAN })
  const { data } = (await server.json()) as { data: { listing: { reasons: { code: string; message: string }[] } } }
  const reasons = data.listing.reasons.map(({ message }) => message).join(' ')
  expect(reasons).toContain(m.list_never_announced({}, IN_GERMAN))
  expect(reasons).toContain(m.input_must_be_in_range({ field: 'port', min: 1, max: 65_535 }, IN_GERMAN))
  const accepted = await announceFrom(app, credential, validAnnounce, { headers: GERMAN })
  expect(accepted.headers).not.toHaveProperty('content-language')
})

test('what a check found is stored in English, and shown in the language of its reader', async () => {
  const { public_id } = await buildServer(owner)
  const at = new Date(app.clock.now()).toISOString()
  const { id } = await raiseIssue(app, owner, {
    kind: 'ANNOUNCE_FLOOD',
    publicId: public_id,
    summary: 'The server announces far more often than the list requests.',
    items: [
      { at, observed: '40 announces arrived within 1 minute.', expected: 'Something of an older version.', address: null },
      { at, observed: '90 announces were rejected within 3 minutes.', expected: '', address: null },
    ],
  })
  const read = async (headers: Record<string, string>) => {
    const response = await owner.fetch(`/api/users/${owner.id}/protection-issues/${id}`, { headers })
    return (
      (await response.json()) as { data: { title: string; summary: string; evidence: { items: { observed: string; expected: string }[] } } }
    ).data
  }
  expect(await read({})).toMatchObject({
    title: 'Too many announces',
    summary: 'The server announces far more often than the list requests.',
  })
  expect(await read(GERMAN)).toMatchObject({
    title: m.issue_announce_flood({}, IN_GERMAN),
    summary: m.finding_announce_flood({}, IN_GERMAN),
    evidence: {
      items: [
        { observed: m.finding_announce_flood_arrived({ announces: 40, count: 1 }, IN_GERMAN), expected: 'Something of an older version.' },
        { observed: m.finding_announce_flood_rejected({ announces: 90, count: 3 }, IN_GERMAN) },
      ],
    },
  })
})

test('plurals follow the rules of each language', () => {
  const texts = (locale: 'ru' | 'pl') => [1, 2, 5].map((count) => m.error_too_many_requests({ count }, { locale }))
  for (const locale of ['ru', 'pl'] as const) expect(new Set(texts(locale).map((text) => text.replace(/\d/, '')))).toHaveLength(3)
})
