/** Kills and restarts the program: time until ready, completeness of the list, latency when all servers announce at once. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ListedServer } from '#contract/masterlist.ts'
import { Bare } from './lib/bare-server.ts'
import type { Cost, LoadTarget } from './lib/load.ts'
import type { Muster } from './lib/muster.ts'
import { type RawResponse, read } from './lib/read.ts'
import { announceRequests } from './lib/requests.ts'
import { CHANGING_OF_TEN, type Run, type TestBed } from './lib/test-bed.ts'
import { type Figures, milli, percent, printTable, size, statusesOf, times } from './lib/table.ts'
import { untilUnchanged } from './lib/versions.ts'
import { peakToMean, intervalRange } from './lib/announce-intervals.ts'

const MAX_SERVERS = 10_000
const CONNECTIONS = 64
/** The default TTL, which decides which servers expire after a restart. */
const TTL_SECONDS = 75
/** Restarts per kind of kill. */
const MAX_RESTARTS = 2
const KILL_TARGETS = ['program', 'everything'] as const
const TARGETS = { readyMs: 3000, minPercent: 95, missing: 0, allMs: 60_000, p99Ms: 250 }
/** The polling intervals before and after the restart. */
const READY_POLL_MS = 10
const LIST_POLL_MS = 100
const TIMEOUT_MS = 60_000
const ROW_START = Buffer.from('{"publicId":"')

/** The result of one kill and restart. */
interface Restart {
  readonly servers: number
  readonly killed: (typeof KILL_TARGETS)[number]
  readonly readyMs: number
  readonly listMs: number
  readonly before: number
  /** The smallest list seen, and how many lists were read. */
  readonly smallest: number
  readonly lists: number
  /** Servers that were listed before and are not listed now. */
  readonly missing: number
  readonly ours: Cost
  readonly bare: Cost
}

export async function run(options: Run): Promise<void> {
  const sizes = options.sizes.filter((servers) => servers <= MAX_SERVERS)
  const all: Restart[] = []
  for (const servers of sizes.length === 0 ? [MAX_SERVERS] : sizes) all.push(...(await restartsOf(options, servers)))
  print(all, options.figures)
}

async function restartsOf({ testBed, rounds }: Run, servers: number): Promise<Restart[]> {
  const muster = await testBed.program(servers, { ttlSeconds: TTL_SECONDS })
  try {
    const requests = announceRequests(muster.fleet, CHANGING_OF_TEN)
    const turns = [requests.slice(0, servers), requests.slice(servers)].map((turn) => testBed.file(JSON.stringify(turn)))
    const restarts: Restart[] = []
    for (let turn = 0; turn < Math.min(rounds, MAX_RESTARTS); turn += 1)
      for (const killed of KILL_TARGETS) restarts.push(await killAndRestart(testBed, muster, killed, turns))
    return restarts
  } finally {
    await muster.stop()
  }
}

async function killAndRestart(
  testBed: TestBed,
  muster: Muster,
  killed: Restart['killed'],
  [first = '', second = '']: readonly string[],
): Promise<Restart> {
  const { port, fleet } = muster
  await announceAll(testBed, muster, first)
  await untilUnchanged(port)
  const before = await idsOf(port)
  await muster.kill(killed)
  const began = performance.now()
  muster.restart()
  const since = async (path: string) => {
    const response = await untilServed(muster, path)
    return { response, ms: performance.now() - began }
  }
  const readyResult = since('/readyz')
  // Awaited below, after the list was read.
  readyResult.catch(() => undefined)
  const { response, ms: listMs } = await since('/servers')
  muster.pinProcesses()
  const { smallest, lists, cost: ours } = await withListPolling(muster, response, () => announceAll(testBed, muster, second))
  const { ms: readyMs } = await readyResult
  await untilUnchanged(port)
  const after = await idsOf(port)
  const missing = [...before].filter((id) => !after.has(id)).length
  const bare = await Bare.start(fleet.map((one) => one.credential))
  try {
    await bare.serve(response, testBed.file(response.body))
    const { cost } = await withListPolling(bare, response, () => announceAll(testBed, bare, second))
    return { servers: fleet.length, killed, readyMs, listMs, before: before.size, smallest, lists, missing, ours, bare: cost }
  } finally {
    bare.stop()
  }
}

/** Closed loop; throws on any status but 200. */
const announceAll = (testBed: TestBed, target: LoadTarget, requests: string) =>
  testBed.load.run(target, TIMEOUT_MS, { connections: CONNECTIONS, rate: 0, requests, isOnce: true })

async function untilServed(muster: Muster, path: string): Promise<RawResponse> {
  for (const deadline = performance.now() + TIMEOUT_MS; performance.now() < deadline && !muster.hasExited; await sleep(READY_POLL_MS)) {
    const response = await read(muster.port, path).catch(() => undefined)
    if (response?.status === 200) return response
  }
  throw new Error(`The restarted program did not serve ${path}.`)
}

/** Polls the list until all servers have announced. Both sides carry that load. */
async function withListPolling(
  target: Muster | Bare,
  first: RawResponse,
  announce: () => Promise<Cost>,
): Promise<{ smallest: number; lists: number; cost: Cost }> {
  let smallest = rowsOf(first)
  let lists = 1
  let isOver = false
  const look = async () => {
    const response = await read(target.port, '/servers')
    if (response.status !== 200) throw new Error(`The list returned ${response.status}.`)
    smallest = Math.min(smallest, rowsOf(response))
    lists += 1
  }
  const watching = (async () => {
    for (; !isOver; await sleep(LIST_POLL_MS)) await look()
    await look()
  })()
  const [cost] = await Promise.all([announce().finally(() => (isOver = true)), watching])
  return { smallest, lists, cost }
}

/** Counts rows without parsing, which would take CPU from the load generator. */
function rowsOf({ body }: RawResponse): number {
  let rows = 0
  for (let at = body.indexOf(ROW_START); at !== -1; at = body.indexOf(ROW_START, at + ROW_START.length)) rows += 1
  return rows
}

async function idsOf(port: number): Promise<Set<string>> {
  const rows = JSON.parse((await read(port, '/servers')).body.toString()) as ListedServer[]
  return new Set(rows.map(({ publicId }) => publicId))
}

const smallestPercent = ({ smallest, before }: Restart) => (smallest / before) * 100

function print(all: readonly Restart[], figures: Figures): void {
  console.log(
    `RESTART: kill -9 of the program, or of the program and its Postgres, then a restart on the same folder. After the first list, all servers announce once (${CONNECTIONS} connections, closed loop) while the list is read every ${LIST_POLL_MS} ms. The bare server is freshly started.`,
  )
  printTable([
    [
      'servers',
      'killed',
      'first list',
      'ready',
      'smallest list',
      'of',
      'lists',
      'missing',
      'all announced',
      'p50',
      'p99',
      'statuses',
      'bare',
      'p99',
      '/ bare',
      'next announce in',
      'peak / mean per s',
      'others',
    ],
    ...all.map((restart) => {
      const { servers, killed, readyMs, listMs, before, smallest, lists, missing, ours, bare } = restart
      return [
        size(servers),
        killed,
        ms(listMs),
        ms(readyMs),
        String(smallest),
        String(before),
        String(lists),
        String(missing),
        ms(ours.milliseconds),
        milli(ours.p50),
        milli(ours.p99),
        statusesOf(ours.statuses),
        ms(bare.milliseconds),
        milli(bare.p99),
        times(ours.milliseconds / bare.milliseconds),
        intervalRange(ours.nextAnnounces),
        times(peakToMean(ours.nextAnnounces)),
        percent(ours.othersPercent),
      ]
    }),
  ])
  for (const servers of new Set(all.map((restart) => restart.servers)))
    judge(
      all.filter((restart) => restart.servers === servers),
      servers,
      figures,
    )
}

const ms = (value: number) => `${Math.round(value)} ms`

/** The worst restart of each size counts. */
function judge(restarts: readonly Restart[], servers: number, figures: Figures): void {
  const worst = (of: (restart: Restart) => number) => Math.max(...restarts.map(of))
  const name = `restart, ${size(servers)}:`
  const verdicts = [
    figures.atMost(
      `${name} time until ready`,
      worst(({ readyMs, listMs }) => Math.max(readyMs, listMs)),
      TARGETS.readyMs,
      ms,
    ),
    figures.atLeast(`${name} smallest list / list before`, Math.min(...restarts.map(smallestPercent)), TARGETS.minPercent, percent),
    figures.atMost(
      `${name} missing servers`,
      worst(({ missing }) => missing),
      TARGETS.missing,
      String,
    ),
    figures.atMost(
      `${name} all announce at once, total time`,
      worst(({ ours }) => ours.milliseconds),
      TARGETS.allMs,
      ms,
    ),
    figures.atMost(
      `${name} all announce at once, p99`,
      worst(({ ours }) => ours.p99),
      TARGETS.p99Ms,
      milli,
    ),
  ]
  console.log(
    `${size(servers)}, worst restart: ready ${verdicts[0]}, rows ${verdicts[1]}, missing ${verdicts[2]}, all announced ${verdicts[3]}, p99 ${verdicts[4]}`,
  )
}
