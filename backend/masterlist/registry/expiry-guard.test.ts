/** The expiry guard: defers expiry when many servers fall silent at once. */
import { expect, test } from 'vitest'
import { ExpiryGuard } from './expiry-guard.ts'
import { ServerRecord } from './server-record.ts'
import { fieldsOf } from './test-registry.ts'

const TTL = 75_000

/** Online servers that last announced at these uptimes, each from its own address. */
function fleet(...uptimes: number[]): ServerRecord[] {
  return uptimes.map((lastAnnounceUptime, index) =>
    Object.assign(new ServerRecord(fieldsOf(`s${index}`)), { online: true, lastAnnounceUptime, address: `10.0.0.${index}` }),
  )
}

function guardFor(all: readonly ServerRecord[], ttl = TTL) {
  let scans = 0
  const returned: ServerRecord[] = []
  const guard = new ExpiryGuard(ttl, (server) => returned.push(server))
  const expire = (due: readonly ServerRecord[], uptime: number) =>
    guard.selectExpired(due, { [Symbol.iterator]: () => ((scans += 1), all[Symbol.iterator]()) }, uptime)
  return { guard, expire, returned, scans: () => scans }
}

test('servers that fall silent one by one expire immediately, with at most one full scan per second', () => {
  const all = fleet(0, 250, 500, 750, 1000, ...Array.from({ length: 100 }, () => 70_000))
  const { expire, scans } = guardFor(all)
  for (const server of all.slice(0, 5)) expect(expire([server], server.lastAnnounceUptime + TTL)).toEqual([server])
  expect(scans()).toBe(2)
})

test('a recent scan allows expiry only of servers that were already silent in it', () => {
  const [first, ...others] = fleet(0, ...Array.from({ length: 30 }, () => 300))
  const all = [first, ...others].filter((server) => server !== undefined)
  const { guard, expire, scans } = guardFor(all, 2000)
  expect(expire(all.slice(0, 1), 2000)).toEqual([first])
  expect(expire(others, 2300)).toEqual([])
  expect([guard.deferred, scans()]).toEqual([30, 2])
})

test('deferred servers that announce again are released within a second, and the others expire after the maximum deferral', () => {
  const all = fleet(...Array.from({ length: 30 }, () => 0))
  const { guard, expire, returned } = guardFor(all)
  expect(expire(all, TTL)).toEqual([])
  expect(guard.deferred).toBe(30)
  const [first] = all
  if (first !== undefined) first.lastAnnounceUptime = TTL + 100
  for (const later of [250, 500, 750, 1000]) expect(expire([], TTL + later)).toEqual([])
  expect([guard.deferred, returned]).toEqual([29, [first]])
  expect(expire([], TTL + 8 * TTL)).toEqual(all.slice(1))
  expect(guard.deferred).toBe(0)
})
