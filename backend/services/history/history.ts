/** Reads a range from stored buckets, and from this node's newest samples. */
import type { HistoryRange } from '#contract/history/history.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { BUCKETS, BUCKET_MS, type Counts, type ListCounts, addCounts, addListCounts, noCounts, noListCounts } from './buckets.ts'
import { type StepRange, findPeak, listServerSteps, listTotalSteps } from './buckets.queries.ts'
import type { RecentBuckets } from './player-sampler.ts'
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

/** @param end of the range; the current bucket belongs to one that ends now. */
function stepsUpTo(resolution: Resolution, end: number, now: number, recent: RecentBuckets): StepRange {
  return { ...resolution, from: startOfSteps(resolution, end), to: Math.min(end === now ? now + BUCKET_MS : end, recent.from) }
}

/** The steps of many servers in one query. */
export async function seriesOfServers(
  db: Deps['db'],
  recent: RecentBuckets,
  servers: readonly ServerKey[],
  resolution: Resolution,
  { now, end = now }: { readonly now: number; readonly end?: number },
): Promise<ReadonlyMap<string, Series<Counts>>> {
  const range = stepsUpTo(resolution, end, now, recent)
  const stored = await listServerSteps(db, servers, range)
  return new Map(
    servers.map(({ publicId, createdAt }) => {
      const steps = Array.from({ length: range.count }, noCounts)
      for (const [index, counts] of stored.get(publicId) ?? []) steps[index] = counts
      for (const { at, list, servers: sampled } of recent.buckets) {
        const step = at <= end ? steps[Math.floor((at - range.from) / range.stepMs)] : undefined
        const offline = { ...noCounts(), sampled: at >= createdAt ? list.sampled : 0 }
        if (step !== undefined) addCounts(step, sampled.get(publicId) ?? offline)
      }
      return [publicId, { from: range.from, stepMs: range.stepMs, steps }]
    }),
  )
}

/** @param weeksAgo moves the range back; at most 1, because five minutes are kept for eight days. */
export async function serverSeries(
  { db, clock }: HistoryDeps,
  recent: RecentBuckets,
  server: ServerKey,
  range: HistoryRange,
  weeksAgo: 0 | 1 = 0,
): Promise<Series<Counts> & { readonly peak: Peak | undefined }> {
  const now = clock.now()
  const end = now - weeksAgo * WEEK_MS
  const series = (await seriesOfServers(db, recent, [server], RANGES[range], { now, end })).get(server.publicId)
  if (series === undefined) throw new Error('No series was read.')
  const highest = series.steps.map((step) => (step.online === 0 ? -1 : step.highest))
  return { ...series, peak: await peakOf(db, recent, series, highest, server.publicId) }
}

export async function listSeries(
  { db, clock }: HistoryDeps,
  recent: RecentBuckets,
  range: HistoryRange,
): Promise<Series<ListCounts> & { readonly peak: Peak | undefined }> {
  const now = clock.now()
  const { from, stepMs, count, ...limits } = stepsUpTo(RANGES[range], now, now, recent)
  const steps = Array.from({ length: count }, noListCounts)
  for (const [index, counts] of await listTotalSteps(db, { from, stepMs, count, ...limits })) steps[index] = counts
  for (const { at, list } of recent.buckets) {
    const step = at <= now ? steps[Math.floor((at - from) / stepMs)] : undefined
    if (step !== undefined) addListCounts(step, list)
  }
  const highest = steps.map((step) => (step.sampled === 0 ? -1 : step.players_highest))
  return { from, stepMs, steps, peak: await peakOf(db, recent, { from, stepMs }, highest) }
}

/** The first bucket with the most players. @param highest of each step; -1 without players. */
async function peakOf(
  db: Deps['db'],
  { buckets }: RecentBuckets,
  { from, stepMs }: Pick<Series<unknown>, 'from' | 'stepMs'>,
  highest: readonly number[],
  publicId?: string,
): Promise<Peak | undefined> {
  const players = Math.max(...highest)
  if (players < 0) return undefined
  const start = from + highest.indexOf(players) * stepMs
  const stored = await findPeak(db, publicId, players, new Date(start), new Date(start + stepMs))
  if (stored !== undefined) return { players, at: stored.at.getTime(), seconds: stored.bucket_minutes * 60 }
  const sampled = buckets.find(
    ({ at, list, servers }) =>
      at >= start && at < start + stepMs && (publicId === undefined ? list.players_highest : servers.get(publicId)?.highest) === players,
  )
  return { players, at: sampled?.at ?? start, seconds: sampled === undefined ? stepMs / 1000 : BUCKETS.fiveMinutes.minutes * 60 }
}
