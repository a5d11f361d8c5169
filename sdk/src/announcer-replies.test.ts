/** What the announcer makes of replies, events and options. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { announce } from './index.ts'
import type { AnnounceOptions } from './types.ts'
import { type Call, started, json, accepted, rejected, start, seconds } from './testing/list-function.ts'

const FIELDS = 'The fields are players, maxPlayers, queue, passworded, version, branch, gameMode, voiceChat, earlyAuthUrl, cdnUrl.'

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

const gaps = (calls: readonly Call[]) => calls.slice(1).map(({ at }, index) => at - (calls[index]?.at ?? 0))

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

test('each notice is an event once, its end is one, and it is one again after it was gone', async () => {
  const notice = { code: 'HIDDEN', message: 'The server is hidden.' }
  const { eventNames } = start((_call, index) => accepted({ listed: index === 2, notices: index === 2 ? [] : [notice] }))
  await seconds(100)
  expect(eventNames()).toEqual(['unlisted', 'notice', 'listed', 'cleared', 'unlisted', 'notice'])
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
