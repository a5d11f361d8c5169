/** What the history of players takes on disk: real tables with days of minutes, and what the program itself makes of them. */
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
import { inventFleet, seedFleet } from './lib/fleet.ts'
import type { Run } from './lib/stage.ts'
import { kilo, printTable } from './lib/table.ts'

const SERVERS = 100
const AIM_BYTES = 5
/** Two weeks begin and end within it wherever in a week it begins. */
const FILLED_DAYS = 15
/** What is kept, each in its steps. */
const KEPT = { minuteDays: 8, days: 31, weeks: 53 }
const HOURS_OF_DAY = 24
const HOUR_MS = 3_600_000
const MINUTES_OF_HOUR = 60
/** An hour's row is written each five minutes with all that is known of it. */
const WRITES_OF_HOUR = 12
/** What autovacuum does by itself once a fiftieth of the table has been written again (0005_scale): of the 192 hours of 8 days, four writes of one are that much. */
const WRITES_A_VACUUM = 4
/** Days of minutes that are written for each round of the other parts: they take longest. */
const DAYS_A_ROUND = 2
const NOBODY_ASKS = { isStopping: false, hours: [], flush: () => Promise.resolve() }

/** Always with a few hundred servers: bytes a sample do not depend on how many there are. */
export async function run({ rounds, figures }: Run): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'))
  const database = await openDatabase({ DATA_DIR: folder }, createLog('warn'))
  const { db } = database
  try {
    await migrateToLatest(db)
    const empty = await sizesOf(db)
    await seedFleet(db, inventFleet(SERVERS))
    await fillMinutes(db)
    await rollUpHistory({ db, clock: systemClock }, NOBODY_ASKS)
    const minuteDays = Math.min(KEPT.minuteDays, rounds * DAYS_A_ROUND)
    await writeMinutes(db, minuteDays)
    await fillUp(db)
    for (const table of ['player_samples', 'player_history']) await vacuum(db, table)
    const full = await sizesOf(db)
    console.log(
      `HISTORY of a server that was online all the time: ${minuteDays} days of minutes, each hour written ${WRITES_OF_HOUR} times; ${KEPT.days} days of 10 minutes, ${KEPT.weeks} weeks of hours; after plain vacuum, indexes included.`,
    )
    const rows = [['', 'samples', 'bytes a server', 'a sample', '']]
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
        figures.atMost(`history, ${name}: bytes a sample`, each, AIM_BYTES, show),
      ])
    }
    printTable(rows)
  } finally {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Players come and go with the hour of the day, and a little by themselves. */
async function fillMinutes(db: Db): Promise<void> {
  await sql`create table hours as
    select date_trunc('day', now(), 'UTC') - interval '1 hour' * n as hour from generate_series(1, ${FILLED_DAYS * HOURS_OF_DAY}) n`.execute(
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

/** As many days and weeks as are kept: those that were made, and copies of the oldest for the rest. */
async function fillUp(db: Db): Promise<void> {
  for (const [minutes, count, span] of [
    [10, KEPT.days, '1 day'],
    [60, KEPT.weeks, '7 days'],
  ] as const)
    await sql`with made as (
        select min(from_at) as oldest, count(distinct from_at) as spans from player_history where step_minutes = ${minutes})
      insert into player_history (server_id, step_minutes, from_at, steps)
      select server_id, step_minutes, from_at - n * ${span}::interval, steps
      from player_history join made on from_at = oldest cross join generate_series(1, ${count} - spans) n
      where step_minutes = ${minutes} order by n, server_id`.execute(db)
}

/** Rewrites the minutes as the program does: each hour repeatedly, with the minutes so far. */
async function writeMinutes(db: Db, days: number): Promise<void> {
  const { rows } = await sql<{ server_id: string; players: number[] }>`
    select distinct on (server_id) server_id, players from player_samples order by server_id, hour desc`.execute(db)
  await sql`truncate player_samples`.execute(db)
  const first = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - days * HOURS_OF_DAY * HOUR_MS
  for (let write = 0; write < days * HOURS_OF_DAY * WRITES_OF_HOUR; write += 1) {
    const hour = Math.floor(write / WRITES_OF_HOUR)
    const known = ((write % WRITES_OF_HOUR) + 1) * (MINUTES_OF_HOUR / WRITES_OF_HOUR)
    await upsertSamples(
      db,
      new Date(first + hour * HOUR_MS),
      rows.map(({ server_id }) => server_id),
      rows.map(({ players }) => `{${players.map((one, minute) => (minute < known ? one + (hour % 7) : NOT_SAMPLED)).join(',')}}`),
    )
    if (write % WRITES_A_VACUUM === WRITES_A_VACUUM - 1) await vacuum(db, 'player_samples')
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
