/** The kit's list rejects and accepts as the real one does: the same requests, sent to both, get the same replies. */
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { GOODBYE, PUBLIC_ID, accepted, rejected } from '#sdk/conform/answers.ts'
import { createCredential } from '#sdk/conform/credential.ts'
import { FakeList } from '#sdk/conform/fake-list.ts'
import { verdictOn } from '#sdk/conform/run-scenario.ts'
import { buildServer, validAnnounce } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { type RawResponse, type SendOptions, fleetOwner, send } from '#tests/list/send.ts'

interface Request extends Pick<SendOptions, 'headers'> {
  readonly method?: string
  readonly path?: string
  /** Replaces the credential; empty for none. */
  readonly credential?: (credential: string) => string
  readonly body?: string
}

let app: TestApp
let owner: SignedInUser

beforeAll(async () => {
  app = await startApp()
  owner = await fleetOwner(app)
})

async function startFake(credential: string, answerTo: (method: string, index: number) => ReturnType<typeof accepted>): Promise<string> {
  const settings = { credential, port: validAnnounce.port, maxPlayers: validAnnounce.maxPlayersCount }
  const fake = new FakeList(answerTo, (request) => verdictOn(request, settings))
  await fake.open()
  onTestFinished(() => fake.close())
  return fake.url
}

function request(url: string, credential: string, { method = 'POST', path = '/announce', body, headers = {}, ...other }: Request) {
  const sent = other.credential?.(credential) ?? `Bearer ${credential}`
  return send(url + path, {
    method,
    headers: {
      ...(sent !== '' && { authorization: sent }),
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  })
}

/** What an announcer can tell apart: the status, the headers, and the shape of the body with its codes. */
function comparableOf({ status, headers, text }: RawResponse): object {
  const { date, 'x-request-id': id, 'content-length': length, ...compared } = headers
  const values = [date, id, length].map((value) => value !== undefined)
  const body = text === '' ? '' : (JSON.parse(text, (name, value: unknown) => (CODES.includes(name) ? value : shapeOf(value))) as object)
  return { status, headers: compared, hasDateIdAndLength: values, body }
}

const CODES = ['code', 'statusCode', 'isBusiness', 'listed']
const shapeOf = (value: unknown) => (Array.isArray(value) ? value.slice(0, 1) : typeof value === 'object' ? value : typeof value)

const JSON_TYPE = { 'content-type': 'application/json' }
const announce = (change: object = {}) => JSON.stringify({ ...validAnnounce, ...change })

const REQUESTS: readonly (readonly [what: string, request: Request, status: number])[] = [
  ['an announce', { body: announce(), headers: JSON_TYPE }, 200],
  ['one without a content type', { body: announce() }, 200],
  ['one with a charset', { body: announce(), headers: { 'content-type': 'application/json; charset=utf-8' } }, 200],
  ['one with another JSON type', { body: announce(), headers: { 'content-type': 'application/vnd.game+json' } }, 200],
  ['one with unknown fields and nulls', { body: announce({ colour: 'red', gameMode: null, cdnUrl: null }) }, 200],
  ['one with a probe', { body: announce({ probe: 'udp' }) }, 200],
  ['one with an empty host', { body: announce({ host: '' }) }, 200],
  ['one with a slash at the end', { path: '/announce/', body: announce() }, 200],
  ['a credential in lower case', { body: announce(), credential: (text) => `bearer ${text}` }, 200],
  ['plain text', { body: announce(), headers: { 'content-type': 'text/plain' } }, 415],
  ['a form', { body: 'port=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415],
  ['a compressed body', { body: announce(), headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } }, 415],
  ['a large body', { body: announce({ padding: 'x'.repeat(9000) }), headers: JSON_TYPE }, 413],
  ['no body', { headers: JSON_TYPE }, 400],
  ['cut JSON', { body: '{', headers: JSON_TYPE }, 400],
  ['an array', { body: '[]', headers: JSON_TYPE }, 400],
  ['a number as text', { body: announce({ port: '7788' }), headers: JSON_TYPE }, 400],
  ['two wrong fields', { body: announce({ playersCount: -1, version: '' }), headers: JSON_TYPE }, 400],
  ['a missing field', { body: announce({ passworded: undefined }), headers: JSON_TYPE }, 400],
  ['a wrong optional field', { body: announce({ queueCount: 1.5 }), headers: JSON_TYPE }, 400],
  ['a host with a path', { body: announce({ host: 'play.example.com/x' }), headers: JSON_TYPE }, 400],
  ['no credential', { body: announce(), credential: () => '' }, 401],
  ['another scheme', { body: announce(), credential: () => 'Basic eDp5' }, 401],
  ['a mistyped credential', { body: announce(), credential: (text) => `Bearer ${text.slice(0, -1)}` }, 401],
  ['an unknown credential', { body: announce(), credential: () => `Bearer ${createCredential('Zzzzzz9')}` }, 401],
  ['an unknown credential with a wrong type', { body: 'x', headers: { 'content-type': 'text/plain' }, credential: () => 'Bearer x' }, 401],
  ['another path', { path: '/announces', body: announce() }, 404],
  ['another method', { method: 'GET' }, 405],
  ['another method with a body', { method: 'PUT', body: announce(), headers: JSON_TYPE }, 405],
  ['a goodbye', { method: 'DELETE' }, 204],
  ['a goodbye with a type and no body', { method: 'DELETE', headers: { 'content-type': 'text/plain' } }, 204],
  ['a goodbye with the port', { method: 'DELETE', body: announce(), headers: JSON_TYPE }, 204],
  ['a goodbye with another port', { method: 'DELETE', body: '{"port":1}', headers: JSON_TYPE }, 204],
  ['a goodbye with an empty object', { method: 'DELETE', body: '{}' }, 204],
  ['a goodbye with a wrong port', { method: 'DELETE', body: '{"port":0}', headers: JSON_TYPE }, 400],
  ['a goodbye with cut JSON', { method: 'DELETE', body: '{', headers: JSON_TYPE }, 400],
  ['a goodbye of plain text', { method: 'DELETE', body: 'bye', headers: { 'content-type': 'text/plain' } }, 415],
  ['a large goodbye', { method: 'DELETE', body: announce({ padding: 'x'.repeat(9000) }), headers: JSON_TYPE }, 413],
  ['a goodbye without credential', { method: 'DELETE', credential: () => '' }, 401],
]

test.each(REQUESTS)('%s gets the same reply from the kit as from a list', async (_what, sent, status) => {
  const { credential } = await buildServer(owner)
  const known = createCredential(PUBLIC_ID)
  const fakeUrl = await startFake(known, (method) => (method === 'DELETE' ? GOODBYE : accepted(30)))
  const real = await request(app.listUrl, credential, sent)
  expect(real.status).toBe(status)
  // The next server at this address would get a notice.
  await request(app.listUrl, credential, { method: 'DELETE' })
  expect(comparableOf(await request(fakeUrl, known, sent))).toEqual(comparableOf(real))
})

test('a throttled announce gets the same reply from the kit as from a list', async () => {
  const limited = await startApp({ RATE_LIMITS: 'on' })
  const { credential } = await buildServer(await fleetOwner(limited))
  const repeat = () => request(limited.listUrl, credential, { body: announce() })
  let real = await repeat()
  for (let count = 0; count < 20 && real.status === 200; count += 1) real = await repeat()
  const retryAfter = Number(real.headers['retry-after'])
  expect([real.status, retryAfter]).toEqual([429, expect.any(Number)])
  const known = createCredential(PUBLIC_ID)
  const fakeUrl = await startFake(known, () => rejected(429, 'TOO_OFTEN', { retryAfter }))
  expect(comparableOf(await request(fakeUrl, known, { body: announce() }))).toEqual(comparableOf(real))
})
