/** The announcer on a driven clock, against a list that is a function. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { announce } from './index.ts'
import { type Call, started, accepted, rejected, start, seconds } from './testing/list-function.ts'

const DAY_MS = 86_400_000

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
