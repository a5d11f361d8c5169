/** The announcer on a driven clock, against a list that is a function. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { announce } from './index.ts'
import type { AnnounceEvents, AnnounceOptions } from './types.ts'

interface Call {
  readonly at: number
  readonly url: string
  readonly method: string
  readonly body: Record<string, unknown>
}

type ReplyOf = (call: Call, index: number) => Response | Promise<Response>

const DAY_MS = 86_400_000
const FIELDS = 'The fields are players, maxPlayers, queue, passworded, version, branch, gameMode, voiceChat, earlyAuthUrl, cdnUrl.'
const started: { stop(): Promise<void> }[] = []

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(async () => {
  for (const server of started.splice(0)) {
    const stopped = server.stop()
    await vi.advanceTimersByTimeAsync(15_000)
    await stopped
  }
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers })
const accepted = (more: object = {}) =>
  json(200, { publicId: 'abcdefg', listed: true, nextAnnounceSeconds: 30, features: { cloudAuth: false }, notices: [], ...more })
const rejected = (status: number, code: string, headers: Record<string, string> = {}) =>
  json(status, { statusCode: status, errors: ['It is wrong.'], isBusiness: false, code, remedy: 'Mend it.' }, headers)

function start(replyOf: ReplyOf, options: Partial<AnnounceOptions> = {}) {
  const calls: Call[] = []
  const events: [name: string, event: object][] = []
  const fake = (url: string, { method = '', body }: RequestInit = {}) => {
    const call = { at: performance.now(), url, method, body: JSON.parse((body as string | undefined) ?? '{}') as Record<string, unknown> }
    calls.push(call)
    if (method === 'DELETE') return Promise.resolve(new Response(null, { status: 204 }))
    return Promise.resolve(replyOf(call, calls.length - 1))
  }
  const server = announce({
    url: 'http://list.test/',
    credential: 'mst_x',
    port: 7788,
    maxPlayers: 32,
    signals: false,
    probes: false,
    fetch: fake as unknown as typeof fetch,
    ...options,
  })
  started.push(server)
  const names: (keyof AnnounceEvents)[] = ['accepted', 'listed', 'unlisted', 'notice', 'rejected', 'offline', 'recovered', 'stopped']
  for (const name of names) server.on(name, (event) => void events.push([name, event]))
  const eventNames = () => events.map(([name]) => name).filter((name) => name !== 'accepted')
  return { server, calls, events, eventNames }
}

const gaps = (calls: readonly Call[]) => calls.slice(1).map(({ at }, index) => at - (calls[index]?.at ?? 0))
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000)

test('announces at once, then at the interval of each reply with jitter', async () => {
  const { calls, eventNames } = start((_call, index) => accepted({ nextAnnounceSeconds: index === 2 ? 60 : 30 }))
  await seconds(1)
  expect(calls).toHaveLength(1)
  expect(calls[0]?.body).toEqual({ port: 7788, playersCount: 0, maxPlayersCount: 32, passworded: false, version: '1.0', branch: 'release' })
  await seconds(200)
  const [first = 0, second = 0, third = 0] = gaps(calls)
  for (const gap of [first, second]) expect(Math.abs(gap - 30_000)).toBeLessThanOrEqual(1500)
  expect(Math.abs(third - 60_000)).toBeLessThanOrEqual(3000)
  expect(eventNames()).toEqual(['listed'])
})

test('a change is announced at once, and changes within two seconds together', async () => {
  const { server, calls } = start(() => accepted())
  await seconds(10)
  server.update({ players: 1 })
  await seconds(0)
  expect(calls.at(-1)?.body.playersCount).toBe(1)
  for (const players of [2, 3, 4]) server.update({ players })
  await seconds(1.9)
  expect(calls).toHaveLength(2)
  await seconds(0.2)
  expect(calls).toHaveLength(3)
  expect(calls.at(-1)?.body.playersCount).toBe(4)
  server.update({ players: 4 })
  await seconds(10)
  expect(calls).toHaveLength(3)
})

test('a change during a call is announced after it', async () => {
  const { server, calls } = start((_call, index) => new Promise((resolve) => setTimeout(() => resolve(accepted()), index === 0 ? 5000 : 0)))
  await seconds(1)
  server.update({ players: 7 })
  await seconds(5)
  expect(calls.map(({ body }) => body.playersCount)).toEqual([0, 7])
})

test('constant changes never announce twice within two seconds, and stay below what the list takes for a flood', async () => {
  const { server, calls } = start(() => accepted())
  for (let tick = 0; tick < 6000; tick += 1) {
    server.update({ players: tick % 30 })
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(Math.min(...gaps(calls))).toBeGreaterThanOrEqual(2000)
  const lastMinute = calls.filter(({ at }) => at > performance.now() - 60_000)
  expect(lastMinute.length).toBeLessThan(18)
})

test('Retry-After is obeyed, whatever changes', async () => {
  const { server, calls, events } = start((_call, index) =>
    index === 0 ? rejected(429, 'TOO_OFTEN', { 'retry-after': '20' }) : accepted(),
  )
  await seconds(1)
  server.update({ players: 3 })
  await seconds(18.5)
  expect(calls).toHaveLength(1)
  await seconds(5)
  expect(calls).toHaveLength(2)
  expect(events[0]).toEqual([
    'rejected',
    {
      code: 'TOO_OFTEN',
      message: 'It is wrong.',
      remedy: 'Mend it.',
      status: 429,
      isRepeat: false,
      retrySeconds: expect.any(Number) as number,
    },
  ])
  expect(events.map(([name]) => name)).toEqual(['rejected', 'recovered', 'accepted', 'listed'])
})

test('a rejection is retried every 30 seconds, until the owner has mended its cause', async () => {
  let isBanned = true
  const { calls, eventNames } = start(() => (isBanned ? rejected(403, 'SERVER_BANNED') : accepted()))
  await seconds(100)
  expect(calls.length).toBe(4)
  expect(Math.min(...gaps(calls))).toBeGreaterThanOrEqual(30_000)
  isBanned = false
  await seconds(34)
  expect(eventNames()).toEqual(['rejected', 'rejected', 'rejected', 'rejected', 'recovered', 'listed'])
})

test('a list that is down for a day is tried at least every 30 seconds, with one event', async () => {
  let isDown = true
  const { server, calls, eventNames } = start(() => (isDown ? Promise.reject(new TypeError('fetch failed')) : accepted()))
  for (let hour = 0; hour < 24; hour += 1) {
    server.update({ players: hour })
    await vi.advanceTimersByTimeAsync(DAY_MS / 24)
  }
  expect(Math.max(...gaps(calls))).toBeLessThanOrEqual(30_000)
  expect(Math.min(...gaps(calls))).toBeGreaterThanOrEqual(2000)
  isDown = false
  await seconds(30)
  expect(eventNames()).toEqual(['offline', 'recovered', 'listed'])
  expect(calls.at(-1)?.body.playersCount).toBe(23)
})

/** Always the same numbers, evenly spread. */
function seededRandom(): () => number {
  let state = 1
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

test.each([15, 90])('announcers that lost the list together for %i seconds return within one interval, evenly spread', async (outage) => {
  vi.spyOn(Math, 'random').mockImplementation(seededRandom())
  let isDown = false
  const fleet: ReturnType<typeof start>[] = []
  for (let index = 0; index < 300; index += 1) {
    fleet.push(start(() => (isDown ? Promise.reject(new Error('down')) : accepted()), { quiet: true }))
    await seconds(0.1)
  }
  isDown = true
  await seconds(outage)
  isDown = false
  const upAt = performance.now()
  await seconds(33)
  const returns = fleet.map(({ calls }) => (calls.find(({ at }) => at >= upAt)?.at ?? Infinity) - upAt)
  expect(Math.max(...returns)).toBeLessThanOrEqual(31_500)
  const perSecond = Array.from({ length: 32 }, (_, second) => returns.filter((at) => Math.floor(at / 1000) === second).length)
  expect(Math.max(...perSecond)).toBeLessThanOrEqual((3 * fleet.length) / 30)
})

test.each<[what: string, reply: () => Response | Promise<Response>]>([
  ['a call that throws', () => { throw new Error('now') }], // prettier-ignore
  ['a call that never ends', () => new Promise(() => undefined)],
  ['no body', () => new Response(null, { status: 200 })],
  ['a page', () => new Response('<html>', { status: 200 })],
  ['null', () => json(200, null)],
  ['an array', () => json(200, [])],
  ['a redirect', () => new Response(null, { status: 308, headers: { location: 'http://elsewhere.test' } })],
  ['an error without a reason', () => new Response('oops', { status: 500 })],
  ['an error with a wrong reason', () => json(400, { errors: 'no array' })],
  ['an endless body', () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }))],
  ['a body that breaks', () => new Response(new ReadableStream({ pull: (controller) => controller.error(new Error('cut')) }))],
])('%s is an outage, and announces continue', async (_what, reply) => {
  const { calls, eventNames } = start((_call, index) => (index === 1 ? reply() : accepted()))
  await seconds(80)
  expect(eventNames()).toEqual(['listed', 'offline', 'recovered'])
  expect(calls.length).toBeGreaterThanOrEqual(3)
})

test.each([
  ['missing', undefined],
  ['zero', 0],
  ['negative', -1],
  ['a word', 'soon'],
  ['more than an hour', 3601],
  ['endless', 1e300],
  ['an object', {}],
])('an interval that is %s counts as 30 seconds', async (_what, nextAnnounceSeconds) => {
  const { calls } = start(() => accepted({ nextAnnounceSeconds }))
  await seconds(100)
  expect(calls).toHaveLength(4)
  expect(Math.min(...gaps(calls))).toBeGreaterThanOrEqual(28_000)
})

test('a reply with wrong types is accepted as far as it makes sense', async () => {
  const { events } = start(() =>
    accepted({ publicId: 7, listed: 'yes', features: null, notices: [null, 'x', { code: 'HIDDEN', message: 'Hidden.' }] }),
  )
  await seconds(1)
  expect(events.map(([name]) => name)).toEqual(['accepted', 'unlisted', 'notice', 'notice', 'notice'])
  expect(events.at(-1)?.[1]).toEqual({ code: 'HIDDEN', message: 'Hidden.', remedy: '' })
})

test('a rejection without a code has its status as code', async () => {
  const { events } = start(() => json(422, { errors: ['It is wrong.'] }))
  await seconds(1)
  expect(events).toEqual([
    ['rejected', expect.objectContaining({ code: 'HTTP_422', message: 'It is wrong.', remedy: '', isRepeat: false })],
  ])
})

test('each notice is an event once, and again after it was gone', async () => {
  const notice = { code: 'HIDDEN', message: 'The server is hidden.' }
  const { eventNames } = start((_call, index) => accepted({ listed: index === 2, notices: index === 2 ? [] : [notice] }))
  await seconds(100)
  expect(eventNames()).toEqual(['unlisted', 'notice', 'listed', 'unlisted', 'notice'])
})

test('listeners that throw or reject stop nothing', async () => {
  const { server, calls } = start(() => accepted())
  server.on('accepted', () => {
    throw new Error('mine')
  })
  server.on('accepted', () => Promise.reject(new Error('mine too')))
  await seconds(40)
  expect(calls).toHaveLength(2)
  expect(vi.spyOn(console, 'error')).toHaveBeenCalledTimes(4)
})

test('an event without a listener is on the console, unless it is quiet', async () => {
  const log = vi.spyOn(console, 'info')
  const fake = (() => Promise.resolve(rejected(403, 'SERVER_BANNED'))) as unknown as typeof fetch
  const options = { url: 'http://list.test', credential: 'mst_x', port: 1, maxPlayers: 1, signals: false, fetch: fake }
  started.push(announce(options), announce({ ...options, quiet: true }))
  await seconds(70)
  expect(log.mock.calls).toEqual([
    [expect.stringMatching(/^muster: SERVER_BANNED: It is wrong\. Mend it\. Next attempt in 3\d seconds\.$/)],
  ])
})

test.each<[change: object, message: string]>([
  [{ players: NaN }, 'players must be a whole number from 0 to 4096.'],
  [{ players: 1.5 }, 'players must be a whole number from 0 to 4096.'],
  [{ players: '3' }, 'players must be a whole number from 0 to 4096.'],
  [{ passworded: 'no' }, 'passworded must be true or false.'],
  [{ version: '' }, 'version must be a text of 1 to 32 characters.'],
  [{ cdnUrl: 'ftp://x' }, 'cdnUrl must start with http:// or https://.'],
  [{ players: null }, 'players must be a whole number from 0 to 4096.'],
  [{ player: 3 }, `Unknown field "player". ${FIELDS}`],
  [{ port: 7789 }, `Unknown field "port". ${FIELDS}`],
  [{ constructor: 1 }, `Unknown field "constructor". ${FIELDS}`],
])('update(%j) changes nothing but what is valid, and says why', async (change, message) => {
  const { server, calls, events } = start(() => accepted())
  await seconds(5)
  server.update({ ...change, queue: 2 })
  await seconds(5)
  expect(calls.at(-1)?.body).toMatchObject({ playersCount: 0, queueCount: 2, version: '1.0' })
  expect(events.at(-2)).toEqual(['rejected', expect.objectContaining({ code: 'BODY_INVALID', message, status: 0, isRepeat: false })])
})

test('an update that is no object is rejected with a sentence, once, and throws nothing', async () => {
  const { server, calls, events } = start(() => accepted())
  await seconds(5)
  for (const nothing of [null, undefined, 5, 'x', []]) server.update(nothing as object)
  await seconds(5)
  const rejections = events.filter(([name]) => name === 'rejected')
  const message = 'Pass an object, such as { players: 12 }.'
  expect(rejections.map(([, event]) => event)).toMatchObject([false, true, true, true, true].map((isRepeat) => ({ message, isRepeat })))
  expect(calls).toHaveLength(1)
})

test.each([
  'http://list.test',
  'http://list.test///',
  ' http://list.test/announce\n',
  'http://list.test/announce/',
  'http://list.test//announce',
])('the address %j is that of the list', async (url) => {
  const { server, calls } = start(() => accepted(), { url })
  await seconds(1)
  await server.stop()
  expect(calls.map((call) => `${call.method} ${call.url}`)).toEqual(['POST http://list.test/announce', 'DELETE http://list.test/announce'])
})

describe('without options', () => {
  const variables = { MUSTER_URL: 'http://env.test/announce', MUSTER_CREDENTIAL: ' mst_env\n', PORT: '27015', MAX_PLAYERS: '24' }
  const play = async (env: Record<string, string | undefined>, ...options: [AnnounceOptions?]) => {
    for (const [name, value] of Object.entries({ ...variables, ...env })) vi.stubEnv(name, value)
    onTestFinished(() => void vi.unstubAllEnvs())
    const sent: unknown[] = []
    const reply = (url: string, { headers, body }: { headers: { authorization: string }; body: string }) => {
      sent.push([url, headers.authorization, JSON.parse(body)])
      return Promise.resolve(accepted())
    }
    vi.stubGlobal('fetch', reply)
    onTestFinished(() => void vi.unstubAllGlobals())
    const log = vi.spyOn(console, 'info')
    started.push(announce(...options))
    await seconds(1)
    return { sent, lines: log.mock.calls.flat() }
  }

  test('the four settings come from the environment, and an option goes first', async () => {
    const body = { port: 27_015, playersCount: 0, maxPlayersCount: 24, passworded: false, version: '1.0', branch: 'release' }
    expect((await play({})).sent).toEqual([['http://env.test/announce', 'Bearer mst_env', body]])
    const { sent } = await play({ PORT: 'x', MUSTER_URL: undefined }, { url: 'http://option.test', port: 5 })
    expect(sent).toEqual([['http://option.test/announce', 'Bearer mst_env', { ...body, port: 5 }]])
  })

  test('missing and wrong ones are named on one line, and nothing is sent', async () => {
    const remedy = 'Until then, nothing is announced. Set the variables, or pass the options.'
    const { sent, lines } = await play({ MUSTER_URL: undefined, MUSTER_CREDENTIAL: '', PORT: '70000', MAX_PLAYERS: undefined })
    expect(sent).toEqual([])
    expect(lines).toEqual([
      `muster: SETTINGS_INVALID: MUSTER_URL is not set. It must start with http:// or https://. MUSTER_CREDENTIAL is not set. It must be what the panel showed, from mst_ to the last character. PORT must be a whole number from 1 to 65535. MAX_PLAYERS is not set. It must be a whole number from 1 to 4096. ${remedy}`,
    ])
  })

  test('a wrong option is named by its own name, and so is one that does not exist', async () => {
    const options = { port: 0, maxPlayer: 5 } as AnnounceOptions
    expect((await play({}, options)).lines).toEqual([
      expect.stringMatching(/^muster: SETTINGS_INVALID: port must be a whole number from 1 to 65535\. Unknown field "maxPlayer"\. /),
    ])
  })
})

test.each<[what: string, options: object]>([
  ['no options', { url: undefined, credential: undefined, port: undefined, maxPlayers: undefined }],
  ['a wrong URL', { url: 'list.example.com' }],
  ['no credential', { credential: undefined }],
  ['a credential on two lines', { credential: 'mst_secret\nmst_secret' }],
  ['a wrong port', { port: 0 }],
  ['no slots', { maxPlayers: undefined }],
])('%s: nothing is sent, and an event says why', async (_what, options) => {
  const { server, calls, eventNames } = start(() => accepted(), options)
  await seconds(60)
  server.update({ players: 1 })
  expect(calls).toEqual([])
  expect(eventNames()).toEqual(['rejected'])
  await server.stop()
  for (const wrong of [null, 5, 'x', []]) expect(announce(wrong as unknown as AnnounceOptions)).toBeDefined()
})

test('stop says goodbye once, after the announce in flight, and nothing follows', async () => {
  const { server, calls, events } = start(
    (_call, index) => new Promise((resolve) => setTimeout(() => resolve(accepted()), index === 0 ? 0 : 1000)),
  )
  await seconds(10)
  server.update({ players: 5 })
  await seconds(0.5)
  server.on('stopped', () => server.stop())
  const stopped = [server.stop(), server.stop()]
  server.update({ players: 6 })
  await seconds(0.4)
  expect(calls.at(-1)?.method).toBe('POST')
  await seconds(100)
  await Promise.all(stopped)
  expect(calls.map(({ method }) => method)).toEqual(['POST', 'POST', 'DELETE'])
  expect(calls.at(-1)?.body).toEqual({ port: 7788 })
  expect(events.at(-1)).toEqual(['stopped', { message: 'stop() was called.' }])
})

test('stop takes at most five seconds on a list that does not reply, and sends nothing if nothing was sent', async () => {
  const silent = announce({
    url: 'http://list.test',
    credential: 'mst_x',
    port: 1,
    maxPlayers: 1,
    signals: false,
    fetch: () => new Promise(() => undefined),
  })
  await seconds(3)
  let isStopped = false
  void silent.stop().then(() => (isStopped = true))
  await seconds(5)
  expect(isStopped).toBe(true)
  const { server, calls } = start(() => accepted())
  await server.stop()
  await seconds(60)
  expect(calls).toEqual([])
})
