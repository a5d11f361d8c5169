/** Sampling: what each minute adds, and the effects of restarts, clock jumps, transfers, deletions and other nodes. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import * as history from '#contract/history.ts'
import * as servers from '#contract/servers.ts'
import * as transfers from '#contract/transfers.ts'
import { buildServer, emptyBin, offer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { seedHistory } from '#tests/seed-history.ts'
import { announceFrom, send } from '#tests/list/send.ts'
import { listSeries, serverSeries } from './history.ts'
import { PlayerSampler } from './player-sampler.ts'
import { NOT_SAMPLED, OFFLINE } from '#backend/platform/database/tables/player-samples.ts'
import { HOUR_MS, MINUTE_MS } from './time.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})

async function ownServer() {
  const owner = await app.newUser()
  return { owner, ...(await buildServer(owner)) }
}

const runSampler = () => app.runJob('sample-players')

/** Announces each number and samples it in the next minute; undefined sends no announce. */
async function sampleMinutes(credential: string, ...players: readonly (number | undefined)[]): Promise<void> {
  for (const playersCount of players) {
    if (playersCount !== undefined) expect((await announceFrom(app, credential, { playersCount })).status).toBe(200)
    app.clock.advance(MINUTE_MS)
    await runSampler()
  }
}

/** Starts at a full hour, so that the following minutes fall into known steps. */
async function advanceToFullHour(): Promise<void> {
  app.clock.advance(HOUR_MS - (app.clock.now() % HOUR_MS))
  await runSampler()
}

const day = async (owner: SignedInUser, id: string) => {
  const { status, data, text } = await owner.call(history.ofServer, { params: { id }, query: { range: '24h' } })
  expect(status, text).toBe(200)
  return data
}

describe('a minute', () => {
  test('appears in the graph as soon as it is over, and survives a restart', async () => {
    const { owner, public_id, credential } = await ownServer()
    await advanceToFullHour()
    await sampleMinutes(credential, 10, 20, 30)
    const current = await day(owner, public_id)
    expect([current.average.at(-1), current.highest.at(-1), current.peak?.players]).toEqual([20, 30, 30])
    await sampleMinutes(credential, 30, 30, 30, 30, 30, 30, 60)
    await send(`${app.listUrl}/announce`, { method: 'DELETE', headers: { authorization: `Bearer ${credential}` } })
    await sampleMinutes(credential, ...Array.from({ length: 10 }, () => undefined))
    const offline = await day(owner, public_id)
    expect(offline.highest.at(-2)).toBe(60)
    expect([offline.average.at(-1), offline.online.at(-1)]).toEqual([null, 0])
    expect(offline.peak).toEqual({ players: 60, at: new Date(Date.parse(offline.from) + 142 * 600_000).toISOString(), seconds: 60 })
    await app.restart()
    expect((await day(owner, public_id)).highest.slice(-2)).toEqual(offline.highest.slice(-2))
    // Forty minutes without samples.
    app.clock.advance(40 * MINUTE_MS)
    await runSampler()
    const after = await day(owner, public_id)
    expect(after.online.slice(-4, -1)).toEqual([null, null, null])
    const admin = await app.signIn('admin')
    const list = await admin.call(history.ofList, { query: { range: '24h' } })
    expect(list.data.players.highest.slice(-6)).toEqual([60, 0, null, null, null, 0])
    expect((await admin.call(history.ofAdminServer, { params: { id: public_id }, query: {} })).data).toEqual(await day(owner, public_id))
  })

  test('before the registration of a server does not count as offline', async () => {
    await advanceToFullHour()
    app.clock.advance(30 * MINUTE_MS)
    await runSampler()
    const { owner, public_id, credential } = await ownServer()
    // The database’s clock does not advance.
    await app.db
      .updateTable('servers')
      .set({ created_at: new Date(app.clock.now()) })
      .where('public_id', '=', public_id)
      .execute()
    await owner.call(servers.change, { params: { id: public_id }, body: { description: 'New' } })
    await sampleMinutes(credential, 5, 5)
    const { uptime, online } = await day(owner, public_id)
    expect([uptime, online.at(-1), online.at(-2)]).toEqual([100, 100, null])
  })
})

describe('a server', () => {
  test('keeps its history in a transfer: only the new owner can read it', async () => {
    const { owner, public_id, credential } = await ownServer()
    const recipient = await app.newUser()
    await advanceToFullHour()
    await sampleMinutes(credential, 40, 41, 42)
    const before = await day(owner, public_id)
    const { id } = await offer(owner, public_id, recipient.id)
    expect((await recipient.call(transfers.accept, { params: { id } })).status).toBeLessThan(300)
    await sampleMinutes(credential, undefined, undefined)
    await app.restart()
    const after = await day(recipient, public_id)
    expect([after.average.at(-1), after.highest.at(-1)]).toEqual([before.average.at(-1), before.highest.at(-1)])
    expect(after.online.at(-1)).toBeLessThan(100)
    expect((await owner.call(history.ofServer, { params: { id: public_id }, query: {} })).status).toBe(404)
  })

  test('leaves no samples when deleted for good', async () => {
    const { owner, public_id, credential } = await ownServer()
    await seedHistory(app, public_id, { days: 20 })
    await sampleMinutes(credential, 3)
    expect((await owner.call(servers.remove, { params: { id: public_id } })).status).toBeLessThan(300)
    await runSampler()
    await emptyBin(app)
    await app.restart()
    for (const table of ['player_samples', 'player_history'] as const)
      expect(await app.db.selectFrom(table).selectAll().where('server_id', '=', public_id).execute(), table).toEqual([])
    expect((await owner.call(history.ofServer, { params: { id: public_id }, query: {} })).status).toBe(404)
    expect((await send(`${app.listUrl}/servers/${public_id}/avg/1d`)).status).toBe(404)
  })
})

describe('several nodes', () => {
  /** A node with one listed server; the test controls its clock and lease. */
  const nodeOf = (publicId: string, clock: { now: number }, lease = { isHeld: true }) => {
    const server = { publicId, online: true, isListed: true, fields: { createdAt: 0 }, players: 0 }
    const servers = () => [{ ...server, announced: { playersCount: server.players, maxPlayersCount: 64, queueCount: 0 } }]
    const sampler = new PlayerSampler({ db: app.db, clock: { now: () => clock.now, uptime: () => 0 } }, servers, () => lease.isHeld)
    const sample = async (at: number, players: number) => {
      clock.now = at
      server.players = players
      await sampler.sample(() => {})
    }
    return { sampler, sample, server, lease }
  }
  const read = async (server_id: string) => {
    const rows = await app.db.selectFrom('player_samples').select('players').where('server_id', '=', server_id).orderBy('hour').execute()
    return rows.flatMap((row) => row.players)
  }

  test('one node writes, and the next writer adds the minutes that a killed node had not written', async () => {
    const { public_id } = await ownServer()
    const clock = { now: Date.UTC(2026, 5, 1, 12) }
    const from = clock.now
    const [first, second] = [nodeOf(public_id, clock), nodeOf(public_id, clock, { isHeld: false })]
    for (let minute = 0; minute < 62; minute += 1) {
      for (const node of [first, second]) await node.sample(from + minute * MINUTE_MS, minute)
      // The node is killed after this.
      if (minute === 56) await Promise.all([first.sampler.flush(), second.sampler.flush()])
    }
    await second.sampler.flush()
    expect((await read(public_id)).slice(50)).toEqual([50, 51, 52, 53, 54, 55, 56, NOT_SAMPLED, NOT_SAMPLED, NOT_SAMPLED])
    expect(second.sampler.hours).toHaveLength(2)
    second.lease.isHeld = true
    await second.sampler.flush()
    expect((await read(public_id)).slice(0, 63)).toEqual([...Array.from({ length: 62 }, (_, minute) => minute), NOT_SAMPLED])
    // Written hours are no longer in memory.
    first.lease.isHeld = false
    await first.sampler.flush()
    expect(first.sampler.hours).toHaveLength(1)
  })

  test('an hour that is dropped during its write adds no samples to another server', async () => {
    const { public_id: other } = await ownServer()
    const from = Date.UTC(2026, 7, 1, 3)
    const clock = { now: from }
    const announced = { playersCount: 5, maxPlayersCount: 64, queueCount: 0 }
    const serverOf = (publicId: string) => ({ publicId, online: true, isListed: true, fields: { createdAt: 0 }, announced })
    // More servers than fit into one batch, all deleted.
    const deletedServers = Array.from({ length: 260 }, (_, index) => serverOf(`gone${index}`))
    let current = deletedServers
    const sampler = new PlayerSampler({ db: app.db, clock: { now: () => clock.now, uptime: () => 0 } }, () => current)
    const sample = async (hour: number) => {
      clock.now = from + hour * HOUR_MS
      await sampler.sample(() => {})
    }
    for (let hour = 0; hour <= 6; hour += 1) await sample(hour)
    const waitingQueries = async () =>
      (
        await sql<{
          count: number
        }>`select count(*)::int as count from pg_locks where not granted and relation = 'player_samples'::regclass`.execute(app.db)
      ).rows[0]?.count
    const flushed = await app.db.transaction().execute(async (trx) => {
      await sql`lock table player_samples in access exclusive mode`.execute(trx)
      const flushing = sampler.flush()
      await expect.poll(waitingQueries).toBe(1)
      await sample(7)
      for (const { publicId } of deletedServers) sampler.forget(publicId)
      current = [serverOf(other)]
      await sample(8)
      return { flushing }
    })
    await flushed.flushing
    const hours = await app.db.selectFrom('player_samples').select('hour').where('server_id', '=', other).execute()
    expect(hours.map(({ hour }) => hour.getTime())).toEqual([from + 8 * HOUR_MS])
  })

  test('a clock that jumps back causes no duplicate and no negative minutes', async () => {
    const { public_id } = await ownServer()
    const from = Date.UTC(2026, 6, 1, 1, 58)
    const clock = { now: from }
    const { sampler, sample } = nodeOf(public_id, clock)
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
    const now = () => ({ now: () => clock.now, uptime: () => 0 })
    const current = await serverSeries({ db: app.db, clock: now() }, sampler, { publicId: public_id, createdAt: 0 }, '24h')
    await sampler.flush()
    const stored = await serverSeries({ db: app.db, clock: now() }, sampler, { publicId: public_id, createdAt: 0 }, '24h')
    // The current minute, and minutes sampled before the clock jumped back that were not reached again.
    expect(stored.steps.slice(-4)).toEqual([
      { average: 21, highest: 21, online: 2, sampled: 2 },
      { average: 0, highest: 0, online: 0, sampled: 0 },
      { average: 31, highest: 31, online: 2, sampled: 2 },
      { average: 33, highest: 33, online: 2, sampled: 2 },
    ])
    expect(current.steps.slice(-2)).toEqual(stored.steps.slice(-2))
    expect((await read(public_id)).every((players) => players >= NOT_SAMPLED)).toBe(true)
    expect((await read(public_id)).filter((players) => players === OFFLINE)).toEqual([])
    const list = await listSeries({ db: app.db, clock: now() }, sampler, '24h')
    expect(list.steps.slice(-2).map((step) => [step.players.highest, step.servers.highest])).toEqual([
      [31, 1],
      [33, 1],
    ])
  })
})
