/** Hours of normal load on a list of 10,000 servers. Finds growing heap, open files or latency. `--minutes 1440` is a day. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadSpec } from './lib/load.ts'
import { type Muster, GC_ON_SIGNAL } from './lib/muster.ts'
import { announceRequests, listRequest } from './lib/requests.ts'
import { ANNOUNCE_SECONDS, CHANGING_OF_TEN, type Run, type TestBed, largestSmallSize } from './lib/test-bed.ts'
import { type Figures, mega, milli, percent, printTable, size, statusesOf } from './lib/table.ts'

const TARGETS = { p99Ms: 50, lagMs: 30, kilobytesAnHour: 1024, descriptors: 10 }
/** The default TTL. */
const TTL_SECONDS = 75
const CONNECTIONS = 64
const LISTS_PER_SECOND = 1
const POLLS = { connections: 20, rate: 20 }
/** The share of the run that counts as warm-up. */
const WARM_SHARE = 0.25
/** A minute lasts as long as this many turns of the other parts. */
const TURNS = 60
/** Time for the forced collection to finish. */
const GC_MS = 1000
const MAX_ROWS = 20

interface Minute {
  /** Hours since the start. */
  readonly at: number
  readonly p50: number
  readonly p99: number
  readonly statuses: string
  readonly cpuPercent: number
  readonly lag: number
  /** Kilobytes; the heap after a forced collection. */
  readonly rss: number
  readonly heap: number
  readonly descriptors: number
  readonly listed: number
}

export async function run(options: Run & { readonly minutes: number }): Promise<void> {
  const { sizes, testBed, figures, minutes } = options
  const servers = largestSmallSize(sizes)
  console.log(
    `SOAK: ${size(servers)} servers, N/${ANNOUNCE_SECONDS} announces a second, ${LISTS_PER_SECOND} whole list and ${POLLS.rate} polls a second; garbage collection after each minute.`,
  )
  const muster = await testBed.program(servers, { flags: GC_ON_SIGNAL, ttlSeconds: TTL_SECONDS })
  const orders = ordersOf(testBed, muster)
  const all: Minute[] = []
  const began = performance.now()
  try {
    while (all.length < minutes) {
      const minute = await minuteOf(options, muster, orders, began)
      all.push(minute)
      console.log(
        `minute ${all.length} of ${minutes}: p99 ${milli(minute.p99)}, lag ${milli(minute.lag)}, heap ${mega(minute.heap)}, listed ${minute.listed}`,
      )
    }
  } finally {
    // A failed run prints its minutes too.
    print(all)
    await muster.stop()
  }
  judge(all, servers, figures)
}

function ordersOf(testBed: TestBed, { fleet }: Muster): readonly [LoadSpec, LoadSpec, LoadSpec] {
  const lists = [listRequest('/servers', { 'Accept-Encoding': 'gzip' })]
  return [
    {
      connections: CONNECTIONS,
      rate: fleet.length / ANNOUNCE_SECONDS,
      requests: testBed.file(JSON.stringify(announceRequests(fleet, CHANGING_OF_TEN))),
    },
    { connections: 1, rate: LISTS_PER_SECOND, requests: lists },
    { ...POLLS, requests: lists, expected: '200|304', isConditional: true },
  ]
}

async function minuteOf(
  { testBed, milliseconds }: Run,
  muster: Muster,
  orders: readonly [LoadSpec, ...LoadSpec[]],
  began: number,
): Promise<Minute> {
  await muster.lagMs()
  const { p50, p99, statuses, cpuPercent } = await testBed.load.run(muster, milliseconds * TURNS, ...orders)
  const lag = await muster.lagMs()
  const { rss } = muster.memory()
  // Between two turns, when no request is waiting.
  muster.forceGc()
  await sleep(GC_MS)
  return {
    at: (performance.now() - began) / 3_600_000,
    p50,
    p99,
    statuses: statusesOf(statuses),
    cpuPercent,
    lag,
    rss,
    heap: (await muster.metric('nodejs_heap_size_used_bytes')) / 1024,
    descriptors: muster.descriptors(),
    listed: await muster.metric('muster_servers_online'),
  }
}

function print(all: readonly Minute[]): void {
  printTable([
    ['minute', 'p50', 'p99', 'statuses', 'CPU', 'lag', 'RSS', 'heap after GC', 'open files', 'listed'],
    ...all.flatMap((each, minute) =>
      minute % Math.ceil(all.length / MAX_ROWS) === 0 || minute === all.length - 1
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
              String(each.listed),
            ],
          ]
        : [],
    ),
  ])
}

/** Judges all minutes after the warm-up. */
function judge(all: readonly Minute[], servers: number, figures: Figures): void {
  const warm = all.slice(Math.floor(all.length * WARM_SHARE))
  const worst = (of: (minute: Minute) => number) => Math.max(...warm.map(of))
  const name = `soak, ${all.length} minutes, after the first quarter:`
  figures.atMost(`${name} heap growth per hour, after GC`, slopeOf(warm), TARGETS.kilobytesAnHour, mega)
  figures.atMost(
    `${name} announce p99, worst minute`,
    worst(({ p99 }) => p99),
    TARGETS.p99Ms,
    milli,
  )
  figures.atMost(
    `${name} event loop lag p99, worst minute`,
    worst(({ lag }) => lag),
    TARGETS.lagMs,
    milli,
  )
  const growth = worst(({ descriptors }) => descriptors) - (warm[0]?.descriptors ?? Number.NaN)
  figures.atMost(`${name} growth of open files`, growth, TARGETS.descriptors, String)
  figures.atLeast(`${name} servers listed`, Math.min(...warm.map(({ listed }) => listed)), servers, String)
}

/** Heap growth in kilobytes per hour (linear least squares). */
function slopeOf(minutes: readonly Minute[]): number {
  const mean = (of: (minute: Minute) => number) => minutes.reduce((sum, minute) => sum + of(minute), 0) / minutes.length
  const [at, heap] = [mean((minute) => minute.at), mean((minute) => minute.heap)]
  const covariance = minutes.reduce((sum, minute) => sum + (minute.at - at) * (minute.heap - heap), 0)
  return covariance / minutes.reduce((sum, minute) => sum + (minute.at - at) ** 2, 0)
}
