/** The last day of all of a user's servers in one call: contents, access, and a peak of five minutes. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as history from '#contract/history/history.ts'
import * as managers from '#contract/servers/managers.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { ban, buildServer, grant, offer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { NOT_SAMPLED, OFFLINE, seedHistory } from '#tests/seed-history.ts'
import { announceFrom } from '#tests/list/send.ts'
import { MINUTE_MS, startOf } from './time.ts'

const HALF_HOUR_MS = 30 * MINUTE_MS

let app: TestApp

beforeAll(async () => {
  app = await startApp()
  // Five minutes past a half hour, so the steps of the tests are the ones before it.
  app.clock.advance(HALF_HOUR_MS - (app.clock.now() % HALF_HOUR_MS) + 5 * MINUTE_MS)
})

const dayOf = async (user: SignedInUser) => {
  const { status, data, text } = await user.call(history.ofDay)
  expect(status, text).toBe(200)
  return data
}

/** Start of the step this many steps before the current one. */
const stepAgo = (steps: number) => startOf(app.clock.now(), HALF_HOUR_MS) - steps * HALF_HOUR_MS

async function withHistory(owner: SignedInUser, players: (at: number) => number) {
  const server = await buildServer(owner)
  await seedHistory(app, server.public_id, { days: 3, players })
  return server
}

describe('the last day of all servers', () => {
  test('has 48 half hours per server, the newest incomplete; offline and unsampled steps are gaps', async () => {
    const owner = await app.newUser()
    const [offlineAt, unsampledAt] = [stepAgo(10), stepAgo(20)]
    const first = await withHistory(owner, (at) => {
      if (at >= offlineAt && at < offlineAt + HALF_HOUR_MS) return OFFLINE
      if (at >= unsampledAt && at < unsampledAt + HALF_HOUR_MS) return NOT_SAMPLED
      return at === stepAgo(4) + 7 * MINUTE_MS ? 64 : 10
    })
    const unannounced = await buildServer(owner)
    const day = await dayOf(owner)
    expect(day).toMatchObject({ step_seconds: 1800, from: new Date(stepAgo(47)).toISOString() })
    expect(day.servers.map((server) => server.public_id)).toEqual([first.public_id, unannounced.public_id])
    const expected = Array.from({ length: 48 }, (): number | null => 10)
    Object.assign(expected, { 37: null, 27: null, 43: 64 })
    expect(day.servers[0]?.highest).toEqual(expected)
    expect(day.servers[1]?.highest).toEqual(Array.from({ length: 48 }, () => null))
    expect(day.peak).toEqual({ players: 64, at: new Date(stepAgo(4) + 5 * MINUTE_MS).toISOString() })
  })

  test('has the peak of an average of five minutes: highest numbers of two servers are not added up', async () => {
    const owner = await app.newUser()
    const step = stepAgo(6)
    await withHistory(owner, (at) => (at === step + MINUTE_MS ? 100 : 1))
    await withHistory(owner, (at) => (at === step + 6 * MINUTE_MS ? 90 : at === step + 12 * MINUTE_MS ? 50 : OFFLINE))
    const day = await dayOf(owner)
    expect(day.servers.map((server) => server.highest[41])).toEqual([100, 90])
    expect(day.peak).toEqual({ players: 100, at: new Date(step).toISOString() })
    // Nor those of two minutes in the same five.
    await withHistory(owner, (at) => (at === step + 2 * MINUTE_MS ? 80 : 0))
    expect((await dayOf(owner)).peak).toEqual({ players: 100, at: new Date(step).toISOString() })
    // Of steady servers, it is exact.
    const steady = await app.newUser()
    for (const players of [60, 240]) await withHistory(steady, (at) => (at >= step && at < step + 5 * MINUTE_MS ? players : 1))
    expect((await dayOf(steady)).peak).toEqual({ players: 300, at: new Date(step).toISOString() })
  })

  test('omits earlier minutes', async () => {
    const owner = await app.newUser()
    const server = await withHistory(owner, (at) => (at < stepAgo(47) ? 500 : at < stepAgo(46) ? 3 : OFFLINE))
    const day = await dayOf(owner)
    expect(day.servers[0]?.public_id).toBe(server.public_id)
    expect(day.servers[0]?.highest.filter((players) => players !== null)).toEqual([3])
    expect(day.peak).toEqual({ players: 3, at: day.from })
  })

  test('is empty without servers; the peak of an empty server is 0', async () => {
    const owner = await app.newUser()
    expect(await dayOf(owner)).toMatchObject({ peak: null, servers: [] })
    await withHistory(owner, () => 0)
    expect((await dayOf(owner)).peak).toMatchObject({ players: 0 })
  })

  test('includes the last finished minute, also after a restart', async () => {
    const owner = await app.newUser()
    const servers = [await buildServer(owner), await buildServer(owner)]
    for (const [index, { credential }] of servers.entries())
      expect((await announceFrom(app, credential, { playersCount: 20 + index })).status).toBe(200)
    app.clock.advance(MINUTE_MS)
    await app.runJob('sample-players')
    const sampled = await dayOf(owner)
    expect(sampled.servers.map((server) => server.highest.at(-1))).toEqual([20, 21])
    expect(sampled.peak?.players).toBe(41)
    await app.restart()
    expect(await dayOf(owner)).toEqual(sampled)
  })
})

describe('access', () => {
  test('covers owned and managed servers, and so does the peak', async () => {
    const [owner, manager, stranger] = [await app.newUser(), await app.newUser(), await app.newUser()]
    const managed = await withHistory(owner, () => 30)
    const own = await withHistory(manager, () => 4)
    expect((await dayOf(manager)).servers.map((server) => server.public_id)).toEqual([own.public_id])
    await grant(owner, manager.id, ['EDIT_DETAILS'])
    const day = await dayOf(manager)
    expect(day.servers.map((server) => [server.public_id, server.highest.at(-3)])).toEqual([
      [own.public_id, 4],
      [managed.public_id, 30],
    ])
    expect(day.peak?.players).toBe(34)
    expect(await dayOf(stranger)).toMatchObject({ servers: [], peak: null })
    await owner.call(managers.revoke, { body: { user_id: manager.id } })
    expect((await dayOf(manager)).servers.map((server) => server.public_id)).toEqual([own.public_id])
  })

  test('ends when a server is deleted or transferred; the new owner gets it', async () => {
    const [owner, recipient] = [await app.newUser(), await app.newUser()]
    const [transferred, deleted] = [await withHistory(owner, () => 7), await withHistory(owner, () => 9)]
    expect((await dayOf(owner)).peak?.players).toBe(16)
    const { id } = await offer(owner, transferred.public_id, recipient.id)
    expect((await recipient.call(transfers.accept, { params: { id } })).status).toBeLessThan(300)
    expect((await owner.call(servers.remove, { params: { id: deleted.public_id } })).status).toBeLessThan(300)
    expect(await dayOf(owner)).toMatchObject({ servers: [], peak: null })
    expect((await dayOf(recipient)).servers[0]?.highest.at(-3)).toBe(7)
  })

  test('is rejected for visitors and banned users', async () => {
    expect((await app.anonymous.call(history.ofDay)).status).toBe(403)
    const banned = await app.newUser()
    await ban(app, banned.id)
    expect((await banned.call(history.ofDay)).status).toBe(403)
  })

  test('is limited to the maximum number of servers, in list order', async () => {
    const owner = await app.signIn('admin')
    const stored = await app.db
      .insertInto('servers')
      .values(
        Array.from({ length: history.MAX_DAY_SERVERS + 5 }, (_, index) => ({
          public_id: `D${String(index).padStart(6, '0')}`,
          owner_id: owner.id,
          name: `Day ${index}`,
          name_key: `day ${index}`,
        })),
      )
      .returning('public_id')
      .execute()
    const bucket = { bucket_minutes: 5, at: new Date(stepAgo(4)), players: 10, highest: 2, online: 5, sampled: 5 }
    await app.db
      .insertInto('player_buckets')
      .values(stored.map(({ public_id }) => ({ server_id: public_id, ...bucket })))
      .execute()
    const day = await dayOf(owner)
    expect(day.servers).toHaveLength(history.MAX_DAY_SERVERS)
    expect(day.servers.map((server) => server.public_id)).toEqual(stored.slice(0, history.MAX_DAY_SERVERS).map((row) => row.public_id))
    expect(day.peak?.players).toBe(2 * history.MAX_DAY_SERVERS)
  })
})
