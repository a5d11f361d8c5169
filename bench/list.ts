/** CPU per list read, compared with a bare node:http server that sends the same bytes; quiet and while all servers announce. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadSpec } from './lib/load.ts'
import { type RawResponse, read } from './lib/read.ts'
import { listRequest } from './lib/requests.ts'
import { interleave } from './lib/rounds.ts'
import { kilo, micro, milli, percent, printTable, rate, size, statusesOf, times } from './lib/table.ts'
import { ANNOUNCE_SECONDS, type Pair, type Run } from './lib/test-bed.ts'

const CONNECTIONS = 8
const UNCHANGED_CONNECTIONS = 32
const ANNOUNCE_CONNECTIONS = 16
const MAX_RATIO = 1.3
/** Fits exactly two builds of a small list, which is built every 0.75 s. */
const ANNOUNCE_TURN_FACTOR = 1.5
const HEAD = ['', 'bytes', 'CPU ours', 'bare', 'ratio', '', 'rate ours', 'bare', 'p99 ours', 'bare', 'statuses', 'others']

interface Kind {
  readonly name: string
  readonly encoding: 'identity' | 'gzip' | 'br'
  readonly isUnchanged?: boolean
  /** Announces change the list all the time, so there is no 304. */
  readonly hasAnnounces?: boolean
}

const KINDS: readonly Kind[] = [
  { name: 'identity', encoding: 'identity' },
  { name: 'gzip', encoding: 'gzip' },
  { name: 'br', encoding: 'br' },
  { name: '304', encoding: 'gzip', isUnchanged: true },
  { name: 'gzip, with announces', encoding: 'gzip', hasAnnounces: true },
  { name: 'br, with announces', encoding: 'br', hasAnnounces: true },
]

export async function run(options: Run): Promise<void> {
  for (const servers of options.sizes) {
    const pair = await options.testBed.warmPair(servers, options.milliseconds)
    console.log(
      `LIST of ${servers} servers: closed loop, ${CONNECTIONS} connections (304: ${UNCHANGED_CONNECTIONS}). With announces: ${Math.round(servers / ANNOUNCE_SECONDS)} a second, whose CPU counts on both sides.`,
    )
    const rows: string[][] = []
    for (const kind of KINDS) rows.push(await measure(options, pair, kind))
    printTable([HEAD, ...rows])
    console.log('')
  }
}

const headersOf = ({ encoding }: Kind): Record<string, string> => (encoding === 'identity' ? {} : { 'Accept-Encoding': encoding })

/** Waits until the list stops changing, so that both sides send the same bytes. */
async function settledResponse(port: number, kind: Kind): Promise<RawResponse> {
  let before = await read(port, '/servers', headersOf(kind))
  for (let tries = 0; tries < 40; tries += 1) {
    await sleep(600)
    const now = await read(port, '/servers', headersOf(kind))
    if (now.headers.etag === before.headers.etag) return now
    before = now
  }
  return before
}

async function measure({ testBed, rounds, milliseconds, figures }: Run, { ours, bare, servers, announces }: Pair, kind: Kind) {
  const { isUnchanged = false, hasAnnounces = false } = kind
  const response = hasAnnounces ? await read(ours.port, '/servers', headersOf(kind)) : await settledResponse(ours.port, kind)
  if (response.status !== 200) throw new Error(`The list returned ${response.status}.`)
  await bare.serve(response, testBed.file(response.body))
  const condition = isUnchanged ? { 'If-None-Match': response.headers.etag ?? '' } : {}
  const spec: LoadSpec = {
    connections: isUnchanged ? UNCHANGED_CONNECTIONS : CONNECTIONS,
    rate: 0,
    requests: [listRequest('/servers', { ...headersOf(kind), ...condition })],
    expected: isUnchanged ? '304' : '200',
  }
  const background = hasAnnounces ? [announces(ANNOUNCE_CONNECTIONS, servers / ANNOUNCE_SECONDS)] : []
  const turns = [ours, bare].map((target) => async () => {
    // Warm up: during the other turn, nothing was built and the memory became cold.
    await testBed.load.run(target, milliseconds / 2, spec, ...background)
    return testBed.load.run(target, milliseconds * (hasAnnounces ? ANNOUNCE_TURN_FACTOR : 1), spec, ...background)
  })
  const result = await interleave(rounds, turns)
  const [mine, floor, ratio] = [result.of(0), result.of(1), result.ratio(0, 1)]
  return [
    kind.name,
    kilo(isUnchanged ? 0 : response.body.length),
    micro(mine.cpuMicroseconds),
    micro(floor.cpuMicroseconds),
    times(ratio),
    figures.atMost(`list ${kind.name}, ${size(servers)}: CPU / bare node:http`, ratio, MAX_RATIO, times),
    rate(mine.perSecond),
    rate(floor.perSecond),
    milli(mine.p99),
    milli(floor.p99),
    statusesOf(mine.statuses),
    percent(result.othersPercent),
  ]
}
