/** What reading the list costs, beside a bare node:http server and nginx with the same bytes; quiet, and while all servers announce. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cost, type Growing, printGrowth } from './lib/growth.ts'
import type { Asked, Target } from './lib/load.ts'
import { type Answer, read } from './lib/read.ts'
import { listRequest } from './lib/requests.ts'
import { type Rounds, type Turn, interleave } from './lib/rounds.ts'
import { ANNOUNCE_SECONDS, type Pair, type Run } from './lib/stage.ts'
import { kilo, micro, milli, percent, printTable, rate, size, statusesOf, times } from './lib/table.ts'
import { Versions, sincePath } from './lib/versions.ts'

const CONNECTIONS = 8
const UNCHANGED_CONNECTIONS = 32
const ANNOUNCE_CONNECTIONS = 16
const AIM = 1.1
/** Of a turn in the other parts: prepared bytes cost the same each time, and there are many kinds of them. */
const SHORTER = 0.6
/** Of a prompt list two builds belong in a turn, one each 0.75 s, and not now two and now three. */
const LONGER = 1.5
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
  'generator',
  'others',
  'rounds',
]

interface Kind {
  readonly name: string
  readonly path: string
  readonly encoding: 'identity' | 'gzip' | 'br'
  readonly isUnchanged?: boolean
  /** The aim of columns is in `columns.ts`. */
  readonly hasNoAim?: boolean
}

const ROWS: readonly Kind[] = [
  { name: 'full, identity', path: '/servers', encoding: 'identity' },
  { name: 'full, gzip', path: '/servers', encoding: 'gzip' },
  { name: 'full, br', path: '/servers', encoding: 'br' },
  { name: '304', path: '/servers', encoding: 'gzip', isUnchanged: true },
  { name: 'columns, gzip', path: '/servers?format=columns', encoding: 'gzip', hasNoAim: true },
  { name: 'columns, br', path: '/servers?format=columns', encoding: 'br', hasNoAim: true },
]
/** Under announces the list changes all the time, so there is no 304 to ask for. */
const UNDER_ANNOUNCES = new Set(['full, gzip', 'full, br', 'columns, gzip', 'columns, br'])
/** Its length is that of what changed meanwhile, so it is shown by the request and by the length. */
const DELTA = 'delta, 5 s behind, gzip'

interface Measured {
  readonly row: string[]
  /** How many bytes are sent, and microseconds of one request. */
  readonly bytes?: number
  readonly cost?: Cost
}

export async function run(options: Run): Promise<void> {
  const all: ReadonlyMap<string, Measured>[] = []
  for (const servers of options.sizes) {
    const pair = await options.stage.warmPair(servers, options.milliseconds)
    console.log(`LIST of ${servers}: closed loop, ${CONNECTIONS} connections (304: ${UNCHANGED_CONNECTIONS}).`)
    if (servers === options.sizes[0] && (await options.stage.nginx()) === undefined)
      console.log('nginx is not installed here: its columns are empty.')
    const measured = new Map<string, Measured>()
    for (const kind of ROWS) measured.set(kind.name, await quiet(options, pair, kind))
    printTable([HEAD, ...[...measured.values()].map(({ row }) => row)])
    console.log(`The same while ${Math.round(servers / ANNOUNCE_SECONDS)} announces a second arrive; their CPU is in it on both sides.`)
    const { rows, itsDelta } = await underAnnounces(options, pair)
    printTable([HEAD, ...rows])
    console.log('')
    all.push(measured.set(DELTA, itsDelta))
  }
  printGrowth('CPU of a list that is read, quiet (delta: under announces)', options.sizes, [
    ...ROWS.map(({ name, isUnchanged }) => growing(all, name, isUnchanged === true ? 'a request' : 'a KiB')),
    growing(all, DELTA, 'a request'),
    growing(all, DELTA, 'a KiB'),
  ])
}

/** Of each size: what a request costs, or a KiB of what is sent. */
function growing(all: readonly ReadonlyMap<string, Measured>[], name: string, by: 'a request' | 'a KiB'): Growing {
  const costs = all.map((measured) => {
    const { cost, bytes = 0 } = measured.get(name) ?? {}
    const parts = by === 'a request' ? 1 : bytes / 1024
    return cost === undefined ? undefined : { ours: cost.ours / parts, bare: cost.bare / parts }
  })
  return { name: `${name}, ${by}`, costs }
}

const headersOf = ({ encoding }: Kind): Record<string, string> => (encoding === 'identity' ? {} : { 'Accept-Encoding': encoding })

function asked({ isUnchanged }: Kind, ...requests: string[]): Asked {
  return isUnchanged === true
    ? { connections: UNCHANGED_CONNECTIONS, rate: 0, requests, expected: '304' }
    : { connections: CONNECTIONS, rate: 0, requests }
}

/** Takes the bytes when they no longer change, so that all sides send the same. */
async function settledAnswer(port: number, kind: Kind): Promise<Answer> {
  let before = await read(port, kind.path, headersOf(kind))
  for (let tries = 0; tries < 40; tries += 1) {
    await sleep(600)
    const now = await read(port, kind.path, headersOf(kind))
    if (now.headers.etag === before.headers.etag) return now
    before = now
  }
  return before
}

async function quiet({ stage, rounds, milliseconds, figures }: Run, { ours, bare, servers }: Pair, kind: Kind): Promise<Measured> {
  const answer = await settledAnswer(ours.port, kind)
  const { status, body, headers } = answer
  const what = `list ${kind.name}, ${size(servers)}: CPU / bare node:http`
  if (status !== 200) {
    verdictOf(kind, figures, what, undefined)
    return { row: [kind.name, `answers ${status}`] }
  }
  const etag = headers.etag ?? ''
  const file = stage.file(body)
  await bare.serve(answer, file)
  const conditional = (tag: string) => (kind.isUnchanged === true ? { ...headersOf(kind), 'If-None-Match': tag } : headersOf(kind))
  const request = asked(kind, listRequest(kind.path, conditional(etag)))
  const sides: [Target, Asked][] = [
    [ours, request],
    [bare, request],
  ]
  const nginx = await stage.nginx()
  if (nginx !== undefined) {
    const path = nginx.put(file, `${servers}-${kind.name.replaceAll(/\W+/g, '-')}`, kind.encoding)
    const its = await read(nginx.port, path, headersOf(kind))
    if (its.status !== 200) throw new Error(`nginx answers ${its.status}.`)
    sides.push([nginx, asked(kind, listRequest(path, conditional(its.headers.etag ?? '')))])
  }
  const turns: Turn[] = []
  for (const [target, order] of sides) {
    const turn = () => stage.load.run(target, milliseconds * SHORTER, { ...order, staysAwake: true })
    await turn()
    turns.push(turn)
  }
  const result = await interleave(rounds, turns, (soFar) => kind.hasNoAim !== true && soFar.leavesOpen(0, 1, AIM))
  const ratio = result.ratio(0, 1)
  const verdict = verdictOf(kind, figures, what, ratio)
  const bytes = kind.isUnchanged === true ? 0 : body.length
  return { row: rowOf(kind.name, bytes, result, ratio, verdict, nginx !== undefined), bytes, cost: costOf(result) }
}

const costOf = (result: Rounds): Cost => ({ ours: result.of(0).cpuMicroseconds, bare: result.of(1).cpuMicroseconds })

function rowOf(name: string, bytes: number, result: Rounds, ratio: number, verdict: string, isBesideNginx: boolean): string[] {
  const [ours, bare] = [result.of(0), result.of(1)]
  return [
    name,
    kilo(bytes),
    micro(ours.cpuMicroseconds),
    micro(bare.cpuMicroseconds),
    isBesideNginx ? micro(result.of(2).cpuMicroseconds) : '',
    times(ratio),
    verdict,
    isBesideNginx ? times(result.ratio(0, 2)) : '',
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

async function underAnnounces(options: Run, pair: Pair): Promise<{ rows: string[][]; itsDelta: Measured }> {
  const { stage, rounds, milliseconds, figures } = options
  const announces = pair.announces(ANNOUNCE_CONNECTIONS, pair.servers / ANNOUNCE_SECONDS)
  const rows: string[][] = []
  for (const kind of ROWS.filter(({ name }) => UNDER_ANNOUNCES.has(name))) {
    const answer = await read(pair.ours.port, kind.path, headersOf(kind))
    const { status, body } = answer
    const what = `list ${kind.name}, ${size(pair.servers)}, under announces: CPU / bare node:http`
    if (status !== 200) {
      verdictOf(kind, figures, what, undefined)
      rows.push([kind.name, `answers ${status}`])
      continue
    }
    await pair.bare.serve(answer, stage.file(body))
    const order = asked(kind, listRequest(kind.path, headersOf(kind)))
    const turns = [pair.ours, pair.bare].map((target) => async () => {
      // While it was the other's turn nobody announced: a build waits for the first change, and its memory has grown cold.
      await stage.load.run(target, milliseconds, order, announces)
      return stage.load.run(target, milliseconds * LONGER, order, announces)
    })
    const result = await interleave(rounds, turns, (soFar) => kind.hasNoAim !== true && soFar.leavesOpen(0, 1, AIM))
    const ratio = result.ratio(0, 1)
    const verdict = verdictOf(kind, figures, what, ratio)
    rows.push(rowOf(kind.name, body.length, result, ratio, verdict, false))
  }
  const itsDelta = await delta(options, pair, announces)
  return { rows: [...rows, itsDelta.row], itsDelta }
}

function verdictOf({ hasNoAim }: Kind, figures: Run['figures'], what: string, ratio: number | undefined): string {
  return hasNoAim === true ? '' : figures.atMost(what, ratio, AIM, times)
}

/** Readers who are five seconds behind, each tick's version among them; the bare side sends one such answer again and again. */
async function delta({ stage, rounds, milliseconds }: Run, { ours, bare }: Pair, announces: Asked): Promise<Measured> {
  const versions = await Versions.follow(ours.port)
  if (versions === undefined) return { row: [DELTA, 'not answered'] }
  try {
    const headers = { 'Accept-Encoding': 'gzip' }
    await stage.load.run(ours, BEHIND_MS.to, { connections: 1, rate: 1, requests: [listRequest('/servers', headers)] }, announces)
    const version = versions.newest(BEHIND_MS.middle) ?? ''
    const requests = () => {
      const all = versions.between(BEHIND_MS.from, BEHIND_MS.to)
      return (all.length === 0 ? [versions.newest(BEHIND_MS.middle) ?? version] : all).map((one) => listRequest(sincePath(one), headers))
    }
    const answer = await read(ours.port, sincePath(version), headers)
    await bare.serve(answer, stage.file(answer.body))
    const turn = (target: Target, ...beside: Asked[]) =>
      stage.load.run(target, milliseconds, { connections: CONNECTIONS, rate: 0, requests: requests() }, announces, ...beside)
    // Our announces go on while it is the bare one's turn, so that there is always as much that changed within five seconds.
    const result = await interleave(rounds, [() => turn(ours), () => turn(bare, { ...announces, target: ours })])
    const bytes = answer.body.length
    return { row: rowOf(DELTA, bytes, result, result.ratio(0, 1), '', false), bytes, cost: costOf(result) }
  } finally {
    await versions.stop()
  }
}
