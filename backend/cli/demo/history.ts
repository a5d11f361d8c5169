/** Sixty days of players for each server, in the buckets that sampling and rolling up would have left. */
import { sql } from 'kysely'
import pLimit from 'p-limit'
import type { Db } from '#backend/platform/database/open.ts'
import { BUCKETS, BUCKET_MS, type Counts, noCounts } from '#backend/services/history/buckets.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, startOf } from '#backend/services/history/time.ts'
import { type Profile, Random, expectedPlayers } from '#backend/cli/simulate/profiles.ts'
import { ALICE, type Demo, type DemoServer } from './cast.ts'

const DAYS = 60
/** Postgres stores some servers while this process computes the next. */
const CONCURRENCY = 4
const BUCKET_MINUTES = BUCKETS.fiveMinutes.minutes
const PREVIOUS_VERSION = '16.4.1'

interface Outage {
  readonly from: number
  readonly to: number
}

/** The busiest minute of the list, compared with the average of the bucket. */
const PEAK_SHARES: Readonly<Record<number, number>> = { 60: 1.04, 1440: 1.4 }

/** From Sunday to Saturday. */
const WEEKDAY_SHARES = [1.15, 0.9, 0.85, 0.9, 0.95, 1.05, 1.2]

type Buckets = Map<number, Counts>
type List = Record<keyof typeof BUCKETS, Buckets>

export async function storeHistory({ db, now, servers }: Demo): Promise<void> {
  const list: List = { fiveMinutes: new Map(), hour: new Map(), day: new Map() }
  const store = async (server: DemoServer, place: number) => {
    const outages = outagesOf(server, now)
    const levels = bucketsOf(server, outages, now, place === ALICE.frozen)
    for (const [level, buckets] of Object.entries(levels) as [keyof List, Buckets][]) {
      addTo(list[level], buckets, BUCKETS[level].minutes)
      await insertPlayers(db, server.publicId, BUCKETS[level].minutes, buckets)
    }
    await insertRestarts(db, server, outages, now)
  }
  await pLimit(CONCURRENCY).map(servers, (server, place) => (server.offlineSince === 0 ? undefined : store(server, place)))
  for (const [level, buckets] of Object.entries(list) as [keyof List, Buckets][]) await insertList(db, BUCKETS[level].minutes, buckets)
}

/** A crash every week or so, and at the end the outage that lasts until now. */
function outagesOf({ createdAt, offlineSince, seed }: DemoServer, now: number): Outage[] {
  const random = new Random(seed)
  const outages: Outage[] = []
  for (let at = Math.max(createdAt, now - DAYS * DAY_MS); ;) {
    at += random.between(2, 14) * DAY_MS
    const to = at + random.between(0.1, 2) * HOUR_MS
    if (to > (offlineSince ?? now - HOUR_MS)) break
    outages.push({ from: at, to })
  }
  return offlineSince === undefined ? outages : [...outages, { from: offlineSince, to: now }]
}

function bucketsOf({ createdAt, profile, seed }: DemoServer, outages: readonly Outage[], now: number, isFrozen: boolean): List {
  const random = new Random(seed + 1)
  const growth = random.between(0.6, 1.1)
  const levels: List = { fiveMinutes: new Map(), hour: new Map(), day: new Map() }
  let noise = 0
  for (let at = startOf(Math.max(createdAt + BUCKET_MS, now - DAYS * DAY_MS), BUCKET_MS); at + BUCKET_MS <= now; at += BUCKET_MS) {
    noise = noise * 0.95 + random.between(-0.06, 0.06)
    const outage = outages.find(({ from, to }) => at + BUCKET_MS > from && at < to)
    const online = outage === undefined ? BUCKET_MINUTES : Math.max(0, Math.floor((outage.from - at) / MINUTE_MS))
    const age = (now - at) / (DAYS * DAY_MS)
    const expected = isFrozen && age < 1.2 / DAYS ? profile.peak : playersAt(profile, at, now) * (1 - age + age * growth) * (1 + noise)
    const players = online === 0 ? 0 : Math.min(profile.slots, Math.max(0, Math.round(expected)))
    const counts = { players: players * online, highest: online === 0 ? 0 : players, online, sampled: BUCKET_MINUTES }
    for (const [level, { minutes, keptMs }] of Object.entries(BUCKETS) as [keyof List, (typeof BUCKETS)[keyof List]][]) {
      const length = minutes * MINUTE_MS
      const start = startOf(at, length)
      // The program rolls up the current hour and day itself.
      if (start < now - keptMs || start + length > now) continue
      levels[level].set(start, sum(levels[level].get(start) ?? noCounts(), counts))
    }
  }
  return levels
}

/** More at the weekend of the players. Compared with today, because the simulated game servers know no weekdays. */
function playersAt(profile: Profile, at: number, now: number): number {
  const share = (time: number) => WEEKDAY_SHARES[new Date(time + profile.zone * HOUR_MS).getUTCDay()] ?? 1
  return (expectedPlayers(profile, at) * share(at)) / share(now)
}

const sum = (one: Counts, other: Counts): Counts => ({
  players: one.players + other.players,
  highest: Math.max(one.highest, other.highest),
  online: one.online + other.online,
  sampled: one.sampled + other.sampled,
})

/** Servers peak at different minutes, so the average is closer to the peak of the list than the sum of all peaks. */
function addTo(list: Buckets, buckets: Buckets, minutes: number): void {
  for (const [at, { players, online }] of buckets) {
    const total = list.get(at) ?? noCounts()
    list.set(at, { players: total.players + players, online: total.online + online, highest: 0, sampled: minutes })
  }
}

const asRows = (buckets: Buckets) => sql`json_to_recordset(${JSON.stringify([...buckets].map(([at, counts]) => ({ at, ...counts })))}::json)
  as r (at float8, players integer, highest integer, online integer, sampled integer)`

/** As the program, stores no bucket in which the server was offline. */
async function insertPlayers(db: Db, publicId: string, minutes: number, buckets: Buckets): Promise<void> {
  await sql`
    insert into player_buckets (server_id, bucket_minutes, at, players, highest, online, sampled)
    select ${publicId}, ${minutes}::smallint, to_timestamp(at / 1000), players, highest, online, sampled
    from ${asRows(buckets)} where online > 0`.execute(db)
}

async function insertList(db: Db, minutes: number, buckets: Buckets): Promise<void> {
  await sql`
    insert into list_buckets (bucket_minutes, at, sampled, players, servers, players_highest, servers_highest)
    select ${minutes}::smallint, to_timestamp(at / 1000), sampled, players, online,
      round(players * ${PEAK_SHARES[minutes] ?? 1}::float8 / sampled), ceil(online / sampled::float8)
    from ${asRows(buckets)}`.execute(db)
}

/** Each crash, and one update that a restart brought. */
async function insertRestarts(db: Db, { publicId, profile }: DemoServer, outages: readonly Outage[], now: number): Promise<void> {
  const restarts = outages
    .filter(({ to }) => to < now)
    .slice(-5)
    .map(({ from, to }, index) => ({
      server_id: publicId,
      at: new Date(to),
      version: index === 0 ? PREVIOUS_VERSION : profile.version,
      previous_version: index <= 1 ? PREVIOUS_VERSION : profile.version,
      offline_since: new Date(from),
    }))
  if (restarts.length > 0) await db.insertInto('server_restarts').values(restarts).execute()
}
