/** What every answer of both listeners contains, whether a rule, the framework, a prepared head or node's parser wrote it. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import * as live from '#contract/live.ts'
import { anAnnounce, buildServer } from './factories.ts'
import { type SignedIn, type TestApp, startApp } from './harness.ts'
import { fleetOwner } from './list/send.ts'

const ID = /^[0-9a-z]{8}-[0-9a-z]+$/

let app: TestApp
let owner: SignedIn
let credential: string
let id: string

beforeAll(async () => {
  app = await startApp({ METRICS_TOKEN: '0123456789abcdef' })
  owner = await fleetOwner(app)
  const server = await buildServer(owner)
  credential = server.credential
  id = server.public_id
})

interface Said {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Over a connection that stays open: what is prepared for such is what answers. A stream is left at once. */
async function call(url: string, init: RequestInit = {}): Promise<Said> {
  const response = await fetch(url, { redirect: 'manual', ...init })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (isStream) await response.body?.cancel()
  return { status: response.status, headers: response.headers, text: isStream ? '' : await response.text() }
}

/** The first answer to bytes that no client library would send. */
async function raw(url: string, bytes: string): Promise<Said> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' })
  onTestFinished(() => void socket.destroy())
  let heard = ''
  socket.on('data', (piece) => (heard += piece.toString()))
  socket.write(bytes)
  await once(socket, 'close')
  const [head = '', ...text] = heard.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = new Headers(lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]))
  return { status: Number(first.split(' ')[1]), headers, text: text.join('\r\n\r\n') }
}

const authorization = () => ({ authorization: `Bearer ${credential}` })
const announce = (body: unknown, headers = {}) => post(JSON.stringify(body), headers)
const post = (body: string, headers = {}) => ({ method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })

type Case = readonly [what: string, status: number, ask: () => Promise<Said>]

const onList = (path: string, init?: () => RequestInit) => () => call(`${app.listUrl}${path}`, init?.())
const onPanel = (path: string, init?: () => RequestInit) => () => call(`${app.panelUrl}${path}`, init?.())

const etagOf = async (url: string) => (await fetch(url)).headers.get('etag') ?? ''

const OF_THE_LIST: readonly Case[] = [
  ['an announce', 200, onList('/announce', () => announce(anAnnounce, authorization()))],
  ['an announce under an odd spelling', 200, onList('/announce/', () => announce(anAnnounce, authorization()))],
  ['an announce without a credential', 401, onList('/announce', () => announce(anAnnounce))],
  ['a wrong announce', 400, onList('/announce', () => announce({ port: 'x' }, authorization()))],
  ['the list', 200, onList('/servers')],
  ['the list, not compressed', 200, onList('/servers', () => ({ headers: { 'accept-encoding': 'identity' } }))],
  ['the list to HEAD', 200, onList('/servers', () => ({ method: 'HEAD' }))],
  [
    'a list that has not changed',
    304,
    async () => call(`${app.listUrl}/servers`, { headers: { 'if-none-match': await etagOf(`${app.listUrl}/servers`) } }),
  ],
  ['a part of the list', 200, onList('/servers?limit=1')],
  ['a part that cannot be', 400, onList('/servers?limit=0')],
  ['a version that is gone', 410, onList('/servers?since=a.1.b')],
  ['the stream', 200, onList('/servers/stream')],
  ['the stream to HEAD', 200, onList('/servers/stream', () => ({ method: 'HEAD' }))],
  ['a stream from nowhere', 400, onList('/servers/stream?since=!')],
  ['the sums', 200, onList('/servers/info')],
  [
    'sums that have not changed',
    304,
    async () => call(`${app.listUrl}/servers/info`, { headers: { 'if-none-match': await etagOf(`${app.listUrl}/servers/info`) } }),
  ],
  ['one server', 200, async () => call(`${app.listUrl}/servers/${id}`)],
  ['no server', 404, onList('/servers/nothing')],
  ['no skin', 404, async () => call(`${app.listUrl}/servers/${id}/skin`)],
  ['a history', 200, async () => call(`${app.listUrl}/servers/${id}/avg/1d`)],
  ['no history', 400, async () => call(`${app.listUrl}/servers/${id}/avg/2d`)],
  ['no image', 404, onList('/images/nothing')],
  ['cloud auth', 200, onList('/cloud-auth')],
  ['a ticket for nothing', 400, onList('/cloud-auth/ticket', () => post('{}'))],
  ['an address that is none', 404, onList('/nothing')],
  ['an address that cannot be decoded', 404, onList('/%E0%A4%A')],
  ['a wrong method', 405, onList('/servers', () => ({ method: 'PATCH' }))],
  ['what a page of another origin asks first', 204, onList('/servers', () => ({ method: 'OPTIONS' }))],
  ['health', 200, onList('/healthz')],
  ['readiness', 200, onList('/readyz')],
  ['metrics', 200, onList('/metrics', () => ({ headers: { authorization: 'Bearer 0123456789abcdef' } }))],
  ['no metrics', 404, onList('/metrics')],
  ['going offline', 204, onList('/announce', () => ({ method: 'DELETE', headers: authorization() }))],
]

const OF_THE_PANEL: readonly Case[] = [
  ['a call', 200, onPanel('/api/about')],
  ['a call that is refused', 403, onPanel('/api/auth/me')],
  ['the events', 200, async () => left(await owner.fetch(live.events.route.split(' ')[1] ?? ''))],
  ['the document', 200, onPanel('/api/openapi.json')],
  [
    'a document that has not changed',
    304,
    async () =>
      call(`${app.panelUrl}/api/openapi.json`, { headers: { 'if-none-match': await etagOf(`${app.panelUrl}/api/openapi.json`) } }),
  ],
  ['an address that is none', 404, onPanel('/api/nothing')],
  ['an address that cannot be decoded', 400, onPanel('/%E0%A4%A')],
  ['a body that is no JSON', 400, onPanel('/api/auth/discord', () => post('{'))],
  ['health', 200, onPanel('/healthz')],
  ['readiness', 200, onPanel('/readyz')],
  ['metrics', 200, onPanel('/metrics', () => ({ headers: { authorization: 'Bearer 0123456789abcdef' } }))],
]

async function left({ status, headers, body }: Response): Promise<Said> {
  await body?.cancel()
  return { status, headers, text: '' }
}

const MALFORMED: readonly (readonly [string, number, string])[] = [
  ['no HTTP', 400, 'hello\r\n\r\n'],
  ['headers without end', 431, `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`],
  ['an expectation', 417, 'GET /servers HTTP/1.1\r\nHost: localhost\r\nExpect: miracles\r\n\r\n'],
  ['two hosts', 400, 'GET /servers HTTP/1.1\r\nHost: localhost\r\nhOST: localhost\r\nConnection: close\r\n\r\n'],
]

const listeners = [
  ['the list', () => app.listUrl],
  ['the panel', () => app.panelUrl],
] as const

const ALL: readonly Case[] = [
  ...OF_THE_LIST.map(([what, status, ask]): Case => [`${what}, from the list,`, status, ask]),
  ...OF_THE_PANEL.map(([what, status, ask]): Case => [`${what}, from the panel,`, status, ask]),
  ...listeners.flatMap(([name, url]) =>
    MALFORMED.map(([what, status, bytes]): Case => [`${what}, to ${name},`, status, () => raw(url(), bytes)]),
  ),
]

test.each(ALL)('%s is answered with %i, has a request id of its own, and is no other type than it says', async (_what, status, ask) => {
  const [one, other] = [await ask(), await ask()]
  expect([one.status, other.status]).toEqual([status, status])
  expect(one.headers.get('x-content-type-options')).toBe('nosniff')
  expect(one.headers.get('x-request-id')).toMatch(ID)
  expect(other.headers.get('x-request-id')).toMatch(ID)
  expect(other.headers.get('x-request-id')).not.toBe(one.headers.get('x-request-id'))
})

test.each(OF_THE_LIST.filter(([what]) => !/announce|offline|odd/.test(what)))(
  'a page of another origin can read the request id of %s',
  async (_what, _status, ask) => {
    expect((await ask()).headers.get('access-control-expose-headers')).toMatch(/\bX-Request-Id\b/)
  },
)

test.each(listeners)('%s does not take over a request id that it is sent', async (_name, url) => {
  const headers = { 'x-request-id': 'forged-1', 'request-id': 'forged-1' }
  for (const path of ['/healthz', '/servers', '/servers/info', '/api/about', '/nothing'])
    expect((await call(`${url()}${path}`, { headers })).headers.get('x-request-id')).toMatch(ID)
})

test('another process gives other ids', async () => {
  const module = join(import.meta.dirname, '../backend/platform/http/request-id.ts')
  const print = `import { nextRequestId } from ${JSON.stringify(module)}; process.stdout.write(nextRequestId())`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', print])
  expect(stdout).toMatch(ID)
  const ours = [await call(`${app.listUrl}/healthz`), await call(`${app.panelUrl}/healthz`)].map(({ headers }) =>
    headers.get('x-request-id'),
  )
  const [theirs, ...prefixes] = [stdout, ...ours].map((each) => each?.split('-')[0])
  expect(prefixes).not.toContain(theirs)
})

test('a failure tells the number that its header and the log have', async () => {
  const own = await startApp()
  const person = await own.someone()
  await sql`alter table sessions rename to sessions_away`.execute(own.db)
  const failed = await person.fetch('/api/auth/me')
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
    ['a probe', () => app.panelUrl, 'GET /healthz'],
  ])('%s with them is refused with a sentence', async (_what, url, call) => {
    const { status, text } = await raw(
      url(),
      `${call} HTTP/1.1\r\nHost: localhost\r\nX-A: b\r\nHost: other.example\r\nConnection: close\r\n\r\n`,
    )
    expect([status, text]).toEqual([400, expect.stringMatching(/two Host headers/)])
  })

  test('one Host, and a header that only resembles it, is answered', async () => {
    for (const url of [app.listUrl, app.panelUrl]) {
      const said = await raw(url, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nHosts: a\r\nX-Host: b\r\nConnection: close\r\n\r\n')
      expect(said.status).toBe(200)
    }
  })
})
