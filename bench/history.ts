/** Disk size of the player history: real tables with days of minutes, rolled up by the program. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { systemClock } from '#backend/platform/clock.ts'
import { migrateToLatest } from '#backend/platform/database/migrate.ts'
import { type Db, openDatabase } from '#backend/platform/database/open.ts'
import { rollUpHistory } from '#backend/features/history/rollup.ts'
import { upsertSamples } from '#backend/features/history/player-sampler.queries.ts'
import { NOT_SAMPLED } from '#backend/platform/database/tables/player-samples.ts'
import { createLog } from '#backend/platform/log.ts'
import { createFleet, seedFleet } from './lib/fleet.ts'
import type { Run } from './lib/test-bed.ts'
import { kilo, printTable } from './lib/table.ts'

const SERVERS = 100
const MAX_BYTES = 5
/** Covers at least one whole week on every weekday. */
const FILLED_DAYS = 15
/** Retention of each resolution. */
const RETENTION = { minuteDays: 8, days: 31, weeks: 53 }
const HOURS_PER_DAY = 24
const HOUR_MS = 3_600_000
const MINUTES_PER_HOUR = 60
/** The row of an hour is rewritten every five minutes. */
const WRITES_PER_HOUR = 12
/** Autovacuum runs once 2 % of the table has changed (0005_scale): about four writes of one of the 192 hours. */
const WRITES_PER_VACUUM = 4
/** Days of minutes per round of the other parts: these writes take the longest. */
const DAYS_PER_ROUND = 2
const NO_REQUESTS = { isStopping: false, hours: [], flush: () => Promise.resolve() }

/** The number of servers is fixed: bytes per sample do not depend on it. */
export async function run({ rounds, figures }: Run): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'))
  const database = await openDatabase({ DATA_DIR: folder }, createLog('warn'))
  const { db } = database
  try {
    await migrateToLatest(db)
    const empty = await sizesOf(db)
    await seedFleet(db, createFleet(SERVERS))
    await fillMinutes(db)
    await rollUpHistory({ db, clock: systemClock }, NO_REQUESTS)
    const minuteDays = Math.min(RETENTION.minuteDays, rounds * DAYS_PER_ROUND)
    await writeMinutes(db, minuteDays)
    await fillRetention(db)
    for (const table of ['player_samples', 'player_history']) await vacuum(db, table)
    const full = await sizesOf(db)
    console.log(
      `HISTORY of a server that is always online: ${minuteDays} days of minutes, each hour written ${WRITES_PER_HOUR} times; ${RETENTION.days} days of 10 minutes, ${RETENTION.weeks} weeks of hours; after plain vacuum, including indexes.`,
    )
    const rows = [['', 'samples', 'bytes per server', 'per sample', '']]
    for (const [name, count, bytes] of [
      ['minutes', await samplesOf(db, 'minutes'), full.minutes - empty.minutes],
      ['10 minutes and hours', await samplesOf(db, 'steps'), full.steps - empty.steps],
    ] as const) {
      const each = bytes / count
      const show = (value: number) => `${value.toFixed(2)} B`
      rows.push([
        name,
        String(count / SERVERS),
        kilo(bytes / SERVERS),
        show(each),
        figures.atMost(`history, ${name}: bytes per sample`, each, MAX_BYTES, show),
      ])
    }
    printTable(rows)
  } finally {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The player counts follow the hour of the day, with some variation per server. */
async function fillMinutes(db: Db): Promise<void> {
  await sql`create table hours as
    select date_trunc('day', now(), 'UTC') - interval '1 hour' * n as hour from generate_series(1, ${FILLED_DAYS * HOURS_PER_DAY}) n`.execute(
    db,
  )
  await sql`insert into player_samples (server_id, hour, players)
    select s.public_id, h.hour, (
      select array_agg((20 + 15 * sin(extract(epoch from h.hour) / 13750 + m / 230.0) + 3 * sin(m + hashtext(s.public_id) % 60))::smallint order by m)
      from generate_series(0, 59) m)
    from servers s cross join hours h order by h.hour, s.public_id`.execute(db)
  await sql`insert into list_samples (hour, players, servers)
    select hour, array_fill(6000, array[60]), array_fill(${SERVERS}::integer, array[60]) from hours`.execute(db)
}

/** Fills the retention with copies of the oldest rolled-up day and week. */
async function fillRetention(db: Db): Promise<void> {
  for (const [minutes, count, span] of [
    [10, RETENTION.days, '1 day'],
    [60, RETENTION.weeks, '7 days'],
  ] as const)
    await sql`with made as (
        select min(from_at) as oldest, count(distinct from_at) as spans from player_history where step_minutes = ${minutes})
      insert into player_history (server_id, step_minutes, from_at, steps)
      select server_id, step_minutes, from_at - n * ${span}::interval, steps
      from player_history join made on from_at = oldest cross join generate_series(1, ${count} - spans) n
      where step_minutes = ${minutes} order by n, server_id`.execute(db)
}

/** Rewrites the minutes as the program does: each hour several times, with the minutes so far. */
async function writeMinutes(db: Db, days: number): Promise<void> {
  const { rows } = await sql<{ server_id: string; players: number[] }>`
    select distinct on (server_id) server_id, players from player_samples order by server_id, hour desc`.execute(db)
  await sql`truncate player_samples`.execute(db)
  const first = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - days * HOURS_PER_DAY * HOUR_MS
  for (let write = 0; write < days * HOURS_PER_DAY * WRITES_PER_HOUR; write += 1) {
    const hour = Math.floor(write / WRITES_PER_HOUR)
    const minutesSoFar = ((write % WRITES_PER_HOUR) + 1) * (MINUTES_PER_HOUR / WRITES_PER_HOUR)
    await upsertSamples(
      db,
      new Date(first + hour * HOUR_MS),
      rows.map(({ server_id }) => server_id),
      rows.map(({ players }) => `{${players.map((one, minute) => (minute < minutesSoFar ? one + (hour % 7) : NOT_SAMPLED)).join(',')}}`),
    )
    if (write % WRITES_PER_VACUUM === WRITES_PER_VACUUM - 1) await vacuum(db, 'player_samples')
  }
}

async function vacuum(db: Db, table: string): Promise<void> {
  await sql`vacuum ${sql.id(table)}`.execute(db)
}

async function sizesOf(db: Db): Promise<{ minutes: number; steps: number }> {
  const { rows } = await sql<{ minutes: string; steps: string }>`
    select pg_total_relation_size('player_samples') as minutes, pg_total_relation_size('player_history') as steps`.execute(db)
  return { minutes: Number(rows[0]?.minutes), steps: Number(rows[0]?.steps) }
}

async function samplesOf(db: Db, kind: 'minutes' | 'steps'): Promise<number> {
  const { rows } = await (
    kind === 'minutes'
      ? sql<{ count: string }>`select sum(cardinality(players)) as count from player_samples`
      : sql<{ count: string }>`select sum(length(steps) / 4) as count from player_history`
  ).execute(db)
  return Number(rows[0]?.count)
}
