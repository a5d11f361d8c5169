/**
 * Hours of what a list of 10,000 has every day: its announces, one whole list and twenty polls of it a second. What is looked for is what
 * grows: the heap once it is swept up, open files, waiting times. `--minutes 1440` is a day.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Asked } from './lib/load.ts'
import { type Muster, SWEEPING } from './lib/muster.ts'
import { announceRequests, listRequest } from './lib/requests.ts'
import { ANNOUNCE_SECONDS, CHANGING_OF_TEN, type Run, type Stage, sizeUpTo } from './lib/stage.ts'
import { type Figures, mega, milli, percent, printTable, size, statusesOf } from './lib/table.ts'

const AIMS = { p99Ms: 50, lagMs: 30, kilobytesAnHour: 1024, descriptors: 10 }
/** The program's own: who is not heard for so long is not listed. */
const TTL_SECONDS = 75
const CONNECTIONS = 64
const LISTS_A_SECOND = 1
const POLLS = { connections: 20, rate: 20 }
/** Of all minutes: what the engine compiles and keeps at hand is there after them. */
const WARM_SHARE = 0.25
/** A minute is as long as so many turns of other parts. */
const TURNS = 60
/** Until what was swept up is off the books. */
const SWEEP_MS = 1000
const MAX_ROWS = 20

interface Minute {
  /** Hours since the start. */
  readonly at: number
  readonly p50: number
  readonly p99: number
  readonly statuses: string
  readonly cpuPercent: number
  readonly lag: number
  /** Kilobytes; of the heap once it is swept up. */
  readonly rss: number
  readonly heap: number
  readonly descriptors: number
  readonly listed: number
}

export async function run(options: Run & { readonly minutes: number }): Promise<void> {
  const { sizes, stage, figures, minutes } = options
  const servers = sizeUpTo(sizes)
  console.log(
    `SOAK: ${size(servers)} servers, N/${ANNOUNCE_SECONDS} announces a second, ${LISTS_A_SECOND} whole list and ${POLLS.rate} polls a second; after each minute the heap is swept up.`,
  )
  const muster = await stage.program(servers, { flags: SWEEPING, ttlSeconds: TTL_SECONDS })
  const orders = ordersOf(stage, muster)
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
    // Also what was measured until something went wrong.
    print(all)
    await muster.stop()
  }
  judge(all, servers, figures)
}

function ordersOf(stage: Stage, { fleet }: Muster): readonly [Asked, Asked, Asked] {
  const lists = [listRequest('/servers', { 'Accept-Encoding': 'gzip' })]
  return [
    {
      connections: CONNECTIONS,
      rate: fleet.length / ANNOUNCE_SECONDS,
      requests: stage.file(JSON.stringify(announceRequests(fleet, CHANGING_OF_TEN))),
    },
    { connections: 1, rate: LISTS_A_SECOND, requests: lists },
    { ...POLLS, requests: lists, expected: '200|304', keepsTags: true },
  ]
}

async function minuteOf(
  { stage, milliseconds }: Run,
  muster: Muster,
  orders: readonly [Asked, ...Asked[]],
  began: number,
): Promise<Minute> {
  await muster.lagMs()
  const { p50, p99, statuses, cpuPercent } = await stage.load.run(muster, milliseconds * TURNS, ...orders)
  const lag = await muster.lagMs()
  const { rss } = muster.memory()
  // Between two turns, when nobody waits for it.
  muster.sweep()
  await sleep(SWEEP_MS)
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
    ['minute', 'p50', 'p99', 'statuses', 'CPU', 'lag', 'RSS', 'heap, swept up', 'open files', 'listed'],
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

/** All minutes that were asked for, without those in which it warmed up. */
function judge(all: readonly Minute[], servers: number, figures: Figures): void {
  const warm = all.slice(Math.floor(all.length * WARM_SHARE))
  const worst = (of: (minute: Minute) => number) => Math.max(...warm.map(of))
  const name = `soak, ${all.length} minutes, after the first quarter:`
  figures.atMost(`${name} heap, swept up, an hour`, slopeOf(warm), AIMS.kilobytesAnHour, mega)
  figures.atMost(
    `${name} p99 of announces, the worst minute`,
    worst(({ p99 }) => p99),
    AIMS.p99Ms,
    milli,
  )
  figures.atMost(
    `${name} lag of the event loop, p99 of the worst minute`,
    worst(({ lag }) => lag),
    AIMS.lagMs,
    milli,
  )
  const more = worst(({ descriptors }) => descriptors) - (warm[0]?.descriptors ?? Number.NaN)
  figures.atMost(`${name} open files, more than before`, more, AIMS.descriptors, String)
  figures.atLeast(`${name} servers listed`, Math.min(...warm.map(({ listed }) => listed)), servers, String)
}

/** Kilobytes an hour: of the straight line nearest to the heaps (least squares). */
function slopeOf(minutes: readonly Minute[]): number {
  const mean = (of: (minute: Minute) => number) => minutes.reduce((sum, minute) => sum + of(minute), 0) / minutes.length
  const [at, heap] = [mean((minute) => minute.at), mean((minute) => minute.heap)]
  const over = minutes.reduce((sum, minute) => sum + (minute.at - at) * (minute.heap - heap), 0)
  return over / minutes.reduce((sum, minute) => sum + (minute.at - at) ** 2, 0)
}
