/**
 * CPU and p99 of the public pages while all servers announce, compared with a bare node:http server that sends the same bytes; and the p99
 * of announces beside them, compared with announces alone.
 */
import type { LoadSpec, LoadTarget } from './lib/load.ts'
import { read } from './lib/read.ts'
import { listRequest } from './lib/requests.ts'
import { interleave } from './lib/rounds.ts'
import { ANNOUNCE_SECONDS, type Pair, type Run } from './lib/test-bed.ts'
import { kilo, micro, milli, percent, printTable, rate, size, statusesOf, times } from './lib/table.ts'

const CONNECTIONS = 8
const ANNOUNCE_CONNECTIONS = 16
const VIEWS_PER_SECOND = 500
const MAX_RATIO = 5
/** With each view of another page. */
const MAX_P99_MS = 100
const MAX_ANNOUNCE_RATIO = 2
/** A p99 needs many views. */
const LATENCY_TURN_FACTOR = 4
const HEADERS = { 'Accept-Encoding': 'br', 'Accept-Language': 'en' }
const HEAD = ['', 'bytes', 'ours', 'bare', '/ bare', '', 'rate ours', 'bare', 'statuses', 'others']

interface Kind {
  readonly name: string
  /** The views of a turn, again and again. */
  readonly paths: readonly string[]
  /** Each view renders another page. */
  readonly hasNoTarget?: boolean
}

/** Measures the largest size whose list is small. */
export async function run(options: Run): Promise<void> {
  const servers = options.sizes.findLast((each) => each <= 10_000) ?? 10_000
  const pair = await options.testBed.warmPair(servers, options.milliseconds)
  const ids = pair.ours.fleet.map(({ publicId }) => publicId)
  const [first = ''] = ids
  const kinds = [
    { name: '/browse', paths: ['/browse'] },
    { name: '/s/{id}, one server', paths: [`/s/${first}`] },
    { name: '/s/{id}, every server', paths: ids.map((id) => `/s/${id}`), hasNoTarget: true },
  ] as const satisfies readonly Kind[]
  console.log(
    `PUBLIC PAGES, ${size(servers)} servers, brotli, with ${Math.round(servers / ANNOUNCE_SECONDS)} announces a second; both sides include their CPU.`,
  )
  const rows: string[][] = []
  for (const kind of kinds) rows.push(await measureCpu(options, pair, kind))
  for (const kind of kinds) rows.push(await measureLatency(options, pair, kind))
  printTable([HEAD, ...rows])
  await measureAnnounces(options, pair, kinds[2])
}

/** The panel's listener of the same process. */
const panelOf = ({ ours }: Pair): LoadTarget => ({ port: ours.panelPort, cpu: () => ours.cpu(), databaseCpu: () => ours.databaseCpu() })

/** The turns of both sides, with announces beside the views. */
async function turnsOf({ testBed }: Run, pair: Pair, { paths }: Kind, views: Omit<LoadSpec, 'requests'>, milliseconds: number) {
  const panel = panelOf(pair)
  const response = await read(panel.port, paths[0] ?? '', HEADERS)
  if (response.status !== 200) throw new Error(`${paths[0]} returned ${response.status}.`)
  await pair.bare.serve(response, testBed.file(response.body))
  const requests = testBed.file(JSON.stringify(paths.map((path) => listRequest(path, HEADERS))))
  const announces = pair.announces(ANNOUNCE_CONNECTIONS, pair.servers / ANNOUNCE_SECONDS)
  const sides: readonly [LoadTarget, LoadTarget][] = [
    [panel, pair.ours],
    [pair.bare, pair.bare],
  ]
  const turns = sides.map(([target, list]) => async () => {
    const background = { ...announces, target: list }
    await testBed.load.run(target, milliseconds / 2, { ...views, requests }, background)
    return testBed.load.run(target, milliseconds, { ...views, requests }, background)
  })
  return { turns, bytes: response.body.length }
}

async function measureCpu(options: Run, pair: Pair, kind: Kind): Promise<string[]> {
  const { turns, bytes } = await turnsOf(options, pair, kind, { connections: CONNECTIONS, rate: 0 }, options.milliseconds * 1.5)
  const result = await interleave(options.rounds, turns)
  const ratio = result.ratio(0, 1)
  const name = `${kind.name}, CPU`
  const verdict = verdictOf(options, pair, kind, name, ratio)
  return rowOf(name, bytes, result, [micro(result.of(0).cpuMicroseconds), micro(result.of(1).cpuMicroseconds)], ratio, verdict)
}

async function measureLatency(options: Run, pair: Pair, kind: Kind): Promise<string[]> {
  const views = { connections: CONNECTIONS * 2, rate: VIEWS_PER_SECOND }
  const { turns, bytes } = await turnsOf(options, pair, kind, views, options.milliseconds * LATENCY_TURN_FACTOR)
  const result = await interleave(options.rounds, turns)
  const ratio = result.ratio(0, 1, ({ p99 }) => p99)
  const name = `${kind.name}, p99 at ${VIEWS_PER_SECOND}/s`
  const verdict =
    kind.hasNoTarget === true
      ? options.figures.atMost(
          `public ${name}, ${size(pair.servers)}`,
          result.mean(0, (cost) => cost.p99),
          MAX_P99_MS,
          milli,
        )
      : verdictOf(options, pair, kind, name, ratio)
  const p99 = (side: number) => milli(result.mean(side, (cost) => cost.p99))
  return rowOf(name, bytes, result, [p99(0), p99(1)], ratio, verdict)
}

/** Announces alone, and beside the views. */
async function measureAnnounces({ testBed, rounds, milliseconds, figures }: Run, pair: Pair, { paths }: Kind): Promise<void> {
  const announces = pair.announces(ANNOUNCE_CONNECTIONS, pair.servers / ANNOUNCE_SECONDS)
  const requests = testBed.file(JSON.stringify(paths.map((path) => listRequest(path, HEADERS))))
  const views = { connections: CONNECTIONS * 2, rate: VIEWS_PER_SECOND, requests, target: panelOf(pair) }
  const duration = milliseconds * LATENCY_TURN_FACTOR
  const result = await interleave(rounds, [
    () => testBed.load.run(pair.ours, duration, announces),
    () => testBed.load.run(pair.ours, duration, announces, views),
  ])
  const ratio = result.ratio(1, 0, ({ p99 }) => p99)
  const verdict = figures.atMost(`public, announces beside ${VIEWS_PER_SECOND} views/s: p99 / alone`, ratio, MAX_ANNOUNCE_RATIO, times)
  const [alone, beside] = [0, 1].map((side) => milli(result.mean(side, ({ p99 }) => p99)))
  console.log(`Announces, p99: alone ${alone}, beside ${VIEWS_PER_SECOND} views a second ${beside}: ${times(ratio)} ${verdict}`)
}

function verdictOf({ figures }: Run, { servers }: Pair, { hasNoTarget }: Kind, name: string, ratio: number): string {
  return hasNoTarget === true ? '' : figures.atMost(`public ${name}, ${size(servers)}: / bare node:http`, ratio, MAX_RATIO, times)
}

type Result = Awaited<ReturnType<typeof interleave>>

function rowOf(name: string, bytes: number, result: Result, costs: readonly [string, string], ratio: number, verdict: string): string[] {
  const [ours, bare] = [result.of(0), result.of(1)]
  return [
    name,
    kilo(bytes),
    ...costs,
    times(ratio),
    verdict,
    rate(ours.perSecond),
    rate(bare.perSecond),
    statusesOf(ours.statuses),
    percent(result.othersPercent),
  ]
}
