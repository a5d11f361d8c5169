/** Headers of every response of both listeners, whether a rule, the framework or Node's parser wrote it. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import * as live from '#contract/masterlist/live.ts'
import { validAnnounce, buildServer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { fleetOwner } from '#tests/list/send.ts'

const ID = /^[0-9a-z]{8}-[0-9a-z]+$/

let app: TestApp
let owner: SignedInUser
let credential: string
let id: string

beforeAll(async () => {
  app = await startApp({ METRICS_TOKEN: '0123456789abcdef' })
  owner = await fleetOwner(app)
  const server = await buildServer(owner)
  credential = server.credential
  id = server.public_id
})

interface Received {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Closes a stream at once. */
async function call(url: string, init: RequestInit = {}): Promise<Received> {
  const response = await fetch(url, { redirect: 'manual', ...init })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (isStream) await response.body?.cancel()
  return { status: response.status, headers: response.headers, text: isStream ? '' : await response.text() }
}

/** Sends raw bytes and returns the first response. */
async function raw(url: string, bytes: string): Promise<Received> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' })
  onTestFinished(() => void socket.destroy())
  let received = ''
  socket.on('data', (piece) => (received += piece.toString()))
  socket.write(bytes)
  await once(socket, 'close')
  const [head = '', ...text] = received.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = new Headers(lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]))
  return { status: Number(first.split(' ')[1]), headers, text: text.join('\r\n\r\n') }
}

const authorization = () => ({ authorization: `Bearer ${credential}` })
const announce = (body: unknown, headers = {}) => post(JSON.stringify(body), headers)
const post = (body: string, headers = {}) => ({ method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })

type Case = readonly [what: string, status: number, send: () => Promise<Received>]

const onList = (path: string, init?: () => RequestInit) => () => call(`${app.listUrl}${path}`, init?.())
const onPanel = (path: string, init?: () => RequestInit) => () => call(`${app.panelUrl}${path}`, init?.())

const etagOf = async (url: string) => (await fetch(url)).headers.get('etag') ?? ''

/** Requests it with its own ETag. Repeats that if a change by an earlier case was published in between. */
async function requestUnchanged(url: string): Promise<Received> {
  const received = await call(url, { headers: { 'if-none-match': await etagOf(url) } })
  return received.status === 200 ? call(url, { headers: { 'if-none-match': await etagOf(url) } }) : received
}

const LIST_CASES: readonly Case[] = [
  ['an announce', 200, onList('/announce', () => announce(validAnnounce, authorization()))],
  ['an announce with a trailing slash', 200, onList('/announce/', () => announce(validAnnounce, authorization()))],
  ['an announce without a credential', 401, onList('/announce', () => announce(validAnnounce))],
  ['an invalid announce', 400, onList('/announce', () => announce({ port: 'x' }, authorization()))],
  ['the list', 200, onList('/servers')],
  ['the uncompressed list', 200, onList('/servers', () => ({ headers: { 'accept-encoding': 'identity' } }))],
  ['a HEAD of the list', 200, onList('/servers', () => ({ method: 'HEAD' }))],
  ['the unchanged list', 304, () => requestUnchanged(`${app.listUrl}/servers`)],
  ['a page of the list', 200, onList('/servers?limit=1')],
  ['an invalid page', 400, onList('/servers?limit=0')],
  ['an expired version', 410, onList('/servers?since=a.1.b')],
  ['the stream', 200, onList('/servers/stream')],
  ['a HEAD of the stream', 200, onList('/servers/stream', () => ({ method: 'HEAD' }))],
  ['a stream from an invalid version', 400, onList('/servers/stream?since=!')],
  ['the totals', 200, onList('/servers/info')],
  ['the unchanged totals', 304, () => requestUnchanged(`${app.listUrl}/servers/info`)],
  ['one server', 200, async () => call(`${app.listUrl}/servers/${id}`)],
  ['an unknown server', 404, onList('/servers/nothing')],
  ['a badge of no server', 404, onList('/servers/nothing/badge.svg')],
  ['a missing skin', 404, async () => call(`${app.listUrl}/servers/${id}/skin`)],
  ['a history', 200, async () => call(`${app.listUrl}/servers/${id}/avg/1d`)],
  ['an invalid history range', 400, async () => call(`${app.listUrl}/servers/${id}/avg/2d`)],
  ['an unknown image', 404, onList('/images/nothing')],
  ['cloud auth', 200, onList('/cloud-auth')],
  ['an invalid ticket request', 400, onList('/cloud-auth/ticket', () => post('{}'))],
  ['an unknown path', 404, onList('/nothing')],
  ['a path that cannot be decoded', 404, onList('/%E0%A4%A')],
  ['a wrong method', 405, onList('/servers', () => ({ method: 'PATCH' }))],
  ['a CORS preflight', 204, onList('/servers', () => ({ method: 'OPTIONS' }))],
  ['health', 200, onList('/healthz')],
  ['readiness', 200, onList('/readyz')],
  ['metrics', 200, onList('/metrics', () => ({ headers: { authorization: 'Bearer 0123456789abcdef' } }))],
  ['metrics without a token', 404, onList('/metrics')],
  ['going offline', 204, onList('/announce', () => ({ method: 'DELETE', headers: authorization() }))],
]

const PANEL_CASES: readonly Case[] = [
  ['a call', 200, onPanel('/api/about')],
  ['a rejected call', 403, onPanel('/api/auth/me')],
  ['the event stream', 200, async () => cancelBody(await owner.fetch(live.events.route.split(' ')[1] ?? ''))],
  ['the OpenAPI document', 200, onPanel('/api/openapi.json')],
  ['the unchanged OpenAPI document', 304, () => requestUnchanged(`${app.panelUrl}/api/openapi.json`)],
  ['an unknown path', 404, onPanel('/api/nothing')],
  ['a path that cannot be decoded', 400, onPanel('/%E0%A4%A')],
  ['a body that is not JSON', 400, onPanel('/api/auth/discord', () => post('{'))],
  ['health', 200, onPanel('/healthz')],
  ['readiness', 200, onPanel('/readyz')],
  ['metrics', 200, onPanel('/metrics', () => ({ headers: { authorization: 'Bearer 0123456789abcdef' } }))],
]

async function cancelBody({ status, headers, body }: Response): Promise<Received> {
  await body?.cancel()
  return { status, headers, text: '' }
}

const MALFORMED: readonly (readonly [string, number, string])[] = [
  ['bytes that are not HTTP', 400, 'hello\r\n\r\n'],
  ['endless headers', 431, `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`],
  ['an Expect header', 417, 'GET /servers HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\n\r\n'],
  ['two hosts', 400, 'GET /servers HTTP/1.1\r\nHost: localhost\r\nhOST: localhost\r\nConnection: close\r\n\r\n'],
]

const listeners = [
  ['the list', () => app.listUrl],
  ['the panel', () => app.panelUrl],
] as const

const ALL: readonly Case[] = [
  ...LIST_CASES.map(([what, status, send]): Case => [`${what} from the list`, status, send]),
  ...PANEL_CASES.map(([what, status, send]): Case => [`${what} from the panel`, status, send]),
  ...listeners.flatMap(([name, url]) =>
    MALFORMED.map(([what, status, bytes]): Case => [`${what} to ${name}`, status, () => raw(url(), bytes)]),
  ),
]

test.each(ALL)('%s returns %i, a unique request ID and nosniff', async (_what, status, send) => {
  const [one, other] = [await send(), await send()]
  expect([one.status, other.status]).toEqual([status, status])
  expect(one.headers.get('x-content-type-options')).toBe('nosniff')
  expect(one.headers.get('x-request-id')).toMatch(ID)
  expect(other.headers.get('x-request-id')).toMatch(ID)
  expect(other.headers.get('x-request-id')).not.toBe(one.headers.get('x-request-id'))
})

const ABSOLUTE_FORM = `GET http://localhost/api/about HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`

test.each<Case>([
  ['a call', 200, onPanel('/api/about')],
  ['a call with a percent-encoded path', 200, onPanel('/%61pi/about')],
  ['a call in absolute form', 200, () => raw(app.panelUrl, ABSOLUTE_FORM)],
  ['a rejected call with a percent-encoded path', 403, onPanel('/a%70i/auth/me')],
  ['an unknown path', 404, onPanel('/api/nothing')],
  ['an unknown percent-encoded path', 404, onPanel('/%61pi/nothing')],
  ['an unknown percent-encoded path for another method', 404, onPanel('/%61pi/nothing', () => ({ method: 'PUT' }))],
  ['an unknown path in absolute form', 404, () => raw(app.panelUrl, ABSOLUTE_FORM.replace('about', 'nothing'))],
  ['a path that cannot be decoded', 400, onPanel('/api/%E0%A4%A')],
])('%s to the panel returns %i, and may not be stored or run as a page', async (_what, status, send) => {
  const received = await send()
  expect([received.status, received.headers.get('content-type')]).toEqual([status, expect.stringMatching(/^application\/json/)])
  expect(received.headers.get('cache-control')).toBe('no-store')
  expect(received.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
})

test.each(LIST_CASES.filter(([what]) => !/announce|offline/.test(what)))(
  'a page of another origin can read the request ID of %s',
  async (_what, _status, send) => {
    expect((await send()).headers.get('access-control-expose-headers')).toMatch(/\bX-Request-Id\b/)
  },
)

test.each(listeners)('%s ignores a request ID sent by the client', async (_name, url) => {
  const headers = { 'x-request-id': 'forged-1', 'request-id': 'forged-1' }
  for (const path of ['/healthz', '/servers', '/servers/info', '/api/about', '/nothing'])
    expect((await call(`${url()}${path}`, { headers })).headers.get('x-request-id')).toMatch(ID)
})

test('another process uses a different ID prefix', async () => {
  const module = join(import.meta.dirname, '../../backend/platform/http/request-id.ts')
  const print = `import { nextRequestId } from ${JSON.stringify(module)}; process.stdout.write(nextRequestId())`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', print])
  expect(stdout).toMatch(ID)
  const ours = [await call(`${app.listUrl}/healthz`), await call(`${app.panelUrl}/healthz`)].map(({ headers }) =>
    headers.get('x-request-id'),
  )
  const [theirs, ...prefixes] = [stdout, ...ours].map((each) => each?.split('-')[0])
  expect(prefixes).not.toContain(theirs)
})

test('a 500 response contains the request ID of its header and the log', async () => {
  const own = await startApp()
  const user = await own.newUser()
  await sql`alter table sessions rename to sessions_away`.execute(own.db)
  const failed = await user.fetch('/api/auth/me')
  const number = failed.headers.get('x-request-id') ?? ''
  expect([failed.status, number]).toEqual([500, expect.stringMatching(ID)])
  expect(await failed.text()).toContain(number)
  expect(own.takeLogs().join('')).toContain(number)
  await sql`alter table sessions_away rename to sessions`.execute(own.db)
})

describe('two Host headers', () => {
  test.each([
    ['a read of the list', () => app.listUrl, 'GET /servers'],
    ['an announce', () => app.listUrl, 'POST /announce'],
    ['any other call to the list', () => app.listUrl, 'GET /servers/info'],
    ['a call to the panel', () => app.panelUrl, 'GET /api/about'],
    ['a health check', () => app.panelUrl, 'GET /healthz'],
  ])('in %s are rejected with a message', async (_what, url, call) => {
    const { status, text } = await raw(
      url(),
      `${call} HTTP/1.1\r\nHost: localhost\r\nX-A: b\r\nHost: other.example\r\nConnection: close\r\n\r\n`,
    )
    expect([status, text]).toEqual([400, expect.stringMatching(/two Host headers/)])
  })

  test('are not assumed if other names only resemble Host', async () => {
    for (const url of [app.listUrl, app.panelUrl]) {
      const response = await raw(url, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nHosts: a\r\nX-Host: b\r\nConnection: close\r\n\r\n')
      expect(response.status).toBe(200)
    }
  })
})
