/** Rollups: days and weeks equal their minutes, are created once, and expire on time. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import * as account from '#contract/account.ts'
import * as history from '#contract/history.ts'
import { Random } from '#backend/cli/simulate/profiles.ts'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { seedHistory } from '#tests/seed-history.ts'
import { rollUpHistory } from './rollup.ts'
import { type Step, unpackSteps } from './steps.ts'
import { NOT_SAMPLED, OFFLINE } from '#backend/platform/database/tables/player-samples.ts'
import { DAY_MS, HOUR_MS, LEVELS, type Level, MINUTE_MS, WEEK_MS, startOf } from './time.ts'

const ROLLUP_JOB = 'roll-up-history'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})

async function ownServer() {
  const owner = await app.newUser()
  return { owner, ...(await buildServer(owner)) }
}

/** A server's players by minute. */
type Samples = Map<number, number>

/** Deterministic minutes of every kind: players, offline periods, and periods without samples. */
function randomSamples(random: Random, from: number, to: number): Samples {
  const samples: Samples = new Map()
  let state = 0
  let players = 40
  for (let at = from; at < to; at += MINUTE_MS) {
    if (random.next() < 0.01) state = [0, 0, 0, OFFLINE, OFFLINE, NOT_SAMPLED][Math.floor(random.next() * 6)] ?? 0
    players = Math.min(4096, Math.max(0, players + Math.round((random.next() - 0.5) * (random.next() < 0.01 ? 5000 : 6))))
    samples.set(at, state === 0 ? players : state)
  }
  return samples
}

/** Stores minutes as the sampler does: no row for an hour in which the server was offline. */
async function store(publicId: string, samples: Samples): Promise<void> {
  const hours = new Map<number, number[]>()
  for (const [at, players] of samples) {
    const hour = startOf(at, HOUR_MS)
    const row = hours.get(hour) ?? Array.from({ length: 60 }, () => NOT_SAMPLED)
    row[(at - hour) / MINUTE_MS] = players
    hours.set(hour, row)
  }
  for (const [at, players] of hours) {
    const hour = new Date(at)
    if (players.some((count) => count >= 0))
      await app.db.insertInto('player_samples').values({ server_id: publicId, hour, players }).execute()
    const list = players.map((count) => (count === NOT_SAMPLED ? NOT_SAMPLED : Math.max(0, count)))
    await app.db
      .insertInto('list_samples')
      .values({ hour, players: list, servers: list.map((count) => Math.min(1, count)) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

function stepOf(samples: Samples, from: number, minutes: number): Step {
  const counts = Array.from({ length: minutes }, (_, minute) => samples.get(from + minute * MINUTE_MS) ?? NOT_SAMPLED)
  const online = counts.filter((count) => count >= 0)
  const sum = online.reduce((total, count) => total + count, 0)
  return {
    average: online.length === 0 ? 0 : Math.round(sum / online.length),
    highest: Math.max(0, ...online),
    online: online.length,
    sampled: counts.filter((count) => count !== NOT_SAMPLED).length,
  }
}

/** The stored steps of a day or week. */
async function storedSteps(publicId: string, { stepMinutes }: Level, from: number): Promise<Step[] | undefined> {
  const row = await app.db
    .selectFrom('player_history')
    .select('steps')
    .where('server_id', '=', publicId)
    .where('step_minutes', '=', stepMinutes)
    .where('from_at', '=', new Date(from))
    .executeTakeFirst()
  return row && unpackSteps(row.steps, stepMinutes)
}

const expectedSteps = (samples: Samples, { stepMinutes, steps }: Level, from: number) =>
  Array.from({ length: steps }, (_, index) => stepOf(samples, from + index * stepMinutes * MINUTE_MS, stepMinutes))

/** A partly sampled hour stores its share of sampled minutes only roughly. */
function expectHour(step: Step | undefined, direct: Step): void {
  if (direct.sampled === 60 || step === undefined) {
    expect(step).toEqual(direct)
    return
  }
  expect(step).toMatchObject({ average: direct.average, highest: direct.highest })
  expect(Math.abs(step.sampled - direct.sampled)).toBeLessThan(6)
  if (direct.sampled > 0) expect(Math.abs(step.online / step.sampled - direct.online / direct.sampled)).toBeLessThan(0.05)
}

/** A rolled-up day does not keep minutes: its peak has the time of its step. */
function expectSamePeak(after: history.ServerHistory['peak'], before: history.ServerHistory['peak']): void {
  if (after === null || before === null) return expect(after).toEqual(before)
  expect(after.players).toBe(before.players)
  expect(Math.abs(Date.parse(after.at) - Date.parse(before.at))).toBeLessThan(Math.max(after.seconds, before.seconds) * 1000)
}

function expectSameHistory(after: history.ServerHistory, before: history.ServerHistory | undefined): void {
  expect([after.from, after.step_seconds, after.highest]).toEqual([before?.from, before?.step_seconds, before?.highest])
  expectSamePeak(after.peak, before?.peak ?? null)
  expect(Math.abs((after.uptime ?? 0) - (before?.uptime ?? 0))).toBeLessThan(0.5)
  after.average.forEach((average, step) => {
    const direct = before?.average[step] ?? null
    expect(average === null).toBe(direct === null)
    if (average !== null) expect(Math.abs(average - (direct ?? 0))).toBeLessThanOrEqual(Math.max(2, (direct ?? 0) / 50))
  })
}

describe('days and weeks', () => {
  test('equal their minutes, stored and read', async () => {
    const { owner, public_id } = await ownServer()
    const now = startOf(app.clock.now(), MINUTE_MS)
    const week = startOf(now, WEEK_MS) - WEEK_MS
    await sql`update servers set created_at = ${new Date(week - DAY_MS)} where public_id = ${public_id}`.execute(app.db)
    const samples = randomSamples(new Random(6), week, now)
    await store(public_id, samples)
    const read = async (range: history.HistoryRange) =>
      (await owner.call(history.ofServer, { params: { id: public_id }, query: { range } })).data
    const before = [await read('7d'), await read('31d'), await read('1y')]
    await app.runJob(ROLLUP_JOB)
    for (let day = week; day + DAY_MS <= now - 600_000; day += DAY_MS) {
      const direct = expectedSteps(samples, LEVELS.day, day)
      if (direct.some((step) => step.online > 0)) expect(await storedSteps(public_id, LEVELS.day, day)).toEqual(direct)
    }
    const hours = (await storedSteps(public_id, LEVELS.week, week)) ?? []
    expect(hours).toHaveLength(168)
    for (const [index, direct] of expectedSteps(samples, LEVELS.week, week).entries()) expectHour(hours[index], direct)
    const after = [await read('7d'), await read('31d'), await read('1y')]
    for (const [index, current] of after.entries()) expectSameHistory(current, before[index])
  })

  test('are created once: existing rows stay, and rows missing after a crash are added', async () => {
    const [first, second] = [await ownServer(), await ownServer()]
    const now = startOf(app.clock.now(), MINUTE_MS)
    const day = startOf(now, DAY_MS) - DAY_MS
    for (const { public_id } of [first, second]) await store(public_id, randomSamples(new Random(7), day, day + DAY_MS))
    const steps = Buffer.alloc(4 * 144)
    await app.db
      .insertInto('player_history')
      .values({ server_id: first.public_id, step_minutes: 10, from_at: new Date(day), steps })
      .execute()
    await app.db.deleteFrom('list_history').where('step_minutes', '=', 10).where('from_at', '=', new Date(day)).execute()
    await app.runJob(ROLLUP_JOB)
    expect((await storedSteps(first.public_id, LEVELS.day, day))?.every((step) => step.highest === 0)).toBe(true)
    const created = await storedSteps(second.public_id, LEVELS.day, day)
    expect(created?.some((step) => step.highest > 0)).toBe(true)
    await app.db
      .updateTable('player_samples')
      .set({ players: Array.from({ length: 60 }, () => 1) })
      .where('server_id', '=', second.public_id)
      .execute()
    await app.runJob(ROLLUP_JOB)
    expect(await storedSteps(second.public_id, LEVELS.day, day)).toEqual(created)
  })

  test('are created after weeks of downtime, before their minutes expire', async () => {
    const off = await startApp()
    const { public_id } = await buildServer(await off.newUser())
    const now = startOf(off.clock.now(), HOUR_MS)
    await seedHistory(off, public_id, { days: 8, players: () => 9 })
    await sql`truncate player_history, list_history`.execute(off.db)
    off.clock.advance(60 * DAY_MS)
    await off.runJob(ROLLUP_JOB)
    const { rows } = await sql<{ step_minutes: number; hours: number }>`
      select step_minutes, count(*)::integer as hours from player_history group by 1 order by 1`.execute(off.db)
    // The days have expired; the weeks stay.
    expect(rows).toEqual([{ step_minutes: 60, hours: startOf(now, WEEK_MS) === startOf(now - 8 * DAY_MS, WEEK_MS) + WEEK_MS ? 2 : 3 }])
    const remaining = await off.db.selectFrom('player_samples').selectAll().where('server_id', '=', public_id).execute()
    expect(remaining).toEqual([])
  })
})

describe('stored history', () => {
  test('expires exactly on time', async () => {
    const { public_id } = await ownServer()
    await seedHistory(app, public_id, { days: 400 })
    await app.runJob(ROLLUP_JOB)
    const { rows } = await sql<{ level: string; oldest: Date }>`
      select 'minutes' as level, min(hour) as oldest from player_samples where server_id = ${public_id}
      union all select 'list minutes', min(hour) from list_samples
      union all select step_minutes::text, min(from_at) from player_history where server_id = ${public_id} group by step_minutes
      union all select 'list ' || step_minutes, min(from_at) from list_history group by step_minutes`.execute(app.db)
    const age = new Map(rows.map((row) => [row.level, (app.clock.now() - row.oldest.getTime()) / DAY_MS]))
    for (const prefix of ['', 'list ']) {
      for (const [level, min, max] of [
        ['minutes', 8, 8.1],
        ['10', 31, 32.1],
        ['60', 365, 380],
      ] as const) {
        expect(age.get(`${prefix}${level}`), `${prefix}${level}`).toBeGreaterThanOrEqual(min)
        expect(age.get(`${prefix}${level}`), `${prefix}${level}`).toBeLessThan(max)
      }
    }
  })

  test('is in the owner’s export, unpacked', async () => {
    const { owner, public_id } = await ownServer()
    await seedHistory(app, public_id, { days: 3, players: () => 12 })
    const { data } = await owner.call(account.exportData)
    const [row = {}] = data.held.player_history ?? []
    expect(Object.keys(row).toSorted()).toEqual(['average', 'from_at', 'highest', 'online', 'server_id', 'step_minutes'])
    expect((row.average as (number | null)[]).at(-1)).toBe(12)
  })

  test('takes at most 5 bytes per sample, including indexes', async () => {
    const big = await startApp()
    const owner = await big.newUser()
    await buildServer(owner)
    await sql`
      insert into servers (public_id, owner_id, name, name_key) select 'Fill' || lpad(n::text, 3, '0'), ${owner.id}, 'Fill ' || n, 'fill ' || n
      from generate_series(1, 200) n`.execute(big.db)
    const base = startOf(big.clock.now(), WEEK_MS)
    for (let hour = 0; hour < 192; hour += 1)
      await sql`
        insert into player_samples (server_id, hour, players)
        select public_id, ${new Date(base + hour * HOUR_MS)}, array(select (random() * 4096)::smallint from generate_series(1, 60) where public_id <> '')
        from servers where name_key like 'fill%' order by 1`.execute(big.db)
    const fill = (level: Level, count: number) =>
      sql`
        insert into player_history (server_id, step_minutes, from_at, steps)
        select public_id, ${level.stepMinutes}, ${new Date(base)}::timestamptz + g * ${level.spanMs / DAY_MS} * interval '1 day',
          (select string_agg(int4send((random() * 2000000000)::integer), '') from generate_series(1, ${level.steps}) where public_id <> '')
        from generate_series(1, ${count}) g cross join servers where name_key like 'fill%' order by g, public_id`.execute(big.db)
    const size = async (table: string) =>
      (await sql<{ bytes: number }>`select pg_total_relation_size(${table})::integer as bytes from pg_class limit 1`.execute(big.db))
        .rows[0]?.bytes ?? 0
    const minutes = (await size('player_samples')) / (200 * 192 * 60)
    await fill(LEVELS.day, 32)
    const days = (await size('player_history')) / (200 * 32 * 144)
    await sql`truncate player_history`.execute(big.db)
    await fill(LEVELS.week, 53)
    const weeks = (await size('player_history')) / (200 * 53 * 168)
    for (const bytes of [minutes, days, weeks]) {
      expect(bytes).toBeGreaterThan(3)
      expect(bytes).toBeLessThanOrEqual(5)
    }
  })
})

test('a stopping node ends its rollup, and the next node continues', async () => {
  const { public_id } = await ownServer()
  const day = startOf(app.clock.now(), DAY_MS) - 2 * DAY_MS
  await store(public_id, randomSamples(new Random(8), day, day + DAY_MS))
  await app.db.deleteFrom('list_history').where('step_minutes', '=', 10).where('from_at', '=', new Date(day)).execute()
  await rollUpHistory({ db: app.db, clock: app.clock }, { flush: () => Promise.resolve(), hours: [], isStopping: true })
  expect(await storedSteps(public_id, LEVELS.day, day)).toBeUndefined()
  await app.runJob(ROLLUP_JOB)
  expect(await storedSteps(public_id, LEVELS.day, day)).toBeDefined()
})
