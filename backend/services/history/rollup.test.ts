/** Rollups: hours and days equal their minutes, are created once, and expire on time. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import * as account from '#contract/users/account.ts'
import type { HistoryRange } from '#contract/history/history.ts'
import { Random } from '#backend/cli/simulate/profiles.ts'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { NOT_SAMPLED, OFFLINE, seedHistory } from '#tests/seed-history.ts'
import { BUCKET_MS, type Counts, noCounts } from './buckets.ts'
import { insertBuckets, insertListBucket } from './buckets.queries.ts'
import { serverSeries } from './history.ts'
import { presentServer } from './history.present.ts'
import { rollUpHistory } from './rollup.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, startOf } from './time.ts'

const ROLLUP_JOB = 'roll-up-history'
const NO_SAMPLER = { flush: () => Promise.resolve() }
let app: TestApp

beforeAll(async () => {
  app = await startApp()
})

async function ownServer(createdAt: number) {
  const owner = await app.newUser()
  const server = await buildServer(owner)
  await sql`update servers set created_at = ${new Date(createdAt)} where public_id = ${server.public_id}`.execute(app.db)
  return { owner, ...server }
}

/** A server's players by minute. */
type Samples = ReadonlyMap<number, number>

/** Deterministic minutes of every kind: players, offline periods, and periods without samples. */
function randomSamples(random: Random, from: number, to: number): Samples {
  const samples = new Map<number, number>()
  let state = 0
  let players = 40
  for (let at = from; at < to; at += MINUTE_MS) {
    if (random.next() < 0.01) state = [0, 0, 0, OFFLINE, OFFLINE, NOT_SAMPLED][Math.floor(random.next() * 6)] ?? 0
    players = Math.min(4096, Math.max(0, players + Math.round((random.next() - 0.5) * (random.next() < 0.01 ? 5000 : 6))))
    samples.set(at, state === 0 ? players : state)
  }
  return samples
}

function countsOf(samples: Samples, from: number, lengthMs: number): Counts {
  const counts = noCounts()
  for (let at = from; at < from + lengthMs; at += MINUTE_MS) {
    const players = samples.get(at) ?? NOT_SAMPLED
    if (players !== NOT_SAMPLED) counts.sampled += 1
    if (players < 0) continue
    counts.online += 1
    counts.players += players
    counts.highest = Math.max(counts.highest, players)
  }
  return counts
}

/** Stores five minutes as the sampler does: no row for a server that was offline. */
async function store(db: TestApp['db'], publicId: string, samples: Samples, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += BUCKET_MS) {
    const counts = countsOf(samples, at, BUCKET_MS)
    if (counts.online > 0) await insertBuckets(db, new Date(at), new Map([[publicId, counts]]))
    const list = { ...counts, servers: counts.online, players_highest: counts.highest, servers_highest: Math.min(1, counts.online) }
    if (counts.sampled > 0) await insertListBucket(db, new Date(at), list)
  }
}

async function storedBuckets(publicId: string, minutes: number, from: number, to = from + DAY_MS) {
  const rows = await app.db
    .selectFrom('player_buckets')
    .selectAll()
    .where('server_id', '=', publicId)
    .where('bucket_minutes', '=', minutes)
    .where('at', '>=', new Date(from))
    .where('at', '<', new Date(to))
    .execute()
  return new Map(rows.map(({ at, players, highest, online, sampled }) => [at.getTime(), { players, highest, online, sampled }]))
}

async function forgetRollups(db: TestApp['db']): Promise<void> {
  for (const table of ['player_buckets', 'list_buckets'] as const) await db.deleteFrom(table).where('bucket_minutes', '>', 5).execute()
}

describe('hours and days', () => {
  test('equal their minutes, stored and read', async () => {
    // A clock that stands still in the past: the program samples what comes after it.
    const now = startOf(app.clock.now(), MINUTE_MS) - HOUR_MS
    const clock = { now: () => now, uptime: () => now }
    const from = startOf(now, DAY_MS) - 3 * DAY_MS
    const { public_id } = await ownServer(from - HOUR_MS)
    const samples = randomSamples(new Random(6), from, startOf(now, BUCKET_MS))
    await store(app.db, public_id, samples, from, startOf(now, BUCKET_MS))
    const server = { publicId: public_id, createdAt: from - HOUR_MS }
    const read = async (range: HistoryRange) => presentServer(range, await serverSeries({ db: app.db, clock }, server, range))
    const readAll = async () => [await read('24h'), await read('7d'), await read('31d'), await read('1y')]
    const before = await readAll()
    for (let run = 0; run < 3; run += 1) await rollUpHistory({ db: app.db, clock }, NO_SAMPLER)
    for (const [minutes, lengthMs] of [
      [60, HOUR_MS],
      [1440, DAY_MS],
    ] as const) {
      const buckets = await storedBuckets(public_id, minutes, from, now)
      for (let at = from; at + lengthMs <= now - 600_000; at += lengthMs) {
        const direct = countsOf(samples, at, lengthMs)
        expect(buckets.get(at)).toEqual(direct.online > 0 ? direct : undefined)
      }
    }
    const after = await readAll()
    for (const [index, reply] of after.entries()) {
      expect({ ...reply, peak: reply.peak?.players }).toEqual({ ...before[index], peak: before[index]?.peak?.players })
      expect(reply.peak).toEqual(before[index]?.peak)
    }
  })

  test('are created once: existing rows stay, and rows missing after a crash are added', async () => {
    const day = startOf(app.clock.now(), DAY_MS) - DAY_MS
    const [first, second] = [await ownServer(day), await ownServer(day)]
    await forgetRollups(app.db)
    for (const { public_id } of [first, second])
      await store(app.db, public_id, randomSamples(new Random(7), day, day + HOUR_MS), day, day + HOUR_MS)
    const existing = { players: 1, highest: 1, online: 1, sampled: 60 }
    await app.db
      .insertInto('player_buckets')
      .values({ server_id: first.public_id, bucket_minutes: 60, at: new Date(day), ...existing })
      .execute()
    for (let run = 0; run < 3; run += 1) await app.runJob(ROLLUP_JOB)
    expect((await storedBuckets(first.public_id, 60, day)).get(day)).toEqual(existing)
    const created = (await storedBuckets(second.public_id, 60, day)).get(day)
    expect(created?.highest).toBeGreaterThan(0)
    await app.db
      .updateTable('player_buckets')
      .set({ highest: 4096 })
      .where('server_id', '=', second.public_id)
      .where('bucket_minutes', '=', 5)
      .execute()
    await app.runJob(ROLLUP_JOB)
    expect((await storedBuckets(second.public_id, 60, day)).get(day)).toEqual(created)
  })

  test('are created after weeks of downtime, before their buckets expire', async () => {
    const off = await startApp()
    const { public_id } = await buildServer(await off.newUser())
    await seedHistory(off, public_id, { days: 8, players: () => 9 })
    await forgetRollups(off.db)
    off.clock.advance(60 * DAY_MS)
    // Forty hours a run.
    for (let run = 0; run < 7; run += 1) await rollUpHistory(off, NO_SAMPLER)
    const { rows } = await sql<{ bucket_minutes: number; days: number; minutes: number }>`
      select bucket_minutes, count(*)::integer as days, sum(online)::integer as minutes from player_buckets group by 1`.execute(off.db)
    // The hours have expired; the days stay.
    expect(rows).toEqual([{ bucket_minutes: 1440, days: 9, minutes: 8 * 1440 }])
  })
})

describe('stored history', () => {
  test('expires exactly on time', async () => {
    const { public_id } = await ownServer(app.clock.now())
    await seedHistory(app, public_id, { days: 400 })
    await app.runJob(ROLLUP_JOB)
    const { rows } = await sql<{ level: string; oldest: Date }>`
      select bucket_minutes::text as level, min(at) as oldest from player_buckets where server_id = ${public_id} group by 1
      union all select 'list ' || bucket_minutes, min(at) from list_buckets group by 1`.execute(app.db)
    const age = new Map(rows.map((row) => [row.level, (app.clock.now() - row.oldest.getTime()) / DAY_MS]))
    for (const prefix of ['', 'list ']) {
      for (const [level, max] of [
        ['5', 8],
        ['60', 32],
        ['1440', 367],
      ] as const) {
        expect(age.get(`${prefix}${level}`), `${prefix}${level}`).toBeGreaterThan(max - 1)
        expect(age.get(`${prefix}${level}`), `${prefix}${level}`).toBeLessThanOrEqual(max + 0.01)
      }
    }
  })

  test('is in the owner’s export', async () => {
    const { owner, public_id } = await ownServer(app.clock.now())
    await seedHistory(app, public_id, { days: 3, players: () => 12 })
    const { data } = await owner.call(account.exportData)
    const rows = data.held.player_buckets ?? []
    expect(new Set(rows.map((row) => row.bucket_minutes))).toEqual(new Set([5, 60, 1440]))
    expect(new Set(rows.map((row) => row.highest))).toEqual(new Set([12]))
  })
})

test('a stopping node ends its rollup, and the next node continues', async () => {
  const day = startOf(app.clock.now(), DAY_MS) - 2 * DAY_MS
  const { public_id } = await ownServer(day)
  await forgetRollups(app.db)
  await store(app.db, public_id, randomSamples(new Random(8), day, day + HOUR_MS), day, day + HOUR_MS)
  await rollUpHistory(app, NO_SAMPLER, AbortSignal.abort())
  expect(await storedBuckets(public_id, 60, day)).toEqual(new Map())
  for (let run = 0; run < 7; run += 1) await app.runJob(ROLLUP_JOB)
  expect((await storedBuckets(public_id, 60, day)).size).toBe(1)
})
