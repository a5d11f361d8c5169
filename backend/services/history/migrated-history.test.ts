/**
 * A database of the former schema keeps its history: every graph is the same within a bucket. `tests/former-schemas/history.json.gz` has
 * the former rows of two servers, and what the former program replied.
 */
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase } from '#tests/former-database.ts'
import type { DayHistory, HistoryRange, ListHistory, ServerHistory } from '#contract/history/history.ts'
import type { Statistics } from '#contract/history/statistics.ts'
import { migrateToLatest } from '#backend/platform/database/migrate.ts'
import { MIGRATIONS } from '#backend/platform/database/migration-steps.ts'
import { type Db, connect } from '#backend/platform/database/open.ts'
import { createLog } from '#backend/platform/log.ts'
import { listSeries, serverSeries } from './history.ts'
import { presentDay, presentList, presentServer } from './history.present.ts'
import { lastDayOf } from './last-day.ts'
import { PlayerPoints } from './points.ts'
import { rollUpHistory } from './rollup.ts'
import { type ServerWeek, ServerWeeks } from './server-weeks.ts'
import { createStatistics } from './statistics.ts'
import { DAY_MS } from './time.ts'

interface Former {
  readonly now: number
  readonly servers: readonly { readonly publicId: string; readonly createdAt: number }[]
  readonly tables: Readonly<Record<string, readonly object[]>>
  readonly replies: Readonly<Record<string, unknown>>
}

const FORMER = JSON.parse(
  gunzipSync(readFileSync(join(import.meta.dirname, '../../../tests/former-schemas/history.json.gz'))).toString(),
) as Former
const OWNER = '0198c000-0000-7000-8000-000000000001'
const RANGES = ['24h', '7d', '31d', '1y'] as const satisfies readonly HistoryRange[]
const clock = { now: () => FORMER.now, uptime: () => 0 }
let db: Db

beforeAll(async () => {
  db = connect({ ...(await createDatabase()), idleTimeoutMillis: 200 }, createLog('silent'), 2)
  const former = mkdtempSync(join(tmpdir(), 'muster-steps-'))
  cpSync(MIGRATIONS, former, { recursive: true })
  for (const file of readdirSync(former)) if (/^\d{4}_.*\.sql$/.test(file) && file > '0023') rmSync(join(former, file))
  await migrateToLatest(db, former)
  rmSync(former, { recursive: true, force: true })
  await insertFormerRows()
  await migrateToLatest(db)
})
afterAll(() => db.destroy())

async function insertFormerRows(): Promise<void> {
  await sql`insert into users (id, discord_id, username) values (${OWNER}, '1', 'alice')`.execute(db)
  for (const { publicId, createdAt } of FORMER.servers)
    await sql`insert into servers (public_id, owner_id, name, name_key, created_at)
      values (${publicId}, ${OWNER}, ${publicId}, ${publicId.toLowerCase()}, ${new Date(createdAt)})`.execute(db)
  for (const [table, rows] of Object.entries(FORMER.tables)) {
    const columns = Object.keys(rows[0] ?? {}).map((column) =>
      column === 'steps' ? sql`decode(r.steps, 'base64')` : sql.ref(`r.${column}`),
    )
    const record = table === 'player_history' ? sql`(server_id text, step_minutes smallint, from_at timestamptz, steps text)` : undefined
    const source =
      record === undefined
        ? sql`json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json) r`
        : sql`json_to_recordset(${JSON.stringify(rows)}::json) as r ${record}`
    await sql`insert into ${sql.table(table)} (${sql.join(Object.keys(rows[0] ?? {}).map((column) => sql.ref(column)))})
      select ${sql.join(columns)} from ${source}`.execute(db)
  }
}

type Numbers = readonly (number | null)[]

/** Averages of rounded averages differ by one. */
function expectSameAverages(current: Numbers, former: Numbers): void {
  expect(current).toHaveLength(former.length)
  for (const [index, average] of current.entries()) {
    const before = former[index] ?? null
    expect(average === null, `step ${index}: ${average}, before ${before}`).toBe(before === null)
    expect(Math.abs((average ?? 0) - (before ?? 0))).toBeLessThanOrEqual(1)
  }
}

/** The time of a peak is rounded down to its bucket, which may have become longer. */
function expectSamePeak(current: ServerHistory['peak'], former: ServerHistory['peak']): void {
  expect(current?.players).toBe(former?.players)
  if (current === null || former === null) return
  const later = Date.parse(former.at) - Date.parse(current.at)
  expect(later).toBeGreaterThanOrEqual(0)
  expect(later).toBeLessThan(current.seconds * 1000)
}

function expectSameServer(current: ServerHistory, former: ServerHistory): void {
  const { average, peak, ...rest } = current
  const { average: formerAverage, peak: formerPeak, ...formerRest } = former
  expect(rest).toEqual(formerRest)
  expectSameAverages(average, formerAverage)
  expectSamePeak(peak, formerPeak)
}

function expectSameList(current: ListHistory, former: ListHistory): void {
  const { from, range, players, servers, peak } = current
  expect([from, range, players.highest, servers.highest]).toEqual([
    former.from,
    former.range,
    former.players.highest,
    former.servers.highest,
  ])
  expectSameAverages(players.average, former.players.average)
  expectSameAverages(servers.average, former.servers.average)
  expectSamePeak(peak, former.peak)
}

const recordOf = ({ publicId, createdAt }: Former['servers'][number]) => ({
  publicId,
  announced: {},
  fields: { createdAt, name: publicId, cosmetics: { iconUrl: null } },
})

async function compareAll(): Promise<void> {
  const { servers, replies } = FORMER
  const registry = { get: (publicId: string) => servers.filter((server) => server.publicId === publicId).map(recordOf)[0], all: () => [] }
  const points = new PlayerPoints({ db, clock, env: { RATE_LIMITS: false } } as never)
  for (const range of RANGES) {
    for (const server of servers) {
      const read = async (weeksAgo: 0 | 1 = 0) => presentServer(range, await serverSeries({ db, clock }, server, range, weeksAgo))
      expectSameServer(await read(), replies[`server ${server.publicId} ${range}`] as ServerHistory)
      const weekAgo = replies[`server ${server.publicId} ${range} a week ago`] as ServerHistory | undefined
      if (weekAgo === undefined) continue
      // The newest step ends with a bucket.
      const withoutNewest = ({ average, highest, online, ...rest }: ServerHistory): ServerHistory => ({
        ...rest,
        uptime: null,
        average: average.slice(0, -1),
        highest: highest.slice(0, -1),
        online: online.slice(0, -1),
      })
      expectSameServer(withoutNewest(await read(1)), withoutNewest(weekAgo))
    }
    const list = presentList(range, await listSeries({ db, clock }, range))
    expectSameList(list, replies[`list ${range}`] as ListHistory)
  }
  for (const server of servers) {
    for (const range of ['1d', '7d', '31d'] as const) {
      for (const aggregate of ['avg', 'max'] as const) {
        const former = replies[`points ${server.publicId} ${range} ${aggregate}`] as { t: number; c: number }[]
        const { body } = await points.of(recordOf(server) as never, range, aggregate, '')
        const current = JSON.parse(body) as typeof former
        expect(current.map(({ t }) => t)).toEqual(former.map(({ t }) => t))
        expectSameAverages(
          current.map(({ c }) => c),
          former.map(({ c }) => c),
        )
      }
    }
  }
  const statistics = await createStatistics({ db, clock }, registry as never)()
  expectSameRanking(statistics.top_month, replies.top_month as Statistics['top_month'])
  const weeks = new ServerWeeks({ db, clock }, registry as never)
  await weeks.load(servers.map(({ publicId }) => publicId))
  for (const { publicId } of servers) {
    const [current, former] = [weeks.of(publicId), replies[`week ${publicId}`] as ServerWeek]
    expect([current?.from, current?.stepMs, current?.peak]).toEqual([former.from, former.stepMs, former.peak])
    // The former program had the newest hour in memory only.
    expect(current?.highest.slice(0, -1)).toEqual(former.highest.slice(0, -1))
    expect(Math.abs((current?.uptime ?? 0) - (former.uptime ?? 0))).toBeLessThan(0.001)
  }
}

function expectSameRanking(current: Statistics['top_month'], former: Statistics['top_month']): void {
  expect(current.map(({ public_id, peak }) => [public_id, peak])).toEqual(former.map(({ public_id, peak }) => [public_id, peak]))
  expectSameAverages(
    current.map(({ average }) => average),
    former.map(({ average }) => average),
  )
}

describe('a migrated history', () => {
  test('has the steps of every graph as before', async () => {
    const { top_month, ...rest } = FORMER.replies
    expect([Object.keys(rest).length, (top_month as unknown[]).length]).toEqual([31, 2])
    // The days since the last whole week are added by the job.
    await rollUpHistory({ db, clock }, { flush: () => Promise.resolve() })
    await compareAll()
  })

  test('has the last day of all servers, whose peak is a bucket', async () => {
    const former = FORMER.replies.day as DayHistory
    const publicIds = FORMER.servers.map(({ publicId }) => publicId)
    const { peak, ...current } = presentDay(await lastDayOf({ db, clock }, publicIds))
    expect({ ...current, peak: null }).toEqual({ ...former, peak: null })
    // An average of five minutes is at most the former peak of one minute.
    expect(peak?.players).toBeLessThanOrEqual(former.peak?.players ?? 0)
    expect(peak?.players).toBeGreaterThanOrEqual(0.95 * (former.peak?.players ?? 0))
  })

  test('leaves no former table, and expires with the rest', async () => {
    const off = FORMER.now + 400 * DAY_MS
    await rollUpHistory({ db, clock: { now: () => off, uptime: () => 0 } }, { flush: () => Promise.resolve() })
    const { rows } = await sql<{ tables: number }>`
      select count(*)::integer as tables from information_schema.tables
      where table_name in ('player_samples', 'player_history', 'list_samples', 'list_history')`.execute(db)
    expect(rows).toEqual([{ tables: 0 }])
    expect(await db.selectFrom('player_buckets').select('at').execute()).toEqual([])
  })
})
