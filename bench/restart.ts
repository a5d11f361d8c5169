/**
 * The program is killed and started again: how soon it is back, whether its list is as it was, and what it costs when every server
 * announces in the same moment; the same announces also against a bare node:http server that was just started.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ListedServer } from '#contract/masterlist.ts'
import { Bare } from './lib/bare-server.ts'
import type { Cost, Target } from './lib/load.ts'
import type { Muster } from './lib/muster.ts'
import { type Answer, read } from './lib/read.ts'
import { announceRequests } from './lib/requests.ts'
import { CHANGING_OF_TEN, type Run, type Stage } from './lib/stage.ts'
import { type Figures, milli, percent, printTable, size, statusesOf, times } from './lib/table.ts'
import { untilQuiet } from './lib/versions.ts'
import { unevenness, waitsOf } from './lib/waits.ts'

const MAX_SERVERS = 10_000
const CONNECTIONS = 64
/** The program's own: who is left out after a restart is left out by this. */
const TTL_SECONDS = 75
/** Of each way of being killed. */
const MAX_LIVES = 2
const WAYS = ['program', 'everything'] as const
const AIMS = { readyMs: 3000, leastPercent: 95, missing: 0, allMs: 60_000, p99Ms: 250 }
/** Until it is there, and then how the list is watched. */
const LOOK_EACH_MS = 10
const POLL_EACH_MS = 100
const PATIENCE_MS = 60_000
const ROW = Buffer.from('{"publicId":"')

/** What became of one kill. */
interface Life {
  readonly servers: number
  readonly way: (typeof WAYS)[number]
  readonly readyMs: number
  readonly listMs: number
  readonly before: number
  /** The smallest list that was seen, and how many were looked at. */
  readonly least: number
  readonly polls: number
  /** Of the servers that were on the list. */
  readonly missing: number
  readonly ours: Cost
  readonly bare: Cost
}

export async function run(options: Run): Promise<void> {
  const sizes = options.sizes.filter((servers) => servers <= MAX_SERVERS)
  const all: Life[] = []
  for (const servers of sizes.length === 0 ? [MAX_SERVERS] : sizes) all.push(...(await livesOf(options, servers)))
  print(all, options.figures)
}

async function livesOf({ stage, rounds }: Run, servers: number): Promise<Life[]> {
  const muster = await stage.program(servers, { ttlSeconds: TTL_SECONDS })
  try {
    const requests = announceRequests(muster.fleet, CHANGING_OF_TEN)
    const turns = [requests.slice(0, servers), requests.slice(servers)].map((turn) => stage.file(JSON.stringify(turn)))
    const lives: Life[] = []
    for (let turn = 0; turn < Math.min(rounds, MAX_LIVES); turn += 1)
      for (const way of WAYS) lives.push(await live(stage, muster, way, turns))
    return lives
  } finally {
    await muster.stop()
  }
}

async function live(stage: Stage, muster: Muster, way: Life['way'], [first = '', second = '']: readonly string[]): Promise<Life> {
  const { port, fleet } = muster
  await announceAll(stage, muster, first)
  await untilQuiet(port)
  const before = await idsOf(port)
  await muster.kill(way)
  const began = performance.now()
  muster.again()
  const since = async (path: string) => {
    const answer = await untilServed(muster, path)
    return { answer, ms: performance.now() - began }
  }
  const readying = since('/readyz')
  // Said below, where the list has come.
  readying.catch(() => undefined)
  const { answer, ms: listMs } = await since('/servers')
  muster.settle()
  const { least, polls, cost: ours } = await watched(muster, answer, () => announceAll(stage, muster, second))
  const { ms: readyMs } = await readying
  await untilQuiet(port)
  const after = await idsOf(port)
  const missing = [...before].filter((id) => !after.has(id)).length
  const bare = await Bare.start(fleet.map((one) => one.credential))
  try {
    await bare.serve(answer, stage.file(answer.body))
    const { cost } = await watched(bare, answer, () => announceAll(stage, bare, second))
    return { servers: fleet.length, way, readyMs, listMs, before: before.size, least, polls, missing, ours, bare: cost }
  } finally {
    bare.stop()
  }
}

/** As fast as they are answered; any answer but 200 throws. */
const announceAll = (stage: Stage, target: Target, requests: string) =>
  stage.load.run(target, PATIENCE_MS, { connections: CONNECTIONS, rate: 0, requests, isOnce: true })

async function untilServed(muster: Muster, path: string): Promise<Answer> {
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline && !muster.hasEnded; await sleep(LOOK_EACH_MS)) {
    const answer = await read(muster.port, path).catch(() => undefined)
    if (answer?.status === 200) return answer
  }
  throw new Error(`The program was killed and did not come back: nothing is served on ${path}.`)
}

/** Looks at the list again and again until all have announced: both sides pay for that alike. */
async function watched(
  target: Muster | Bare,
  first: Answer,
  announce: () => Promise<Cost>,
): Promise<{ least: number; polls: number; cost: Cost }> {
  let least = rowsOf(first)
  let polls = 1
  let isOver = false
  const look = async () => {
    const answer = await read(target.port, '/servers')
    if (answer.status !== 200) throw new Error(`The list was answered with ${answer.status}.`)
    least = Math.min(least, rowsOf(answer))
    polls += 1
  }
  const watching = (async () => {
    for (; !isOver; await sleep(POLL_EACH_MS)) await look()
    await look()
  })()
  const [cost] = await Promise.all([announce().finally(() => (isOver = true)), watching])
  return { least, polls, cost }
}

/** Counted in the bytes: a list of 10,000 takes long to parse, on the core of those who announce. */
function rowsOf({ body }: Answer): number {
  let rows = 0
  for (let at = body.indexOf(ROW); at !== -1; at = body.indexOf(ROW, at + ROW.length)) rows += 1
  return rows
}

async function idsOf(port: number): Promise<Set<string>> {
  const rows = JSON.parse((await read(port, '/servers')).body.toString()) as ListedServer[]
  return new Set(rows.map(({ publicId }) => publicId))
}

const leastPercent = ({ least, before }: Life) => (least / before) * 100

function print(all: readonly Life[], figures: Figures): void {
  console.log(
    `RESTART: every server has announced, kill -9 of the program or of everything (its Postgres, too), and again on the same folder. From the first list on it is read each ${POLL_EACH_MS} ms, and all servers announce once, ${CONNECTIONS} connections, closed loop. Bare was just started, too.`,
  )
  printTable([
    [
      'servers',
      'killed',
      'first list',
      'ready',
      'least rows',
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
      'told to wait',
      'most in 1 s / mean',
      'others',
    ],
    ...all.map((life) => {
      const { servers, way, readyMs, listMs, before, least, polls, missing, ours, bare } = life
      return [
        size(servers),
        way,
        ms(listMs),
        ms(readyMs),
        String(least),
        String(before),
        String(polls),
        String(missing),
        ms(ours.milliseconds),
        milli(ours.p50),
        milli(ours.p99),
        statusesOf(ours.statuses),
        ms(bare.milliseconds),
        milli(bare.p99),
        times(ours.milliseconds / bare.milliseconds),
        waitsOf(ours.waits),
        times(unevenness(ours.waits)),
        percent(ours.othersPercent),
      ]
    }),
  ])
  for (const servers of new Set(all.map((life) => life.servers)))
    judge(
      all.filter((life) => life.servers === servers),
      servers,
      figures,
    )
}

const ms = (value: number) => `${Math.round(value)} ms`

/** The worst life of a size counts. */
function judge(lives: readonly Life[], servers: number, figures: Figures): void {
  const most = (of: (life: Life) => number) => Math.max(...lives.map(of))
  const name = `restart, ${size(servers)}:`
  const verdicts = [
    figures.atMost(
      `${name} killed until ready`,
      most(({ readyMs, listMs }) => Math.max(readyMs, listMs)),
      AIMS.readyMs,
      ms,
    ),
    figures.atLeast(`${name} the smallest list / the one before`, Math.min(...lives.map(leastPercent)), AIMS.leastPercent, percent),
    figures.atMost(
      `${name} servers that are missing afterwards`,
      most(({ missing }) => missing),
      AIMS.missing,
      String,
    ),
    figures.atMost(
      `${name} all announce at once, until the last is answered`,
      most(({ ours }) => ours.milliseconds),
      AIMS.allMs,
      ms,
    ),
    figures.atMost(
      `${name} all announce at once, p99`,
      most(({ ours }) => ours.p99),
      AIMS.p99Ms,
      milli,
    ),
  ]
  console.log(
    `${size(servers)}, the worst of them: ready ${verdicts[0]}, rows ${verdicts[1]}, missing ${verdicts[2]}, all announced ${verdicts[3]}, p99 ${verdicts[4]}`,
  )
}
