/**
 * CPU and p99 of the public pages while all servers announce, compared with a bare node:http server that sends the same bytes; and the p99
 * of announces beside them, compared with announces alone.
 */
import type { LoadSpec } from './lib/load.ts'
import { getRequest, read } from './lib/read.ts'
import { type Rounds, interleave } from './lib/rounds.ts'
import { cpuColumns, kilo, milli, p99Columns, printTable, size, times } from './lib/table.ts'
import { ANNOUNCE_SECONDS, type Pair, type Run } from './lib/test-bed.ts'

const CONNECTIONS = 8
const ANNOUNCE_CONNECTIONS = 16
const VIEWS_PER_SECOND = 500
const MAX_RATIO = 5
/** With each view of another page. */
const MAX_P99_MS = 100
const MAX_ANNOUNCE_RATIO = 2
/** A p99 needs many views. */
const LATENCY_TURN_FACTOR = 4
const CPU_TURN_FACTOR = 1.5
const HEADERS = { 'Accept-Encoding': 'br', 'Accept-Language': 'en' }
const CLOSED_LOOP = { connections: CONNECTIONS, rate: 0 }
const OPEN_LOOP = { connections: CONNECTIONS * 2, rate: VIEWS_PER_SECOND }

interface Kind {
  readonly name: string
  /** The first path is what bare sends. */
  readonly path: string
  /** A file with the requests of a turn, again and again. */
  readonly requests: string
  /** Each view renders another page, so its cost is no ratio to bytes from memory. */
  readonly isEveryPage: boolean
}

/** Measures the largest size whose list is small. */
export async function run(options: Run): Promise<void> {
  const { testBed, milliseconds, figures } = options
  const servers = options.sizes.findLast((each) => each <= 10_000) ?? 10_000
  const pair = await testBed.warmPair(servers, milliseconds)
  const pages = pair.ours.fleet.map(({ publicId }) => `/s/${publicId}`)
  const kindOf = (name: string, paths: readonly string[]): Kind => {
    const requests = testBed.file(JSON.stringify(paths.map((path) => getRequest(path, HEADERS))))
    return { name, path: paths[0] ?? '', requests, isEveryPage: paths === pages }
  }
  const every = kindOf('/s/{id}, every server', pages)
  const kinds = [kindOf('/browse', ['/browse']), kindOf('/s/{id}, one server', pages.slice(0, 1)), every]
  const [cpuRows, p99Rows] = [[], []] as [Record<string, string>[], Record<string, string>[]]
  for (const kind of kinds) {
    const ratioVerdict = (figure: string, ratio: number) =>
      kind.isEveryPage ? '' : figures.atMost(`public ${kind.name}, ${figure} / bare node:http`, ratio, MAX_RATIO, times)
    const { bytes, result } = await measure(options, pair, kind, CLOSED_LOOP, CPU_TURN_FACTOR)
    cpuRows.push({ page: kind.name, bytes, ...cpuColumns(result, [0, 1], (ratio) => ratioVerdict('CPU', ratio)) })
    const { result: latency } = await measure(options, pair, kind, OPEN_LOOP, LATENCY_TURN_FACTOR)
    const ratio = latency.ratio(0, 1, ({ p99 }) => p99)
    const p99 = latency.of(0, (cost) => cost.p99)
    const target = kind.isEveryPage ? figures.atMost(`public ${kind.name}, p99`, p99, MAX_P99_MS, milli) : ratioVerdict('p99', ratio)
    p99Rows.push({ page: kind.name, ratio: times(ratio), target, ...p99Columns(latency, [0, 1]) })
  }
  const besides = `with ${Math.round(servers / ANNOUNCE_SECONDS)} announces a second; both sides include their CPU`
  console.log(`PUBLIC PAGES, ${size(servers)} servers, brotli, closed loop, ${besides}.`)
  printTable(cpuRows)
  console.log(`At ${VIEWS_PER_SECOND} views a second, open loop:`)
  printTable(p99Rows)
  await measureAnnounces(options, pair, every)
}

const announcesOf = ({ announces, servers }: Pair): LoadSpec => announces(ANNOUNCE_CONNECTIONS, servers / ANNOUNCE_SECONDS)

/** Turns of both sides, with announces beside the views. */
async function measure({ testBed, rounds, milliseconds }: Run, pair: Pair, kind: Kind, loop: Omit<LoadSpec, 'requests'>, factor: number) {
  const { ours, bare } = pair
  const response = await read(ours.panelPort, kind.path, HEADERS)
  ours.unpinRenderer()
  await bare.serve(response, testBed.file(response.body))
  const turns = [ours, bare].map((target) => async () => {
    const views = { ...loop, requests: kind.requests, port: target === ours ? ours.panelPort : bare.port }
    await testBed.load.run(target, milliseconds / 2, views, announcesOf(pair))
    return testBed.load.run(target, milliseconds * factor, views, announcesOf(pair))
  })
  const result: Rounds = await interleave(rounds, turns)
  return { bytes: kilo(response.body.length), result }
}

/** Announces alone, and beside the views. */
async function measureAnnounces({ testBed, rounds, milliseconds, figures }: Run, pair: Pair, { requests }: Kind): Promise<void> {
  const views = { ...OPEN_LOOP, requests, port: pair.ours.panelPort }
  const duration = milliseconds * LATENCY_TURN_FACTOR
  const result = await interleave(rounds, [
    () => testBed.load.run(pair.ours, duration, announcesOf(pair)),
    () => testBed.load.run(pair.ours, duration, announcesOf(pair), views),
  ])
  const [alone, beside] = [0, 1].map((side) => milli(result.of(side, ({ p99 }) => p99)))
  const ratio = result.ratio(1, 0, ({ p99 }) => p99)
  const verdict = figures.atMost(`public, announces beside ${VIEWS_PER_SECOND} views/s: p99 / alone`, ratio, MAX_ANNOUNCE_RATIO, times)
  console.log(`Announces, p99: alone ${alone}, beside the views of every server ${beside}: ${times(ratio)} ${verdict}`)
}
