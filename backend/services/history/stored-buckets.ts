/** The stored samples of all servers, for the detectors. */
import { sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import { BUCKETS, type Counts } from './buckets.ts'
import { OFFLINE } from './player-sampler.ts'
import { MINUTE_MS } from './time.ts'

/** Servers read at once: with their last day, about a millisecond to parse. */
const READ_BATCH = 20

export interface StoredBucket extends Counts {
  /** Wall milliseconds. */
  readonly at: number
}

interface StoredServer {
  readonly publicId: string
  /** Oldest first. */
  readonly buckets: readonly StoredBucket[]
}

/** The stored five minutes of each server since then, also those in which it was offline, in pages of a few servers. */
export async function* storedBuckets(db: Db, from: Date): AsyncGenerator<readonly StoredServer[]> {
  const isRead = sql`bucket_minutes = ${BUCKETS.fiveMinutes.minutes} and at >= ${from}::timestamptz`
  let after = ''
  for (;;) {
    const { rows } = await sql<{ public_id: string; buckets: number[][] | null }>`
      select s.public_id, b.buckets
      from (select public_id from servers where public_id > ${after} order by public_id limit ${READ_BATCH}) s left join lateral (
        select json_agg(json_build_array(extract(epoch from at)::float8 * 1000, coalesce(b.players, 0), coalesce(b.highest, 0),
          coalesce(b.online, 0), coalesce(b.sampled, l.sampled)) order by at) as buckets
        from (select at, sampled from list_buckets where ${isRead}) l
        left join (select * from player_buckets where server_id = s.public_id and ${isRead}) b using (at)
        having count(b.at) > 0
      ) b on true order by s.public_id`.execute(db)
    yield rows.map(({ public_id, buckets }) => ({
      publicId: public_id,
      buckets: (buckets ?? []).map(([at = 0, players = 0, highest = 0, online = 0, sampled = 0]) => ({
        at,
        players,
        highest,
        online,
        sampled,
      })),
    }))
    if (rows.length < READ_BATCH) return
    after = rows.at(-1)?.public_id ?? ''
  }
}

interface StoredMinute {
  /** Wall milliseconds. */
  readonly at: number
  readonly players: number
}

/** The minutes of a bucket, as far as it tells: offline ones first, the one with the most players last. The others are rounded down. */
export function minutesOf({ at, players, highest, online, sampled }: StoredBucket): StoredMinute[] {
  // Only equal minutes are equal.
  const other = online > 1 ? Math.floor((players - highest) / (online - 1)) : highest
  return Array.from({ length: sampled }, (_, minute) => ({
    at: at + minute * MINUTE_MS,
    players: minute < sampled - online ? OFFLINE : minute === sampled - 1 ? highest : other,
  }))
}
