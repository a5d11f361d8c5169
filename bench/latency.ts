/** Latency of a list of 10,000 servers under three loads: steady announces, a burst, and readers that poll. */
import type { LoadSpec, LoadTarget } from './lib/load.ts'
import { read } from './lib/read.ts'
import { listRequest } from './lib/requests.ts'
import { type Rounds, interleave } from './lib/rounds.ts'
import { ANNOUNCE_SECONDS, type Pair, type Run, largestSmallSize } from './lib/test-bed.ts'
import { type Figures, milli, percent, printTable, rate, size, statusesOf, times } from './lib/table.ts'

const CONNECTIONS = 64
const BURST_PER_SECOND = 3000
/** Readers poll five times a second, so most responses are 304: the list changes once a second. */
const POLLERS = { connections: 100, rate: 500 }
const TARGETS = { p99Ms: 50, lagMs: 30, pollP99Ms: 100 }
/** Turns are longer than in the other parts, for enough samples of a p99. */
const TURN_FACTOR = 6
/** The list changes at least once in a turn of this length. */
const CHANGED_WITHIN_MS = 3000
const HEADERS = { 'Accept-Encoding': 'gzip' }

/** The requests to ours and to the bare server, and the background load on both. */
interface Load {
  readonly name: string
  readonly targetMs: number
  readonly ours: LoadSpec
  readonly bare: LoadSpec
  readonly background: readonly LoadSpec[]
}

interface LatencyResult {
  readonly load: Load
  readonly result: Rounds
  /** p99 lag of our event loop in each turn, in milliseconds. */
  readonly lags: readonly number[]
}

export async function run({ sizes, rounds, milliseconds, testBed, figures }: Run): Promise<void> {
  const pair = await testBed.warmPair(largestSmallSize(sizes), milliseconds)
  const { ours, bare, servers } = pair
  const turn = async ({ background }: Load, target: LoadTarget, spec: LoadSpec) => {
    // An idle list is built by its first reader. This turn makes sure that the list is in use.
    await testBed.load.run(target, milliseconds, spec, ...background)
    return testBed.load.run(target, milliseconds * TURN_FACTOR, spec, ...background)
  }
  const measure = async (load: Load): Promise<LatencyResult> => {
    const lags: number[] = []
    const result = await interleave(rounds, [
      async () => {
        await ours.lagMs()
        const cost = await turn(load, ours, load.ours)
        lags.push(await ours.lagMs())
        return cost
      },
      () => turn(load, bare, load.bare),
    ])
    return { load, result, lags }
  }
  const announcing = (perSecond: number): Load => {
    const spec = pair.announces(CONNECTIONS, perSecond)
    return { name: `${rate(perSecond)} announces`, targetMs: TARGETS.p99Ms, ours: spec, bare: spec, background: [] }
  }
  const steady = announcing(servers / ANNOUNCE_SECONDS)
  const polling: Load = {
    name: `${rate(POLLERS.rate)} reads, with announces`,
    targetMs: TARGETS.pollP99Ms,
    ours: { ...POLLERS, expected: '200|304', requests: [listRequest('/servers', HEADERS)], isConditional: true },
    bare: steady.bare,
    background: [steady.ours],
  }
  const { statuses, requests } = await turn(polling, ours, polling.ours)
  const changes = (statuses['200'] ?? 0) - POLLERS.connections
  if (changes <= 0 && milliseconds * TURN_FACTOR > CHANGED_WITHIN_MS) throw new Error('The list did not change while it was polled.')
  const mixed = await mixedPolls(pair, (statuses['304'] ?? 0) / requests, (content) => testBed.file(content))
  await turn(polling, bare, mixed)
  const all = [await measure(steady), await measure(announcing(BURST_PER_SECOND)), await measure({ ...polling, bare: mixed })]
  print(all, servers, figures)
}

/** Requests for the bare server, with the same share of 304 responses. */
async function mixedPolls({ ours, bare }: Pair, unchangedShare: number, file: (content: Buffer) => string): Promise<LoadSpec> {
  const response = await read(ours.port, '/servers', HEADERS)
  await bare.serve(response, file(response.body))
  const whole = listRequest('/servers', HEADERS)
  const unchanged = listRequest('/servers', { ...HEADERS, 'If-None-Match': response.headers.etag ?? '' })
  const requests = Array.from({ length: POLLERS.connections }, (_, index) =>
    Math.floor((index + 1) * unchangedShare) > Math.floor(index * unchangedShare) ? unchanged : whole,
  )
  return { ...POLLERS, expected: '200|304', requests }
}

function print(all: readonly LatencyResult[], servers: number, figures: Figures): void {
  console.log(
    `LATENCY: ${size(servers)} servers, open loop, latency counted from the due time. Readers poll the whole list (gzip) with If-None-Match; the bare server sends the same share of 304. p99 and event loop lag are means of the turns. Other processes used up to ${percent(Math.max(...all.map(({ result }) => result.othersPercent)))} of a core.`,
  )
  printTable([
    ['', 'p50', 'p99', '', 'rate', 'statuses', 'CPU', 'Postgres', 'lag', '', 'bare p99', 'p99 / bare', 'CPU / bare'],
    ...all.map(({ load: { name, targetMs }, result, lags }) => {
      const cost = result.of(0)
      const p99 = result.mean(0, (each) => each.p99)
      const lag = lags.reduce((sum, value) => sum + value, 0) / lags.length
      return [
        name,
        milli(cost.p50),
        milli(p99),
        figures.atMost(`latency, ${size(servers)}: ${name}, p99`, p99, targetMs, milli),
        rate(cost.perSecond),
        statusesOf(result.statuses(0)),
        percent(cost.cpuPercent),
        percent(cost.databasePercent),
        milli(lag),
        figures.atMost(`latency, ${size(servers)}: ${name}, event loop lag, p99`, lag, TARGETS.lagMs, milli),
        milli(result.mean(1, (each) => each.p99)),
        times(result.ratio(0, 1, (each) => each.p99)),
        times(result.ratio(0, 1)),
      ]
    }),
  ])
}
