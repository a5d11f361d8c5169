/** Samplers of several nodes on one database, with driven clocks: who writes, what wins, and outages. */
import { beforeAll, expect, test } from 'vitest'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { listSeries, serverSeries } from './history.ts'
import { PlayerSampler } from './player-sampler.ts'
import { HOUR_MS, MINUTE_MS } from './time.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})

const newServer = async () => (await buildServer(await app.newUser())).public_id

/** A node with one listed server; the test controls its clock, lease and database. */
function nodeOf(publicId: string, clock: { now: number }, lease = { isHeld: true }) {
  const server = { publicId, online: true, isListed: true, fields: { createdAt: 0 }, players: 0 }
  const servers = () => [{ ...server, announced: { playersCount: server.players, maxPlayersCount: 64, queueCount: 0 } }]
  const connection = { isDown: false }
  const deps = {
    clock: { now: () => clock.now, uptime: () => clock.now },
    get db() {
      if (connection.isDown) throw new Error('The database is down.')
      return app.db
    },
  }
  const sampler = new PlayerSampler(deps, servers, () => lease.isHeld)
  const sample = async (at: number, players: number) => {
    clock.now = at
    server.players = players
    await sampler.sample(() => {})
  }
  return { sampler, sample, lease, connection, deps }
}

async function stored(publicId: string) {
  const rows = await app.db
    .selectFrom('player_buckets')
    .select(['players', 'highest', 'online', 'sampled'])
    .where('server_id', '=', publicId)
    .where('bucket_minutes', '=', 5)
    .orderBy('at')
    .execute()
  return rows.map(({ players, highest, online, sampled }) => [players, highest, online, sampled])
}

test('one node writes each bucket, and the next writer adds those that a killed node had not written', async () => {
  const publicId = await newServer()
  const from = Date.UTC(2026, 5, 1, 12)
  const clock = { now: from }
  const [first, second] = [nodeOf(publicId, clock), nodeOf(publicId, clock, { isHeld: false })]
  for (let minute = 0; minute < 12; minute += 1) {
    for (const node of [first, second]) await node.sample(from + minute * MINUTE_MS, minute)
    // The node is killed after this.
    if (minute === 5) for (const node of [first, second]) await node.sampler.flush()
  }
  await second.sampler.flush()
  expect(await stored(publicId)).toEqual([
    [10, 4, 5, 5],
    [5, 5, 1, 1],
  ])
  second.lease.isHeld = true
  await second.sampler.flush()
  expect(await stored(publicId)).toEqual([
    [10, 4, 5, 5],
    [35, 9, 5, 5],
    [21, 11, 2, 2],
  ])
})

test('without a lease holder, any node writes a bucket after two and a half minutes', async () => {
  const publicId = await newServer()
  const from = Date.UTC(2026, 5, 2, 12)
  const clock = { now: from }
  const node = nodeOf(publicId, clock, { isHeld: false })
  for (let minute = 0; minute < 7; minute += 1) await node.sample(from + minute * MINUTE_MS, 3)
  await node.sampler.flush()
  expect(await stored(publicId)).toEqual([])
  await node.sample(from + 7 * MINUTE_MS, 3)
  await node.sampler.flush()
  expect(await stored(publicId)).toEqual([[15, 3, 5, 5]])
})

test('the node that sampled more minutes of a bucket wins, and minutes count once', async () => {
  const publicId = await newServer()
  const from = Date.UTC(2026, 5, 3, 12)
  const [early, whole, late] = [nodeOf(publicId, { now: from }), nodeOf(publicId, { now: from }), nodeOf(publicId, { now: from })]
  for (const minute of [0, 1]) await early.sample(from + minute * MINUTE_MS, 9)
  await early.sampler.flush(true)
  expect(await stored(publicId)).toEqual([[18, 9, 2, 2]])
  for (let minute = 0; minute < 5; minute += 1) await whole.sample(from + minute * MINUTE_MS, 4)
  await whole.sampler.flush()
  expect(await stored(publicId)).toEqual([[20, 4, 5, 5]])
  for (const minute of [3, 4]) await late.sample(from + minute * MINUTE_MS, 50)
  await late.sampler.flush()
  expect(await stored(publicId)).toEqual([[20, 4, 5, 5]])
})

test('samples of six hours wait in memory while the database is unavailable', async () => {
  const publicId = await newServer()
  const from = Date.UTC(2026, 5, 4, 6)
  const node = nodeOf(publicId, { now: from })
  node.connection.isDown = true
  for (let minute = 0; minute < 7 * 60; minute += 1) await node.sample(from + minute * MINUTE_MS, 2)
  await expect(node.sampler.flush()).rejects.toThrow('down')
  node.connection.isDown = false
  await node.sample(from + 7 * HOUR_MS, 2)
  await node.sampler.flush()
  expect(await stored(publicId)).toEqual([...Array.from({ length: 71 }, () => [10, 2, 5, 5]), [2, 2, 1, 1]])
})

test('a clock that jumps back causes no duplicate minutes', async () => {
  const publicId = await newServer()
  const from = Date.UTC(2026, 6, 1, 1, 58)
  const { sampler, sample, deps } = nodeOf(publicId, { now: from })
  for (const [minute, players] of [
    [0, 10],
    [1, 11],
    [2, 12],
    [-28, 20],
    [-27, 21],
    [0, 30],
    [1, 31],
    [2, 32],
    [3, 33],
  ] as const)
    await sample(from + minute * MINUTE_MS, players)
  await sampler.flush()
  expect((await serverSeries(deps, { publicId, createdAt: 0 }, '24h')).steps.slice(-4)).toEqual([
    { players: 41, highest: 21, online: 2, sampled: 2 },
    { players: 0, highest: 0, online: 0, sampled: 0 },
    { players: 21, highest: 11, online: 2, sampled: 2 },
    { players: 45, highest: 33, online: 2, sampled: 2 },
  ])
  expect(await stored(publicId)).toEqual([
    [41, 21, 2, 2],
    [21, 11, 2, 2],
    [45, 33, 2, 2],
  ])
  const list = await listSeries(deps, '24h')
  expect(list.steps.slice(-2).map((step) => [step.players_highest, step.servers_highest])).toEqual([
    [11, 1],
    [33, 1],
  ])
})

test('a server that was deleted before a write stores nothing, and the others are stored', async () => {
  const publicId = await newServer()
  const from = Date.UTC(2026, 7, 1, 3)
  const clock = { now: from }
  const announced = { playersCount: 5, maxPlayersCount: 64, queueCount: 0 }
  const serverOf = (id: string) => ({ publicId: id, online: true, isListed: true, fields: { createdAt: 0 }, announced })
  // More servers than fit into one batch.
  const servers = [...Array.from({ length: 1010 }, (_, index) => serverOf(`gone${index}`)), serverOf(publicId)]
  const sampler = new PlayerSampler({ db: app.db, clock: { now: () => clock.now, uptime: () => 0 } }, () => servers)
  await sampler.sample(() => {})
  for (let index = 0; index < 500; index += 1) sampler.forget(`gone${index}`)
  clock.now += 5 * MINUTE_MS
  await sampler.sample(() => {})
  await sampler.flush()
  const rows = await app.db.selectFrom('player_buckets').select('server_id').where('at', '=', new Date(from)).execute()
  expect(rows).toEqual([{ server_id: publicId }])
})
