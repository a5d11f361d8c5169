/** The last day of many servers in half-hour steps, for small graphs, with the peak minute of their total. */
import type { HistoryDeps } from './history.ts'
import { listSampleHours } from './history.queries.ts'
import { type RecentSamples, overlay } from './server-steps.ts'
import { NOT_SAMPLED } from '#backend/platform/database/tables/player-samples.ts'
import { DAY_MS, HOUR_MS, MINUTES_OF_HOUR, MINUTE_MS, startOf } from './time.ts'

const STEP_MS = HOUR_MS / 2
const STEPS = DAY_MS / STEP_MS
const MINUTES_OF_STEP = STEP_MS / MINUTE_MS
/** Servers read in one query: 2,500 rows. */
const BATCH_SIZE = 100

export interface LastDay {
  /** Start of the first step in wall milliseconds; the last step is incomplete. */
  readonly from: number
  readonly stepMs: number
  /** By server in the requested order; null if it was offline or not sampled throughout. */
  readonly highest: ReadonlyMap<string, readonly (number | null)[]>
  /** The first minute with the highest total. */
  readonly peak: { readonly players: number; readonly at: number } | null
}

export async function lastDayOf({ db, clock }: HistoryDeps, recent: RecentSamples, publicIds: readonly string[]): Promise<LastDay> {
  const now = clock.now()
  const from = startOf(now, STEP_MS) - (STEPS - 1) * STEP_MS
  const firstHour = startOf(from, HOUR_MS)
  const highest = new Map<string, (number | null)[]>()
  const total = new Int32Array(STEPS * MINUTES_OF_STEP).fill(-1)
  for (let start = 0; start < publicIds.length; start += BATCH_SIZE) {
    const batch = publicIds.slice(start, start + BATCH_SIZE)
    const rows = await listSampleHours(db, batch, new Date(firstHour), new Date(now))
    const stored = new Map(rows.map((row) => [`${row.server_id} ${row.hour.getTime()}`, row.players]))
    for (const publicId of batch) {
      const minutes = new Int16Array(STEPS * MINUTES_OF_STEP).fill(NOT_SAMPLED)
      for (let hour = firstHour; hour <= now; hour += HOUR_MS) {
        const countAt = overlay(stored.get(`${publicId} ${hour}`), recent.samplesOf(publicId, hour))
        if (countAt) copyHour(countAt, minutes, (hour - from) / MINUTE_MS, Math.floor((now - from) / MINUTE_MS))
      }
      highest.set(publicId, highestOf(minutes))
      addTo(total, minutes)
    }
  }
  return { from, stepMs: STEP_MS, highest, peak: peakOf(total, from) }
}

/** @param begin index of the hour's first minute; may be negative. @param last index of the current minute. */
function copyHour(countAt: (minute: number) => number, minutes: Int16Array, begin: number, last: number): void {
  const end = Math.min(MINUTES_OF_HOUR, last + 1 - begin)
  for (let minute = Math.max(0, -begin); minute < end; minute += 1) minutes[begin + minute] = countAt(minute)
}

function highestOf(minutes: Int16Array): (number | null)[] {
  return Array.from({ length: STEPS }, (_, step) => {
    const highest = Math.max(...minutes.subarray(step * MINUTES_OF_STEP, (step + 1) * MINUTES_OF_STEP))
    return highest < 0 ? null : highest
  })
}

/** A minute in which no server was online stays negative. */
function addTo(total: Int32Array, minutes: Int16Array): void {
  for (const [index, players] of minutes.entries()) if (players >= 0) total[index] = Math.max(0, total[index] ?? 0) + players
}

function peakOf(total: Int32Array, from: number): LastDay['peak'] {
  const players = Math.max(...total)
  return players < 0 ? null : { players, at: from + total.indexOf(players) * MINUTE_MS }
}
