/** The statistics of the whole list over HTTP. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import { GROWTH_WEEKS, MAX_SUMMARY_SERVERS, statistics, summary } from '#contract/history/statistics.ts'
import { announce, buildServer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { seedHistory } from '#tests/seed-history.ts'
import { WEEK_MS, startOf } from './time.ts'

let app: TestApp
let admin: SignedInUser

beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
})

async function read() {
  const { status, data, text } = await admin.call(statistics)
  expect(status, text).toBe(200)
  return data
}

test('only administrators may read them, and parameters are rejected', async () => {
  const user = await app.newUser()
  expect((await user.call(statistics)).status).toBe(403)
  const response = await admin.fetch('/api/admin/statistics?range=1y')
  expect(response.status).toBe(400)
})

describe('with servers online', () => {
  test('they count players and servers of the list by language and version, and rank the servers', async () => {
    const owner = await app.newUser()
    const build = async (language: string, version: string, playersCount: number) => {
      const server = await buildServer(owner, { language })
      await announce(app, server.credential, { version, playersCount })
      return server
    }
    const crowded = await build('de', '2.0', 90)
    const quiet = await build('de', '1.0', 3)
    const hidden = await build('fr', '1.0', 50)
    await owner.call(servers.change, { params: { id: hidden.public_id }, body: { visible: false } })
    const { online, languages, versions, top_now } = await read()
    expect(online).toEqual({ servers: 2, players: 93 })
    expect(languages).toEqual([{ language: 'de', servers: 2, players: 93 }])
    expect(versions).toEqual([
      { version: '2.0', servers: 1, players: 90 },
      { version: '1.0', servers: 1, players: 3 },
    ])
    expect(top_now).toEqual([
      { public_id: crowded.public_id, name: crowded.name, icon_url: null, players: 90, max_players: 128 },
      { public_id: quiet.public_id, name: quiet.name, icon_url: null, players: 3, max_players: 128 },
    ])
  })

  test('servers with equal player counts keep a fixed order, and without servers the lists are empty', async () => {
    const owner = await app.newUser()
    const { credential } = await buildServer(owner, { language: 'pl' })
    await announce(app, credential, { playersCount: 0 })
    expect((await read()).languages.at(-1)).toEqual({ language: 'pl', servers: 1, players: 0 })
    await fetch(`${app.listUrl}/announce`, { method: 'DELETE', headers: { authorization: `Bearer ${credential}` } })
    expect((await read()).languages.map(({ language }) => language)).not.toContain('pl')
  })
})

test('growth counts the servers and users that still exist, by week from Monday', async () => {
  const before = (await read()).growth
  const owner = await app.newUser()
  const [old, deleted] = [await buildServer(owner), await buildServer(owner)]
  await buildServer(owner)
  const threeWeeksAgo = new Date(startOf(app.clock.now(), WEEK_MS) - 3 * WEEK_MS)
  const backdate = (publicId: string, at: Date) =>
    app.db.updateTable('all_servers').set({ created_at: at }).where('public_id', '=', publicId).execute()
  await backdate(old.public_id, threeWeeksAgo)
  await backdate(deleted.public_id, threeWeeksAgo)
  await owner.call(servers.remove, { params: { id: deleted.public_id } })
  const { growth } = await read()
  expect(growth.weeks).toHaveLength(GROWTH_WEEKS)
  expect(growth.weeks.at(-4)).toEqual({ from: threeWeeksAgo.toISOString(), servers: 1, users: 0 })
  expect(growth.weeks.at(-1)?.servers).toBe((before.weeks.at(-1)?.servers ?? 0) + 1)
  expect([growth.servers, growth.users]).toEqual([before.servers + 2, before.users + 1])
})

test('the peaks of the last 30 days rank servers that still exist, online or not', async () => {
  expect((await read()).top_month).toEqual([])
  const owner = await app.newUser()
  const [high, low, deleted] = [await buildServer(owner), await buildServer(owner), await buildServer(owner)]
  await seedHistory(app, low.public_id, { days: 4, players: () => 20 })
  await seedHistory(app, high.public_id, { days: 4, players: (at) => (at % 3_600_000 === 0 ? 300 : 0) })
  await seedHistory(app, deleted.public_id, { days: 4, players: () => 4000 })
  await owner.call(servers.remove, { params: { id: deleted.public_id } })
  // The ranking is an hour old at most.
  app.clock.advance(3_600_000)
  expect((await read()).top_month).toEqual([
    { public_id: high.public_id, name: high.name, icon_url: null, peak: 300, average: 5 },
    { public_id: low.public_id, name: low.name, icon_url: null, peak: 20, average: 20 },
  ])
})

test('visitors see a summary of the list, without hidden servers and unconfirmed players, at most ten seconds old', async () => {
  const owner = await app.newUser()
  const first = await buildServer(owner)
  await announce(app, first.credential, { playersCount: 1000, maxPlayersCount: 1000 })
  const hidden = await buildServer(owner, { visible: false })
  await announce(app, hidden.credential, { playersCount: 2000, maxPlayersCount: 2000 })
  const { credential: unconfirmed } = await buildServer(owner)
  await announce(app, unconfirmed, { playersCount: 3000, maxPlayersCount: 10 })
  app.clock.advance(10_000)
  const { status, data } = await app.anonymous.call(summary)
  expect(status).toBe(200)
  expect(data.top[0]).toEqual({ public_id: first.public_id, name: first.name, icon_url: null, players: 1000, max_players: 1000 })
  expect(data.top.length).toBeLessThanOrEqual(MAX_SUMMARY_SERVERS)
  expect(data.players).toBeGreaterThanOrEqual(1000)
  expect(data.players_day).toHaveLength(144)
  await announce(app, first.credential, { playersCount: 900, maxPlayersCount: 1000 })
  expect((await app.anonymous.call(summary)).data.top[0]?.players).toBe(1000)
  app.clock.advance(10_000)
  expect((await app.anonymous.call(summary)).data.top[0]?.players).toBe(900)
})
