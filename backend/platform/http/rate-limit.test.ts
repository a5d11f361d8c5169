import { expect, test, vi } from 'vitest'
import { type Bus, type Handler, type Topics, localBus } from '#backend/platform/cluster/bus.ts'
import { AnnounceAllowance } from '#backend/masterlist/announces/announce-allowance.ts'
import { Registry } from '#backend/masterlist/registry/registry.ts'
import { credentialOf, fieldsOf } from '#backend/masterlist/registry/test-registry.ts'
import { TokenBuckets } from './rate-limit.ts'

/** A bus on which one other node is. */
function betweenTwo(): { bus: Bus; said: Topics['rateLimit'][]; take: (taken: Topics['rateLimit']) => void } {
  const said: Topics['rateLimit'][] = []
  const handlers: Handler<'rateLimit'>[] = []
  const bus = {
    ...localBus('one'),
    livePeers: 1,
    publish: (_: string, taken: unknown) => void said.push(taken as Topics['rateLimit']),
    on: (_: string, handler: unknown) => void handlers.push(handler as Handler<'rateLimit'>),
  } as Bus
  return { bus, said, take: (taken) => handlers.forEach((handler) => void handler(taken, 'other')) }
}

/** One server that announces to this node and to another one. */
function announcing() {
  const { bus, said, take } = betweenTwo()
  const clock = { at: 0, now: () => 0, uptime: () => clock.at }
  const registry = new Registry(75_000, { uptime: 0, now: 0 })
  const allowance = new AnnounceAllowance({ env: { RATE_LIMITS: true }, clock, bus, registry })
  const credential = credentialOf('server')
  registry.apply(fieldsOf('server'), [credential], { uptime: 0, now: 0 })
  return { said, take, clock, allowance, credential }
}

test('what others take is a debt of some tokens, however much it was: nobody waits for days where little comes back', () => {
  const { bus, take } = betweenTwo()
  const clock = { now: () => 0, uptime: () => 0 }
  const offers = new TokenBuckets({ burst: 20, perSecond: 20 / 86_400, clock, shared: { bus, name: 'offers' } })
  take({ limit: 'offers', keys: { somebody: 1000 } })
  expect(offers.take('somebody')).toBe((6 * 86_400) / 20)
})

test('of announces, too: a game server is not shut out by what other nodes said of it', () => {
  const { take, clock, allowance, credential } = announcing()
  take({ limit: 'announces', keys: { [`server ${credential.id}`]: 1000 } })
  const wait = allowance.take(credential, '1.2.3.4')
  // A debt of a quarter of the burst, and the one that is taken: 2 s each.
  expect(wait).toBeGreaterThan(2)
  expect(wait).toBeLessThanOrEqual(2 * (10 + 1))
  clock.at += wait * 1000
  expect(allowance.take(credential, '1.2.3.4')).toBe(0)
  expect(allowance.take(credential, '1.2.3.4')).toBeGreaterThan(0)
})

test('of announces is said what was taken, once, also where a bucket is nearly full for long', () => {
  vi.useFakeTimers()
  const { said, clock, allowance, credential } = announcing()
  for (let count = 0; count < 6; count += 1) {
    expect(allowance.take(credential, '1.2.3.4')).toBe(0)
    clock.at += 1400
  }
  vi.advanceTimersByTime(1000)
  vi.useRealTimers()
  const total = said.flatMap(({ keys }) => Object.values(keys)).reduce((sum, count) => sum + count, 0)
  expect(total).toBe(6)
})

test('what somebody has used up stays used up, however many others come, as long as he comes, too', () => {
  const buckets = new TokenBuckets({ burst: 1, perSecond: 1 / 86_400, clock: { now: () => 0, uptime: () => 0 } })
  expect(buckets.take('somebody')).toBe(0)
  for (let key = 0; key < 300_000; key += 1) {
    if (key % 30_000 === 0) expect(buckets.take('somebody')).toBe(86_400)
    buckets.take(String(key))
  }
  expect(buckets.take('somebody')).toBe(86_400)
})
