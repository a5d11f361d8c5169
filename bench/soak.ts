/**
 * Hours of what a list of 10,000 has every day: its announces, one whole list and some deltas a second. What is looked for is what grows:
 * the heap once it is swept up, open files, waiting times. `--minutes 1440` is a day.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Muster } from './lib/muster.ts'
import { announceRequests, listRequest } from './lib/requests.ts'
import { ANNOUNCE_SECONDS, type Run, sizeUpTo } from './lib/stage.ts'
import { milli, percent, printTable, size, statusesOf } from './lib/table.ts'

const AIMS = { p99Ms: 50, lagMs: 30, megabytesAnHour: 1 }
const FLAGS = ['--expose-gc', '--import', join(import.meta.dirname, 'lib/sweep.ts')]
/** The program's own. */
const TTL_SECONDS = 75
const CONNECTIONS = 64
const LISTS_A_SECOND = 1
const UNCHANGED = { connections: 20, rate: 20 }
const CHANGING_OF_TEN = 3
/** A minute is as long as so many turns of other parts. */
const TURNS = 60
const HOUR_MS = 3_600_000
/** Until what was swept up is off the books. */
const SWEEP_MS = 1000
const MEGABYTE = 1024 * 1024
/** Of all minutes: what the engine compiles and keeps at hand is there after them. */
const WARM_SHARE = 0.25

interface Minute {
  readonly p50: number
  readonly p99: number
  readonly statuses: string
  readonly cpuPercent: number
  readonly lag: number
  readonly rss: number
  readonly heap: number
  readonly descriptors: number
}

export async function run({ sizes, stage, figures, minutes, milliseconds }: Run & { readonly minutes: number }): Promise<void> {
  const servers = sizeUpTo(sizes)
  const muster = await stage.program(servers, { flags: FLAGS, ttlSeconds: TTL_SECONDS })
  const list = (headers: Record<string, string>) => listRequest('/servers', { 'Accept-Encoding': 'gzip', ...headers })
  const announces = {
    connections: CONNECTIONS,
    rate: servers / ANNOUNCE_SECONDS,
    requests: stage.file(JSON.stringify(announceRequests(muster.fleet, CHANGING_OF_TEN))),
  }
  const lists = { connections: 1, rate: LISTS_A_SECOND, requests: [list({})] }
  const polls = { ...UNCHANGED, requests: [list({})], expected: '200|304', keepsTags: true }
  const all: Minute[] = []
  for (let minute = 0; minute < minutes; minute += 1) {
    await muster.lagMs()
    const { p50, p99, statuses, cpuPercent } = await stage.load.run(muster, milliseconds * TURNS, announces, lists, polls)
    const lag = await muster.lagMs()
    const rss = muster.memory().rss / 1024
    all.push({ p50, p99, statuses: statusesOf(statuses), cpuPercent, lag, rss, ...(await sweptUp(muster)) })
  }
  await muster.stop()
  console.log(
    `SOAK: ${size(servers)} servers for ${minutes} minutes, N/${ANNOUNCE_SECONDS} announces a second, ${LISTS_A_SECOND} whole list and ${UNCHANGED.rate} polls a second; after each minute the heap is swept up.`,
  )
  printTable([
    ['minute', 'p50', 'p99', 'statuses', 'CPU', 'lag', 'RSS', 'heap, swept up', 'open files'],
    ...all.flatMap((each, minute) =>
      minute % Math.ceil(minutes / 20) === 0 || minute === minutes - 1
        ? [
            [
              String(minute + 1),
              milli(each.p50),
              milli(each.p99),
              each.statuses,
              percent(each.cpuPercent),
              milli(each.lag),
              mega(each.rss),
              mega(each.heap),
              String(each.descriptors),
            ],
          ]
        : [],
    ),
  ])
  const warm = all.slice(Math.floor(minutes * WARM_SHARE))
  const most = (of: (minute: Minute) => number) => Math.max(...warm.map(of))
  const slope = slopeOf(warm.map(({ heap }) => heap)) * (HOUR_MS / (milliseconds * TURNS))
  const said = [
    figures.atMost(`soak, ${minutes} minutes: heap, swept up, an hour`, slope, AIMS.megabytesAnHour, mega),
    figures.atMost(
      `soak, ${minutes} minutes: p99 of announces, the worst minute`,
      most(({ p99 }) => p99),
      AIMS.p99Ms,
      milli,
    ),
    figures.atMost(
      `soak, ${minutes} minutes: lag of the event loop, p99 of the worst minute`,
      most(({ lag }) => lag),
      AIMS.lagMs,
      milli,
    ),
  ]
  console.log(`After the first quarter: heap ${mega(slope)} an hour ${said[0]}, p99 ${said[1]}, lag ${said[2]}.`)
}

/** Between two turns, when nobody waits for it. */
async function sweptUp(muster: Muster): Promise<{ heap: number; descriptors: number }> {
  muster.sweep()
  await sleep(SWEEP_MS)
  const heap = (await muster.metric('nodejs_heap_size_used_bytes')) / MEGABYTE
  return { heap, descriptors: muster.descriptors() }
}

/** Of the straight line nearest to the values, by the step between them (least squares). */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const over = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0)
  return over / values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)
}

const mega = (value: number) => `${value.toFixed(1)} MB`
