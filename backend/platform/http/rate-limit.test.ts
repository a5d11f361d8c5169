/** Rate limits that nodes share, and their memory. */
import { expect, test, vi } from 'vitest'
import { type Bus, type Handler, type Topics, localBus } from '#backend/platform/cluster/bus.ts'
import { AnnounceAllowance } from '#backend/masterlist/announces/announce-allowance.ts'
import { Registry } from '#backend/masterlist/registry/registry.ts'
import { credentialOf, fieldsOf } from '#backend/masterlist/registry/test-registry.ts'
import { TokenBuckets } from './rate-limit.ts'

/** A bus with one other node. */
function twoNodes(): { bus: Bus; published: Topics['rateLimit'][]; takeRemote: (taken: Topics['rateLimit']) => void } {
  const published: Topics['rateLimit'][] = []
  const handlers: Handler<'rateLimit'>[] = []
  const bus = {
    ...localBus('one'),
    livePeers: 1,
    publish: (_: string, taken: unknown) => void published.push(taken as Topics['rateLimit']),
    on: (_: string, handler: unknown) => void handlers.push(handler as Handler<'rateLimit'>),
  } as Bus
  return { bus, published, takeRemote: (taken) => handlers.forEach((handler) => void handler(taken, 'other')) }
}

/** One server that announces to this node and to another one. */
function announceTest() {
  const { bus, published, takeRemote } = twoNodes()
  const clock = { at: 0, now: () => 0, uptime: () => clock.at }
  const registry = new Registry(75_000, { uptime: 0, now: 0 })
  const allowance = new AnnounceAllowance({ env: { RATE_LIMITS: true }, clock, bus, registry })
  const credential = credentialOf('server')
  registry.apply(fieldsOf('server'), [credential], { uptime: 0, now: 0 })
  return { published, takeRemote, clock, allowance, credential }
}

test('tokens taken on other nodes cause a debt of at most a quarter of the burst', () => {
  const { bus, takeRemote } = twoNodes()
  const clock = { now: () => 0, uptime: () => 0 }
  const offers = new TokenBuckets({ burst: 20, perSecond: 20 / 86_400, clock, shared: { bus, name: 'offers' } })
  takeRemote({ limit: 'offers', keys: { active: 1000 } })
  expect(offers.take('active')).toBe((6 * 86_400) / 20)
})

test('tokens of announces taken on other nodes cause a limited debt, too', () => {
  const { takeRemote, clock, allowance, credential } = announceTest()
  takeRemote({ limit: 'announces', keys: { [`server ${credential.id}`]: 1000 } })
  const wait = allowance.take(credential, '1.2.3.4')
  // A debt of a quarter of the burst, and the token for this announce: 2 s each.
  expect(wait).toBeGreaterThan(2)
  expect(wait).toBeLessThanOrEqual(2 * (10 + 1))
  clock.at += wait * 1000
  expect(allowance.take(credential, '1.2.3.4')).toBe(0)
  expect(allowance.take(credential, '1.2.3.4')).toBeGreaterThan(0)
})

test('each announce token is published once, even from a nearly full bucket', () => {
  vi.useFakeTimers()
  const { published, clock, allowance, credential } = announceTest()
  for (let count = 0; count < 6; count += 1) {
    expect(allowance.take(credential, '1.2.3.4')).toBe(0)
    clock.at += 1400
  }
  vi.advanceTimersByTime(1000)
  vi.useRealTimers()
  const total = published.flatMap(({ keys }) => Object.values(keys)).reduce((sum, count) => sum + count, 0)
  expect(total).toBe(6)
})

test('an empty bucket of an active key stays empty while 300,000 other keys are used', () => {
  const buckets = new TokenBuckets({ burst: 1, perSecond: 1 / 86_400, clock: { now: () => 0, uptime: () => 0 } })
  expect(buckets.take('active')).toBe(0)
  for (let key = 0; key < 300_000; key += 1) {
    if (key % 30_000 === 0) expect(buckets.take('active')).toBe(86_400)
    buckets.take(String(key))
  }
  expect(buckets.take('active')).toBe(86_400)
})
