/** Expiry of silent servers, and its deferral when many fall silent at once. */
import { expect, test } from 'vitest'
import { Expiry } from './expiry.ts'
import { ServerRecord } from './server-record.ts'
import { fieldsOf } from '#tests/list/registry.ts'

const TTL = 75_000

/** Online servers that last announced at these uptimes, each from its own address. */
function fleet(...uptimes: number[]): ServerRecord[] {
  return uptimes.map((lastAnnounceUptime, index) =>
    Object.assign(new ServerRecord(fieldsOf(`s${index}`)), { online: true, lastAnnounceUptime, address: `10.0.0.${index}` }),
  )
}

/** Takes the selected servers offline, as the registry does. */
function expire(expiry: Expiry, all: readonly ServerRecord[], uptime: number): readonly ServerRecord[] {
  const expired = expiry.select(all, uptime)
  for (const server of expired) server.online = false
  return expired
}

test('servers that fall silent one by one expire immediately', () => {
  const all = fleet(0, 250, 500, 750, 1000, ...Array.from({ length: 100 }, () => 70_000))
  const expiry = new Expiry(TTL)
  for (const server of all.slice(0, 5)) expect(expire(expiry, all, server.lastAnnounceUptime + TTL)).toEqual([server])
})

test('a single server that expires does not let others expire that fall silent together shortly after', () => {
  const [first, ...others] = fleet(0, ...Array.from({ length: 30 }, () => 300))
  const all = [first, ...others].filter((server) => server !== undefined)
  const expiry = new Expiry(2000)
  expect(expire(expiry, all.slice(0, 1), 2000)).toEqual([first])
  expect(expire(expiry, all, 2300)).toEqual([])
  expect(expiry.deferred).toBe(30)
})

test('deferred servers that announce again are released, and the others expire after the maximum deferral', () => {
  const all = fleet(...Array.from({ length: 30 }, () => 0))
  const expiry = new Expiry(TTL)
  expect(expire(expiry, all, TTL)).toEqual([])
  expect(expiry.deferred).toBe(30)
  const [first] = all
  if (first !== undefined) first.lastAnnounceUptime = TTL + 100
  expect(expire(expiry, all, TTL + 250)).toEqual([])
  expect(expiry.deferred).toBe(29)
  if (first !== undefined) first.lastAnnounceUptime = 8 * TTL + 100
  expect(expire(expiry, all, TTL + 8 * TTL)).toEqual(all.slice(1))
  expect(expiry.deferred).toBe(0)
})

test('servers that fall silent after all deferred ones have returned expire normally', () => {
  const all = fleet(...Array.from({ length: 30 }, () => 0))
  const expiry = new Expiry(TTL)
  expect(expire(expiry, all, TTL)).toEqual([])
  for (const server of all) server.lastAnnounceUptime = TTL + 100
  expect(expire(expiry, all, TTL + 250)).toEqual([])
  const [first] = all
  for (const server of all.slice(1)) server.lastAnnounceUptime = 2 * TTL
  expect(expire(expiry, all, 2 * TTL + 100)).toEqual([first])
})
