/** Announces over both families on a driven clock, against lists that are functions. */
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Family } from './types.ts'

interface Call {
  readonly at: number
  readonly family: Family
  readonly method: string
  readonly body: Record<string, unknown>
  readonly signal: AbortSignal
}

type AnswerOf = (call: Call) => Response | Promise<Response>

const list = vi.hoisted(() => ({ calls: [] as Call[], answerTo: (() => undefined) as unknown as AnswerOf }))

vi.mock('./family-fetch.ts', () => ({
  fetchOver:
    (family: Family) =>
    (_url: string, { method, body, signal }: { method: string; body: string; signal: AbortSignal }) => {
      const call = { at: performance.now(), family, method, body: JSON.parse(body) as Record<string, unknown>, signal }
      list.calls.push(call)
      return Promise.resolve().then(() => list.answerTo(call))
    },
}))

// Other tests in this worker have loaded the modules without the mock, and load them again.
vi.resetModules()
const { accepted, json, rejected, seconds, start, started } = await import('./testing/list-function.ts')

afterAll(() => {
  vi.doUnmock('./family-fetch.ts')
  vi.resetModules()
})

beforeEach(() => {
  vi.useFakeTimers()
  list.calls.length = 0
})
afterEach(async () => {
  for (const server of started.splice(0)) {
    const stopped = server.stop()
    await vi.advanceTimersByTimeAsync(15_000)
    await stopped
  }
  vi.useRealTimers()
})

const LEFT = () => new Response(null, { status: 204 })
const down = () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ENETUNREACH' } }))

const silent: AnswerOf = ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

/** Announces over both families. @param over4 and @param over6 answer the announces, and `goodbye` both */
function startBoth(over4: AnswerOf, over6: AnswerOf, goodbye: AnswerOf = LEFT) {
  list.answerTo = (call) => (call.method === 'DELETE' ? goodbye : call.family === 4 ? over4 : over6)(call)
  const notices: object[] = []
  const { server, eventNames } = start(accepted, { fetch: undefined, families: [4, 6] })
  server.on('notice', (notice) => void notices.push(notice))
  return { server, eventNames, notices }
}

const timesOver = (family: Family) => list.calls.filter((call) => call.family === family).map(({ at }) => at)
const gaps = (times: readonly number[]) => times.slice(1).map((at, index) => at - (times[index] ?? 0))

test('each announce goes out once over each family, with the same state, and the goodbye once', async () => {
  const { server, eventNames, notices } = startBoth(
    () => accepted({ nextAnnounceSeconds: 20 }),
    () => accepted(),
  )
  await seconds(40)
  server.update({ players: 9 })
  await seconds(1)
  expect(list.calls.map(({ family, body }) => [family, body.playersCount])).toEqual(
    [4, 6, 4, 6, 4, 6].map((family, index) => [family, index < 4 ? 0 : 9]),
  )
  // At the later of both intervals.
  expect(gaps(timesOver(6))[0]).toBeGreaterThanOrEqual(28_500)
  await server.stop()
  expect(list.calls.slice(6).map(({ method, family, body }) => [method, family, body])).toEqual([['DELETE', 4, { port: 7788 }]])
  expect([eventNames(), notices]).toEqual([['listed', 'stopped'], []])
})

test('a family that fails is skipped with one notice, and tried again with each announce', async () => {
  let isDown = true
  const { server, eventNames, notices } = startBoth(down, () => accepted())
  await seconds(100)
  expect(timesOver(4)).toEqual(timesOver(6))
  const message = 'The list cannot be reached over IPv4: ENETUNREACH.'
  expect(notices).toEqual([{ code: 'FAMILY_SKIPPED', message, remedy: 'Announces go on without it.' }])
  expect(eventNames()).toEqual(['listed', 'notice'])
  list.answerTo = ({ method, family }) => (method === 'DELETE' ? LEFT() : family === 4 && isDown ? down() : accepted())
  isDown = false
  await seconds(35)
  isDown = true
  await seconds(35)
  expect(notices).toHaveLength(2)
  await server.stop()
  expect(list.calls.filter(({ method }) => method === 'DELETE').map(({ family }) => family)).toEqual([6])
})

test.each<[code: string, retryAfter: string | undefined, wait: number]>([
  ['ADDRESS_MISMATCH', undefined, 30],
  ['TOO_OFTEN', '50', 50],
])('a rejection over one family with %s is a notice, and only that family waits, whatever changes', async (code, retryAfter, wait) => {
  const rejection = () => rejected(409, code, retryAfter === undefined ? {} : { 'retry-after': retryAfter })
  const { server, eventNames, notices } = startBoth(() => accepted({ nextAnnounceSeconds: 10 }), rejection)
  for (let second = 0; second < 100; second += 1) {
    if (second % 5 === 0) server.update({ players: second })
    await seconds(1)
  }
  expect(notices).toEqual([{ code, message: 'Over IPv6, the list rejects the announce: It is wrong.', remedy: 'Mend it.' }])
  expect(eventNames()).toEqual(['listed', 'notice'])
  expect(Math.min(...gaps(timesOver(6)))).toBeGreaterThanOrEqual(wait * 1000)
  expect(Math.max(...gaps(timesOver(6)))).toBeLessThanOrEqual(wait * 1000 + 11_000)
  expect(Math.max(...gaps(timesOver(4)))).toBeLessThanOrEqual(10_500)
})

test('rejections over both families are one event with both sentences, and are retried when the shorter wait ends', async () => {
  const banned = () => json(403, { errors: ['It is banned.'], code: 'SERVER_BANNED', remedy: 'Appeal.' })
  const { eventNames, server } = startBoth(() => rejected(429, 'TOO_OFTEN', { 'retry-after': '100' }), banned)
  const events: object[] = []
  server.on('rejected', (event) => void events.push(event))
  await seconds(70)
  expect(events[0]).toMatchObject({
    code: 'SERVER_BANNED',
    message: 'It is wrong. It is banned.',
    remedy: 'Mend it. Appeal.',
    isRepeat: false,
  })
  expect(eventNames()).toEqual(['rejected', 'rejected', 'rejected'])
  expect([timesOver(4).length, timesOver(6).length]).toEqual([1, 3])
})

test('the server is offline only if both families fail', async () => {
  const { eventNames, notices } = startBoth(down, down)
  await seconds(100)
  expect([eventNames(), notices]).toEqual([['offline'], []])
  expect(Math.min(...gaps(timesOver(4)))).toBeGreaterThanOrEqual(4000)
})

test('a family that does not reply delays the next announce by at most three seconds', async () => {
  const { notices } = startBoth(() => accepted({ nextAnnounceSeconds: 10 }), silent)
  await seconds(60)
  expect(Math.max(...gaps(timesOver(4)))).toBeLessThanOrEqual(13_600)
  expect(notices).toEqual([expect.objectContaining({ message: 'The list cannot be reached over IPv6: no reply in time.' })])
})

test('constant changes over both families stay below what the list takes for a flood', async () => {
  const { server } = startBoth(
    () => accepted(),
    () => accepted(),
  )
  for (let tick = 0; tick < 3000; tick += 1) {
    server.update({ players: tick % 30 })
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(Math.min(...gaps(timesOver(4)))).toBeGreaterThanOrEqual(2000)
  expect(list.calls.filter(({ at }) => at > performance.now() - 60_000).length).toBeLessThan(18)
})

test('a goodbye that fails over one family goes out over the other', async () => {
  const { server } = startBoth(
    () => accepted(),
    () => accepted(),
    ({ family }) => (family === 4 ? down() : LEFT()),
  )
  await seconds(1)
  await server.stop()
  expect(list.calls.slice(2).map(({ method, family }) => `${method} ${family}`)).toEqual(['DELETE 4', 'DELETE 6'])
})

test.each([[[4, 5]], ['4,6'], [6]])('families of %j are ignored, with an event', async (families) => {
  const { server, calls } = start(() => accepted(), { families: families as Family[] })
  const rejections: object[] = []
  server.on('rejected', (event) => void rejections.push(event))
  await seconds(1)
  expect(rejections).toEqual([expect.objectContaining({ code: 'BODY_INVALID', message: 'families must be 4, 6 or 4,6.' })])
  expect([calls.length, list.calls.length]).toEqual([1, 0])
})

test('a `fetch` of the game announces once, whatever families are named', async () => {
  const { calls } = start(() => accepted(), { families: [4, 6] })
  await seconds(1)
  expect([calls.length, list.calls.length]).toEqual([1, 0])
})
