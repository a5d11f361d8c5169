/** Reads a range of steps from stored buckets. */
import type { HistoryRange } from '#contract/history/history.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { BUCKET_MS, type Counts, type ListCounts } from './buckets.ts'
import { type StepRange, findPeak, listServerSteps, listTotalSteps } from './buckets.queries.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS, startOf } from './time.ts'

export type HistoryDeps = Pick<Deps, 'db' | 'clock'>

type Resolution = Pick<StepRange, 'stepMs' | 'count' | 'coarsest'>

/** No more steps than a graph can show. */
const RANGES: Readonly<Record<HistoryRange, Resolution>> = {
  '24h': { stepMs: 10 * MINUTE_MS, count: 144, coarsest: 'fiveMinutes' },
  '7d': { stepMs: HOUR_MS, count: 168, coarsest: 'hour' },
  '31d': { stepMs: 4 * HOUR_MS, count: 186, coarsest: 'hour' },
  '1y': { stepMs: DAY_MS, count: 366, coarsest: 'day' },
}

/** Equal steps up to now, oldest first; the last one is incomplete. */
export interface Series<T> {
  /** Start of the first step in wall milliseconds. */
  readonly from: number
  readonly stepMs: number
  readonly steps: readonly T[]
}

export interface Peak {
  readonly players: number
  /** Start of its bucket in wall milliseconds. */
  readonly at: number
  /** Length of the bucket. */
  readonly seconds: number
}

interface ServerKey {
  readonly publicId: string
  /** Wall milliseconds; earlier minutes don't count as offline. */
  readonly createdAt: number
}

/** Start of a range's first step in wall milliseconds. */
export const startOfRange = (range: HistoryRange, now: number) => startOfSteps(RANGES[range], now)

const startOfSteps = ({ stepMs, count }: Resolution, now: number) => startOf(now, stepMs) - (count - 1) * stepMs

/** The incomplete bucket belongs to a range that ends now. */
function stepsUpTo(resolution: Resolution, now: number, weeksAgo: 0 | 1 = 0): StepRange {
  const end = now - weeksAgo * WEEK_MS
  return { ...resolution, from: startOfSteps(resolution, end), to: weeksAgo === 0 ? end + BUCKET_MS : end }
}

/** The steps of many servers in one query. @param weeksAgo moves the range back; at most 1, because five minutes are kept for eight days. */
export async function seriesOfServers(
  db: Deps['db'],
  servers: readonly ServerKey[],
  resolution: Resolution,
  now: number,
  weeksAgo: 0 | 1 = 0,
): Promise<ReadonlyMap<string, Series<Counts>>> {
  const range = stepsUpTo(resolution, now, weeksAgo)
  const stored = await listServerSteps(db, servers, range)
  return new Map(Array.from(stored, ([publicId, steps]) => [publicId, { from: range.from, stepMs: range.stepMs, steps }]))
}

/** @param weeksAgo as for `seriesOfServers`. */
export async function serverSeries(
  { db, clock }: HistoryDeps,
  server: ServerKey,
  range: HistoryRange,
  weeksAgo: 0 | 1 = 0,
): Promise<Series<Counts> & { readonly peak: Peak | undefined }> {
  const series = (await seriesOfServers(db, [server], RANGES[range], clock.now(), weeksAgo)).get(server.publicId)
  if (series === undefined) throw new Error('No series was read.')
  const highest = series.steps.map((step) => (step.online === 0 ? -1 : step.highest))
  return { ...series, peak: await peakOf(db, series, highest, server.publicId) }
}

export async function listSeries(
  { db, clock }: HistoryDeps,
  range: HistoryRange,
): Promise<Series<ListCounts> & { readonly peak: Peak | undefined }> {
  const { from, stepMs, ...rest } = stepsUpTo(RANGES[range], clock.now())
  const steps = await listTotalSteps(db, { from, stepMs, ...rest })
  const highest = steps.map((step) => (step.sampled === 0 ? -1 : step.players_highest))
  return { from, stepMs, steps, peak: await peakOf(db, { from, stepMs }, highest) }
}

/** The first bucket with the most players. @param highest of each step; -1 without players. */
async function peakOf(
  db: Deps['db'],
  { from, stepMs }: Pick<Series<unknown>, 'from' | 'stepMs'>,
  highest: readonly number[],
  publicId?: string,
): Promise<Peak | undefined> {
  const players = Math.max(...highest)
  if (players < 0) return undefined
  const start = from + highest.indexOf(players) * stepMs
  const stored = await findPeak(db, publicId, players, new Date(start), new Date(start + stepMs))
  // The bucket may have been rolled up or deleted since.
  if (stored === undefined) return { players, at: start, seconds: stepMs / 1000 }
  return { players, at: stored.at.getTime(), seconds: stored.bucket_minutes * 60 }
}
