/** CPU per list read, compared with a bare node:http server and nginx that send the same bytes; idle and while all servers announce. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type CpuCost, type GrowthRow, printGrowth } from './lib/growth.ts'
import type { LoadSpec, LoadTarget } from './lib/load.ts'
import { type RawResponse, read } from './lib/read.ts'
import { listRequest } from './lib/requests.ts'
import { type Rounds, type Turn, interleave } from './lib/rounds.ts'
import { ANNOUNCE_SECONDS, type Pair, type Run } from './lib/test-bed.ts'
import { kilo, micro, milli, percent, printTable, rate, size, statusesOf, times } from './lib/table.ts'
import { VersionHistory, sincePath } from './lib/versions.ts'

const CONNECTIONS = 8
const UNCHANGED_CONNECTIONS = 32
const ANNOUNCE_CONNECTIONS = 16
const MAX_RATIO = 1.1
/** Turns are shorter than in the other parts: prepared bytes have a constant cost, and there are many kinds. */
const QUIET_TURN_FACTOR = 0.6
/** Fits exactly two builds of a small list, which is built every 0.75 s. */
const ANNOUNCE_TURN_FACTOR = 1.5
const BEHIND_MS = { from: 4500, middle: 5000, to: 5500 }
const HEAD = [
  '',
  'bytes',
  'CPU ours',
  'bare',
  'nginx',
  '/ bare',
  '',
  '/ nginx',
  'rate ours',
  'bare',
  'p99 ours',
  'bare',
  'statuses',
  'generator CPU',
  'others',
  'rounds',
]

interface Kind {
  readonly name: string
  readonly path: string
  readonly encoding: 'identity' | 'gzip' | 'br'
  readonly isUnchanged?: boolean
  /** The target of columns is in `columns.ts`. */
  readonly hasNoTarget?: boolean
}

const ROWS: readonly Kind[] = [
  { name: 'full, identity', path: '/servers', encoding: 'identity' },
  { name: 'full, gzip', path: '/servers', encoding: 'gzip' },
  { name: 'full, br', path: '/servers', encoding: 'br' },
  { name: '304', path: '/servers', encoding: 'gzip', isUnchanged: true },
  { name: 'columns, gzip', path: '/servers?format=columns', encoding: 'gzip', hasNoTarget: true },
  { name: 'columns, br', path: '/servers?format=columns', encoding: 'br', hasNoTarget: true },
]
/** Announces change the list all the time, so there is no 304. */
const WITH_ANNOUNCES = new Set(['full, gzip', 'full, br', 'columns, gzip', 'columns, br'])
/** Its size depends on the changes, so its cost is shown per request and per KiB. */
const DELTA = 'delta, 5 s behind, gzip'

interface Measured {
  readonly row: string[]
  /** Bytes per response, and microseconds per request. */
  readonly bytes?: number
  readonly cost?: CpuCost
}

export async function run(options: Run): Promise<void> {
  const all: ReadonlyMap<string, Measured>[] = []
  for (const servers of options.sizes) {
    const pair = await options.testBed.warmPair(servers, options.milliseconds)
    console.log(`LIST of ${servers} servers: closed loop, ${CONNECTIONS} connections (304: ${UNCHANGED_CONNECTIONS}).`)
    if (servers === options.sizes[0] && (await options.testBed.nginx()) === undefined)
      console.log('nginx is not installed; its columns are empty.')
    const measured = new Map<string, Measured>()
    for (const kind of ROWS) measured.set(kind.name, await measureQuiet(options, pair, kind))
    printTable([HEAD, ...[...measured.values()].map(({ row }) => row)])
    console.log(`The same with ${Math.round(servers / ANNOUNCE_SECONDS)} announces a second; both sides include their CPU.`)
    const { rows, deltaResult } = await measureWithAnnounces(options, pair)
    printTable([HEAD, ...rows])
    console.log('')
    all.push(measured.set(DELTA, deltaResult))
  }
  printGrowth('CPU per list read, without announces (delta: with announces)', options.sizes, [
    ...ROWS.map(({ name, isUnchanged }) => growthRow(all, name, isUnchanged === true ? 'per request' : 'per KiB')),
    growthRow(all, DELTA, 'per request'),
    growthRow(all, DELTA, 'per KiB'),
  ])
}

/** The cost of each size, per request or per KiB sent. */
function growthRow(all: readonly ReadonlyMap<string, Measured>[], name: string, by: 'per request' | 'per KiB'): GrowthRow {
  const costs = all.map((measured) => {
    const { cost, bytes = 0 } = measured.get(name) ?? {}
    const parts = by === 'per request' ? 1 : bytes / 1024
    return cost === undefined ? undefined : { ours: cost.ours / parts, bare: cost.bare / parts }
  })
  return { name: `${name}, ${by}`, costs }
}

const headersOf = ({ encoding }: Kind): Record<string, string> => (encoding === 'identity' ? {} : { 'Accept-Encoding': encoding })

function specFor({ isUnchanged }: Kind, ...requests: string[]): LoadSpec {
  return isUnchanged === true
    ? { connections: UNCHANGED_CONNECTIONS, rate: 0, requests, expected: '304' }
    : { connections: CONNECTIONS, rate: 0, requests }
}

/** Waits until the list stops changing, so that all sides send the same bytes. */
async function settledResponse(port: number, kind: Kind): Promise<RawResponse> {
  let before = await read(port, kind.path, headersOf(kind))
  for (let tries = 0; tries < 40; tries += 1) {
    await sleep(600)
    const now = await read(port, kind.path, headersOf(kind))
    if (now.headers.etag === before.headers.etag) return now
    before = now
  }
  return before
}

async function measureQuiet({ testBed, rounds, milliseconds, figures }: Run, { ours, bare, servers }: Pair, kind: Kind): Promise<Measured> {
  const response = await settledResponse(ours.port, kind)
  const { status, body, headers } = response
  const what = `list ${kind.name}, ${size(servers)}: CPU / bare node:http`
  if (status !== 200) {
    verdictOf(kind, figures, what, undefined)
    return { row: [kind.name, `status ${status}`] }
  }
  const etag = headers.etag ?? ''
  const file = testBed.file(body)
  await bare.serve(response, file)
  const conditional = (tag: string) => (kind.isUnchanged === true ? { ...headersOf(kind), 'If-None-Match': tag } : headersOf(kind))
  const request = specFor(kind, listRequest(kind.path, conditional(etag)))
  const sides: [LoadTarget, LoadSpec][] = [
    [ours, request],
    [bare, request],
  ]
  const nginx = await testBed.nginx()
  if (nginx !== undefined) {
    const path = nginx.put(file, `${servers}-${kind.name.replaceAll(/\W+/g, '-')}`, kind.encoding)
    const nginxResponse = await read(nginx.port, path, headersOf(kind))
    if (nginxResponse.status !== 200) throw new Error(`nginx returned ${nginxResponse.status}.`)
    sides.push([nginx, specFor(kind, listRequest(path, conditional(nginxResponse.headers.etag ?? '')))])
  }
  const turns: Turn[] = []
  for (const [target, order] of sides) {
    const turn = () => testBed.load.run(target, milliseconds * QUIET_TURN_FACTOR, { ...order, busyWaits: true })
    await turn()
    turns.push(turn)
  }
  const result = await interleave(rounds, turns, (soFar) => kind.hasNoTarget !== true && soFar.isInconclusive(0, 1, MAX_RATIO))
  const ratio = result.ratio(0, 1)
  const verdict = verdictOf(kind, figures, what, ratio)
  const bytes = kind.isUnchanged === true ? 0 : body.length
  return { row: rowOf(kind.name, bytes, result, ratio, verdict, nginx !== undefined), bytes, cost: costOf(result) }
}

const costOf = (result: Rounds): CpuCost => ({ ours: result.of(0).cpuMicroseconds, bare: result.of(1).cpuMicroseconds })

function rowOf(name: string, bytes: number, result: Rounds, ratio: number, verdict: string, hasNginx: boolean): string[] {
  const [ours, bare] = [result.of(0), result.of(1)]
  return [
    name,
    kilo(bytes),
    micro(ours.cpuMicroseconds),
    micro(bare.cpuMicroseconds),
    hasNginx ? micro(result.of(2).cpuMicroseconds) : '',
    times(ratio),
    verdict,
    hasNginx ? times(result.ratio(0, 2)) : '',
    rate(ours.perSecond),
    rate(bare.perSecond),
    milli(ours.p99),
    milli(bare.p99),
    statusesOf(ours.statuses),
    percent(ours.generatorPercent),
    percent(result.othersPercent),
    String(result.count),
  ]
}

async function measureWithAnnounces(options: Run, pair: Pair): Promise<{ rows: string[][]; deltaResult: Measured }> {
  const { testBed, rounds, milliseconds, figures } = options
  const announces = pair.announces(ANNOUNCE_CONNECTIONS, pair.servers / ANNOUNCE_SECONDS)
  const rows: string[][] = []
  for (const kind of ROWS.filter(({ name }) => WITH_ANNOUNCES.has(name))) {
    const response = await read(pair.ours.port, kind.path, headersOf(kind))
    const { status, body } = response
    const what = `list ${kind.name}, ${size(pair.servers)}, with announces: CPU / bare node:http`
    if (status !== 200) {
      verdictOf(kind, figures, what, undefined)
      rows.push([kind.name, `status ${status}`])
      continue
    }
    await pair.bare.serve(response, testBed.file(body))
    const order = specFor(kind, listRequest(kind.path, headersOf(kind)))
    const turns = [pair.ours, pair.bare].map((target) => async () => {
      // Warm up: without announces during the other turn, the first build is slow and its memory is cold.
      await testBed.load.run(target, milliseconds, order, announces)
      return testBed.load.run(target, milliseconds * ANNOUNCE_TURN_FACTOR, order, announces)
    })
    const result = await interleave(rounds, turns, (soFar) => kind.hasNoTarget !== true && soFar.isInconclusive(0, 1, MAX_RATIO))
    const ratio = result.ratio(0, 1)
    const verdict = verdictOf(kind, figures, what, ratio)
    rows.push(rowOf(kind.name, body.length, result, ratio, verdict, false))
  }
  const deltaResult = await delta(options, pair, announces)
  return { rows: [...rows, deltaResult.row], deltaResult }
}

function verdictOf({ hasNoTarget }: Kind, figures: Run['figures'], what: string, ratio: number | undefined): string {
  return hasNoTarget === true ? '' : figures.atMost(what, ratio, MAX_RATIO, times)
}

/** Readers are five seconds behind and use every version of that time. The bare side repeats one such response. */
async function delta({ testBed, rounds, milliseconds }: Run, { ours, bare }: Pair, announces: LoadSpec): Promise<Measured> {
  const versions = await VersionHistory.follow(ours.port)
  if (versions === undefined) return { row: [DELTA, 'unsupported'] }
  try {
    const headers = { 'Accept-Encoding': 'gzip' }
    await testBed.load.run(ours, BEHIND_MS.to, { connections: 1, rate: 1, requests: [listRequest('/servers', headers)] }, announces)
    const version = versions.newest(BEHIND_MS.middle) ?? ''
    const requests = () => {
      const all = versions.between(BEHIND_MS.from, BEHIND_MS.to)
      return (all.length === 0 ? [versions.newest(BEHIND_MS.middle) ?? version] : all).map((one) => listRequest(sincePath(one), headers))
    }
    const response = await read(ours.port, sincePath(version), headers)
    await bare.serve(response, testBed.file(response.body))
    const turn = (target: LoadTarget, ...background: LoadSpec[]) =>
      testBed.load.run(target, milliseconds, { connections: CONNECTIONS, rate: 0, requests: requests() }, announces, ...background)
    // Ours receives announces during the bare turn too, so that its last five seconds always contain the same changes.
    const result = await interleave(rounds, [() => turn(ours), () => turn(bare, { ...announces, target: ours })])
    const bytes = response.body.length
    return { row: rowOf(DELTA, bytes, result, result.ratio(0, 1), '', false), bytes, cost: costOf(result) }
  } finally {
    await versions.stop()
  }
}
