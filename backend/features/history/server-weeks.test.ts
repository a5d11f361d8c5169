/** The last week of every server in memory equals its history, and servers trend by their players a week ago. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import * as history from '#contract/history.ts'
import { ServerRecord, type OwnerFields } from '#backend/masterlist/registry/server-record.ts'
import { announced, fieldsOf } from '#backend/masterlist/registry/test-registry.ts'
import { NOT_SAMPLED, OFFLINE } from '#backend/platform/database/tables/player-samples.ts'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, type SignedInUser, startApp } from '#tests/harness.ts'
import { seedHistory } from '#tests/seed-history.ts'
import { PlayerSampler } from './player-sampler.ts'
import { type ServerWeek, ServerWeeks } from './server-weeks.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS, startOf } from './time.ts'
import { Trending } from './trending.ts'

let app: TestApp
let owner: SignedInUser

beforeAll(async () => {
  app = await startApp()
  owner = await app.newUser()
})

/** A node with its own clock and servers. */
function nodeAt(now: number) {
  const servers = new Map<string, ServerRecord>()
  const clock = { current: now, now: () => clock.current, uptime: () => clock.current }
  const connection = { db: app.db, isDown: false }
  const deps = {
    clock,
    get db() {
      if (connection.isDown) throw new Error('The database is down.')
      return connection.db
    },
  }
  const registry = { get: (publicId: string) => servers.get(publicId), all: () => servers.values() }
  const sampler = new PlayerSampler(deps, () => servers.values())
  const add = (publicId: string, overrides: Partial<OwnerFields> = {}, online = true) => {
    const server = new ServerRecord(fieldsOf(publicId, overrides))
    Object.assign(server, { online, announced })
    servers.set(publicId, server)
  }
  const setPlayers = (publicId: string, playersCount: number) =>
    Object.assign(servers.get(publicId) ?? {}, { announced: { ...announced, playersCount } })
  const sampleMinutes = async (count: number) => {
    for (let minute = 0; minute < count; minute += 1) {
      clock.current += MINUTE_MS
      await sampler.sample(() => {})
    }
  }
  return { servers, clock, connection, deps, registry, sampler, add, setPlayers, sampleMinutes }
}

describe('the week of a server', () => {
  /** 8:20 UTC: the week of the API starts with a step of three hours. */
  const advanceToMorning = () => app.clock.advance(DAY_MS + 8 * HOUR_MS + 20 * MINUTE_MS - (app.clock.now() % DAY_MS))

  /** Hours and steps without samples, offline hours, steps and minutes, and players. */
  function players(at: number): number {
    const hour = Math.floor((at % DAY_MS) / HOUR_MS)
    // Not today: the app itself samples the current minute.
    const hasGap = Math.floor(at / DAY_MS) % 2 === 0 && at < startOf(app.clock.now(), DAY_MS)
    if (hour === 3 || (hasGap && hour >= 6 && hour < 9)) return NOT_SAMPLED
    if ((hour >= 12 && hour < 17) || (hour === 20 && at % HOUR_MS < 15 * MINUTE_MS)) return OFFLINE
    return 10 + (Math.floor(at / HOUR_MS) % 50) + (Math.floor(at / MINUTE_MS) % 2)
  }

  async function register(days: number): Promise<string> {
    const { public_id } = await buildServer(owner)
    const createdAt = new Date(app.clock.now() - days * DAY_MS)
    await sql`update servers set created_at = ${createdAt} where public_id = ${public_id}`.execute(app.db)
    return public_id
  }

  async function expectSameAsHistory(week: ServerWeek | undefined, public_id: string): Promise<void> {
    const { data, text } = await owner.call(history.ofServer, { params: { id: public_id }, query: { range: '7d' } })
    if (week === undefined) throw new Error(`No week, but this history: ${text}`)
    expect(Date.parse(data.from)).toBe(week.from)
    week.highest.forEach((highest, step) => {
      const hours = [0, 1, 2].map((hour) => 3 * step + hour)
      const online = hours.map((hour) => data.online[hour] ?? 0)
      const isSampled = hours.some((hour) => (data.online[hour] ?? null) !== null)
      expect(highest).toBe(isSampled ? Math.max(0, ...hours.map((hour) => data.highest[hour] ?? 0)) : null)
      const total = online.reduce((sum, share) => sum + share, 0)
      expect((week.average[step] ?? null) === null).toBe(total === 0)
      const average = hours.reduce((sum, hour, index) => sum + (data.average[hour] ?? 0) * (online[index] ?? 0), 0) / total
      if (total > 0 && step < 55) expect(Math.abs((week.average[step] ?? 0) - average)).toBeLessThanOrEqual(1)
    })
    expect(week.uptime === undefined ? null : Math.floor(10_000 * week.uptime) / 100).toBe(data.uptime)
    expect(week.peak?.players).toBe(data.peak?.players)
    if (data.peak !== null) expect(Math.floor((Date.parse(data.peak.at) - (week.peak?.at ?? 0)) / week.stepMs)).toBe(0)
  }

  test('equals its history, is a minute old, survives an outage, and ends with the server', async () => {
    advanceToMorning()
    const [old, young, quiet] = [await register(20), await register(2.6), await register(20)]
    await seedHistory(app, old, { days: 20, players })
    await seedHistory(app, young, { days: 2.6, players })
    await seedHistory(app, quiet, { days: 20, players: (at) => Math.min(OFFLINE, players(at)) })
    const node = nodeAt(startOf(app.clock.now(), MINUTE_MS) - 1)
    const { servers, clock, connection, sampler } = node
    for (const [id, days] of [
      [old, 20],
      [young, 2.6],
      [quiet, 20],
    ] as const)
      node.add(id, { createdAt: app.clock.now() - days * DAY_MS }, id !== quiet)
    const weeks = new ServerWeeks(node.deps, sampler, node.registry)
    expect(weeks.of(old)).toBeUndefined()
    await weeks.load()
    // The newest hour is in the memory of the sampler.
    const hour = await app.db
      .selectFrom('player_samples')
      .selectAll()
      .where('hour', '=', new Date(startOf(clock.current, HOUR_MS)))
      .execute()
    for (const row of hour) sampler.restore(row.server_id, row.hour, row.players)
    await sampler.restoreList()
    for (const id of [old, young, quiet]) await expectSameAsHistory(weeks.of(id), id)
    expect(weeks.of(quiet)?.uptime).toBe(0)
    expect(weeks.of(young)?.highest.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => null))

    const before = weeks.of(old)
    node.setPlayers(old, 900)
    await node.sampleMinutes(1)
    expect(weeks.of(old)?.highest.at(-1)).toBe(900)
    expect(weeks.of(old)?.peak).toEqual({ players: 900, at: startOf(clock.current, 3 * HOUR_MS) })
    expect(weeks.of(old)?.highest.slice(0, -1)).toEqual(before?.highest.slice(0, -1))

    // The hour and the step end during an outage.
    connection.isDown = true
    await node.sampleMinutes(60)
    const inOutage = weeks.of(old)
    await expect(weeks.load()).rejects.toThrow('down')
    expect(weeks.of(old)).toEqual(inOutage)
    expect(inOutage?.highest.slice(-2)).toEqual([900, 900])
    connection.isDown = false
    await sampler.flush()
    expect(weeks.of(old)).toEqual(inOutage)
    await weeks.load()
    expect(weeks.of(old)).toEqual(inOutage)

    const server = servers.get(old)
    servers.delete(old)
    sampler.forget(old)
    expect(weeks.of(old)).toBeUndefined()
    await node.sampleMinutes(60)
    await weeks.load()
    if (server !== undefined) servers.set(old, server)
    expect(weeks.of(old)?.highest.slice(0, -2)).toEqual(Array.from({ length: 54 }, () => null))
    clock.current += HOUR_MS
    await weeks.load()
    expect(weeks.of(old)?.highest.slice(0, -2)).toEqual(inOutage?.highest.slice(0, -2))
    expect(weeks.of('unknown')).toBeUndefined()
  })
})

describe('a server trends', () => {
  async function storeWeekAgo(hour: number, publicId: string, counts: readonly number[]): Promise<void> {
    const server = { public_id: publicId, owner_id: owner.id, name: publicId, name_key: publicId.toLowerCase() }
    await sql`insert into servers (public_id, owner_id, name, name_key) values (${sql.join(Object.values(server))})`.execute(app.db)
    if (counts.length > 0)
      await app.db
        .insertInto('player_samples')
        .values({ server_id: publicId, hour: new Date(hour - WEEK_MS), players: [...counts] })
        .execute()
  }

  test('by the growth of its confirmed players since the same hour a week ago, and by nothing less', async () => {
    const hour = Date.UTC(2026, 2, 4, 20)
    const full = (count: number) => Array.from({ length: 60 }, () => count)
    const enforcement = { isUnlisted: false, isUnranked: false, arePlayersUnconfirmed: false, cause: undefined }
    const cases: readonly [
      publicId: string,
      weekAgo: readonly number[],
      now: number,
      growth: number | undefined,
      fields?: Partial<OwnerFields>,
    ][] = [
      ['Grown00', full(6), 30, 24],
      ['Empty00', full(0), 5, 5],
      ['Little0', full(6), 10, undefined],
      ['Large00', full(200), 235, undefined],
      ['Larger0', full(200), 240, 40],
      ['Fallen0', full(60), 30, undefined],
      ['New0000', [], 30, undefined],
      [
        'Half000',
        full(6)
          .with(0, 66)
          .map((count, minute) => (minute < 30 ? count : OFFLINE)),
        30,
        22,
      ],
      ['Rare000', full(6).map((count, minute) => (minute < 29 ? count : OFFLINE)), 30, undefined],
      ['Fake000', full(6), 30, undefined, { enforcement: { ...enforcement, arePlayersUnconfirmed: true } }],
      ['Last000', full(6), 30, undefined, { enforcement: { ...enforcement, isUnranked: true } }],
      ['Hidden0', full(6), 30, undefined, { visible: false }],
    ]
    const node = nodeAt(hour - 8 * MINUTE_MS)
    for (const [publicId, weekAgo, now, , fields] of cases) {
      await storeWeekAgo(hour, publicId, weekAgo)
      node.add(publicId, fields)
      node.setPlayers(publicId, now)
    }
    const trending = new Trending(node.deps, node.sampler, node.registry)
    const growths = () => cases.map(([publicId]) => [publicId, trending.growthOf(publicId)])
    const expected = cases.map(([publicId, , , growth]) => [publicId, growth])
    // The ten minutes begin in the previous hour, which is already written.
    await node.sampleMinutes(10)
    await node.sampler.flush()
    await trending.refresh()
    expect(growths()).toEqual(expected)

    // Four minutes are a burst; the median of ten minutes ignores them.
    node.setPlayers('Grown00', 90)
    node.setPlayers('Little0', 90)
    await node.sampleMinutes(4)
    await trending.refresh()
    expect(growths()).toEqual(expected)
    await node.sampleMinutes(4)
    await trending.refresh()
    expect([trending.growthOf('Grown00'), trending.growthOf('Little0')]).toEqual([84, 84])

    // The database is down when the next hour starts.
    Object.assign(node.servers.get('Little0') ?? {}, { online: false })
    expect(trending.growthOf('Little0')).toBeUndefined()
    node.connection.isDown = true
    node.clock.current = hour + HOUR_MS
    await expect(trending.refresh()).rejects.toThrow('down')
    expect(trending.growthOf('Grown00')).toBeUndefined()
  })
})

test('the jobs of both run', async () => {
  for (const job of ['load-server-weeks', 'refresh-trending']) await expect(app.runJob(job)).resolves.toBeUndefined()
})
