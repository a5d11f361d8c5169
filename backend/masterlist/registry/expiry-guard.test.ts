import { expect, test } from 'vitest'
import { ExpiryGuard } from './expiry-guard.ts'
import { ServerRecord } from './server-record.ts'
import { fieldsOf } from './test-registry.ts'

const TTL = 75_000

/** Online servers that were last heard at these uptimes, at as many addresses. */
function fleet(...lastSeen: number[]): ServerRecord[] {
  return lastSeen.map((seen, index) =>
    Object.assign(new ServerRecord(fieldsOf(`s${index}`)), { online: true, lastSeen: seen, address: `10.0.0.${index}` }),
  )
}

function watched(all: readonly ServerRecord[], ttl = TTL) {
  let looks = 0
  const heard: ServerRecord[] = []
  const guard = new ExpiryGuard(ttl, (server) => heard.push(server))
  const judge = (due: readonly ServerRecord[], uptime: number) =>
    guard.selectExpired(due, { [Symbol.iterator]: () => ((looks += 1), all[Symbol.iterator]()) }, uptime)
  return { guard, judge, heard, looks: () => looks }
}

test('servers whose time is over one after the other go at once, and all the others are looked at once a second for them', () => {
  const all = fleet(0, 250, 500, 750, 1000, ...Array.from({ length: 100 }, () => 70_000))
  const { judge, looks } = watched(all)
  for (const server of all.slice(0, 5)) expect(judge([server], server.lastAnnounceUptime + TTL)).toEqual([server])
  expect(looks()).toBe(2)
})

test('nobody goes by a look in which it was not late yet', () => {
  const [first, ...others] = fleet(0, ...Array.from({ length: 30 }, () => 300))
  const all = [first, ...others].filter((server) => server !== undefined)
  const { guard, judge, looks } = watched(all, 2000)
  expect(judge(all.slice(0, 1), 2000)).toEqual([first])
  expect(judge(others, 2300)).toEqual([])
  expect([guard.deferred, looks()]).toEqual([30, 2])
})

test('of those that are deferred, who is heard again is let go within a second, and the others go when the longest time is over', () => {
  const all = fleet(...Array.from({ length: 30 }, () => 0))
  const { guard, judge, heard } = watched(all)
  expect(judge(all, TTL)).toEqual([])
  expect(guard.deferred).toBe(30)
  const [first] = all
  if (first !== undefined) first.lastAnnounceUptime = TTL + 100
  for (const later of [250, 500, 750, 1000]) expect(judge([], TTL + later)).toEqual([])
  expect([guard.deferred, heard]).toEqual([29, [first]])
  expect(judge([], TTL + 8 * TTL)).toEqual(all.slice(1))
  expect(guard.deferred).toBe(0)
})
