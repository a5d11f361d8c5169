/** The last week of a server on the public pages equals its history. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import * as history from '#contract/history/history.ts'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, type SignedInUser, startApp } from '#tests/harness.ts'
import { historyNode } from '#tests/history-node.ts'
import { NOT_SAMPLED, OFFLINE, seedHistory } from '#tests/seed-history.ts'
import { type ServerWeek, ServerWeeks } from './server-weeks.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, startOf } from './time.ts'

let app: TestApp
let owner: SignedInUser

beforeAll(async () => {
  app = await startApp()
  owner = await app.newUser()
})

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
      const isSampled = hours.some((hour) => (data.online[hour] ?? null) !== null)
      expect(highest).toBe(isSampled ? Math.max(0, ...hours.map((hour) => data.highest[hour] ?? 0)) : null)
    })
    // The app itself has sampled the current minute.
    expect(Math.abs(100 * (week.uptime ?? 0) - (data.uptime ?? 0))).toBeLessThan(0.1)
    expect(week.peak?.players).toBe(data.peak?.players)
    if (data.peak !== null) expect(Math.floor((Date.parse(data.peak.at) - (week.peak?.at ?? 0)) / week.stepMs)).toBe(0)
  }

  test('equals its history, is five minutes old, survives an outage, and ends with the server', async () => {
    advanceToMorning()
    const [old, young, quiet] = [await register(20), await register(2.6), await register(20)]
    await seedHistory(app, old, { days: 20, players })
    await seedHistory(app, young, { days: 2.6, players })
    await seedHistory(app, quiet, { days: 20, players: (at) => Math.min(OFFLINE, players(at)) })
    const node = historyNode(app, startOf(app.clock.now(), MINUTE_MS) - 1)
    const { servers, clock, connection, sampler } = node
    for (const [id, days] of [
      [old, 20],
      [young, 2.6],
      [quiet, 20],
    ] as const)
      node.add(id, { createdAt: app.clock.now() - days * DAY_MS }, id !== quiet)
    const weeks = new ServerWeeks(node.deps, node.registry)
    const all = [old, young, quiet, 'unknown']
    expect(weeks.of(old)).toBeUndefined()
    await weeks.load(all)
    for (const id of [old, young, quiet]) await expectSameAsHistory(weeks.of(id), id)
    expect(weeks.of(quiet)?.uptime).toBe(0)
    expect(weeks.of(young)?.highest.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => null))

    const before = weeks.of(old)
    node.setPlayers(old, 900)
    clock.current += MINUTE_MS
    await node.sampleMinutes(5)
    await weeks.load(all)
    expect(weeks.of(old)?.highest.at(-1)).toBe(900)
    expect(weeks.of(old)?.peak).toEqual({ players: 900, at: startOf(clock.current, 3 * HOUR_MS) })
    expect(weeks.of(old)?.highest.slice(0, -1)).toEqual(before?.highest.slice(0, -1))

    connection.isDown = true
    const inOutage = weeks.of(old)
    await node.sampleMinutes(60)
    await weeks.load(all)
    expect(weeks.of(old)).toEqual(inOutage)
    connection.isDown = false
    await sampler.flush()
    await weeks.load(all)
    // Step and hour ended in the outage.
    expect(weeks.of(old)?.highest.slice(-2)).toEqual([900, 900])

    servers.delete(old)
    expect(weeks.of(old)).toBeUndefined()
    expect(weeks.of('unknown')).toBeUndefined()
  })

  test('pages that wait share a query, and a known week needs none', async () => {
    const { clock, registry, add } = historyNode(app, app.clock.now())
    let queries = 0
    const deps = {
      clock,
      get db() {
        queries += 1
        return app.db
      },
    }
    const weeks = new ServerWeeks(deps, registry)
    const ids = Array.from({ length: 20 }, (_, index) => `waits${index}`)
    for (const id of ids) add(id)
    await Promise.all(ids.map((id) => weeks.load([id])))
    expect(queries).toBe(1)
    await weeks.load(ids)
    expect(queries).toBe(1)
  })
})
