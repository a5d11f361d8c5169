/** Rate limits that nodes share, and their memory. */
import { expect, test, vi } from 'vitest'
import { type Bus, type Handler, type Topics, localBus } from '#backend/platform/cluster/bus.ts'
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

test('tokens taken on other nodes cause a debt of at most a quarter of the burst', () => {
  const { bus, takeRemote } = twoNodes()
  const clock = { now: () => 0, uptime: () => 0 }
  const offers = new TokenBuckets({ clock, bus }, 'offers')
  takeRemote({ limit: 'offers', keys: { active: 1000 } })
  expect(offers.take('active')).toBe((6 * 86_400) / 20)
})

test('each token is published once, even from a nearly full bucket', () => {
  vi.useFakeTimers()
  const { bus, published } = twoNodes()
  const clock = { at: 0, now: () => 0, uptime: () => clock.at }
  const announces = new TokenBuckets({ clock, bus }, 'announces')
  for (let count = 0; count < 6; count += 1) {
    expect(announces.take('credential')).toBe(0)
    clock.at += 1400
  }
  vi.advanceTimersByTime(1000)
  vi.useRealTimers()
  const total = published.flatMap(({ keys }) => Object.values(keys)).reduce((sum, count) => sum + count, 0)
  expect(total).toBe(6)
})

test('an empty bucket of an active key stays empty while 300,000 other keys are used', () => {
  const buckets = new TokenBuckets({ clock: { now: () => 0, uptime: () => 0 }, bus: localBus('one') }, 'creations')
  expect(buckets.take('active', 20)).toBe(0)
  for (let key = 0; key < 300_000; key += 1) {
    if (key % 30_000 === 0) expect(buckets.take('active')).toBe(60)
    buckets.take(String(key))
  }
  expect(buckets.take('active')).toBe(60)
})
