/**
 * The load that a list of 10,000 has to bear: its announces held, a burst of several times as many, and people who poll the list. Bare
 * node:http bears the same, turn by turn. For hours: `soak`.
 */
import type { Asked, Target } from './lib/load.ts'
import { read } from './lib/read.ts'
import { listRequest } from './lib/requests.ts'
import { type Rounds, interleave } from './lib/rounds.ts'
import { ANNOUNCE_SECONDS, type Pair, type Run, sizeUpTo } from './lib/stage.ts'
import { type Figures, milli, percent, printTable, rate, size, statusesOf, times } from './lib/table.ts'

const CONNECTIONS = 64
const BURST_A_SECOND = 3000
/** People with a launcher open: each asks five times a second, so that most answers are 304 while the list changes each second. */
const POLLERS = { connections: 100, rate: 500 }
const AIMS = { p99Ms: 50, lagMs: 30, pollP99Ms: 100 }
/** Of a turn in the other parts: a p99 wants many, and a hold is one only if it lasts. */
const LONGER = 6
/** In a turn of so long the list has changed. */
const CHANGED_WITHIN_MS = 3000
const HEADERS = { 'Accept-Encoding': 'gzip' }

/** What ours is asked, what bare is asked, and what both are asked beside it. */
interface Load {
  readonly name: string
  readonly aimMs: number
  readonly ours: Asked
  readonly bare: Asked
  readonly beside: readonly Asked[]
}

interface Held {
  readonly load: Load
  readonly result: Rounds
  /** Milliseconds of lag of our event loop, p99 of each turn. */
  readonly lags: readonly number[]
}

export async function run({ sizes, rounds, milliseconds, stage, figures }: Run): Promise<void> {
  const pair = await stage.warmPair(sizeUpTo(sizes), milliseconds)
  const { ours, bare, servers } = pair
  const turn = async ({ beside }: Load, target: Target, asked: Asked) => {
    // A list that nobody has read for two seconds is made for the first who comes; here they have been coming all the time.
    await stage.load.run(target, milliseconds, asked, ...beside)
    return stage.load.run(target, milliseconds * LONGER, asked, ...beside)
  }
  const hold = async (load: Load): Promise<Held> => {
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
    const asked = pair.announces(CONNECTIONS, perSecond)
    return { name: `${rate(perSecond)} announces`, aimMs: AIMS.p99Ms, ours: asked, bare: asked, beside: [] }
  }
  const held = announcing(servers / ANNOUNCE_SECONDS)
  const polling: Load = {
    name: `${rate(POLLERS.rate)} readers beside them`,
    aimMs: AIMS.pollP99Ms,
    ours: { ...POLLERS, expected: '200|304', requests: [listRequest('/servers', HEADERS)], keepsTags: true },
    bare: held.bare,
    beside: [held.ours],
  }
  const { statuses, requests } = await turn(polling, ours, polling.ours)
  const changes = (statuses['200'] ?? 0) - POLLERS.connections
  if (changes <= 0 && milliseconds * LONGER > CHANGED_WITHIN_MS) throw new Error('The list was polled and did not change.')
  const mixed = await mixedPolls(pair, (statuses['304'] ?? 0) / requests, (content) => stage.file(content))
  await turn(polling, bare, mixed)
  const all = [await hold(held), await hold(announcing(BURST_A_SECOND)), await hold({ ...polling, bare: mixed })]
  print(all, servers, figures)
}

/** For bare: reads of the same list, so many of which are answered with 304. */
async function mixedPolls({ ours, bare }: Pair, unchangedShare: number, file: (content: Buffer) => string): Promise<Asked> {
  const answer = await read(ours.port, '/servers', HEADERS)
  await bare.serve(answer, file(answer.body))
  const whole = listRequest('/servers', HEADERS)
  const unchanged = listRequest('/servers', { ...HEADERS, 'If-None-Match': answer.headers.etag ?? '' })
  const requests = Array.from({ length: POLLERS.connections }, (_, index) =>
    Math.floor((index + 1) * unchangedShare) > Math.floor(index * unchangedShare) ? unchanged : whole,
  )
  return { ...POLLERS, expected: '200|304', requests }
}

function print(all: readonly Held[], servers: number, figures: Figures): void {
  console.log(
    `HELD: ${size(servers)} servers, open loop, counted from when each was due. Readers poll the whole list (gzip), are told 304 where it is the one they have, and bare's as often. p99 and lag of the event loop are means of the turns. Others took up to ${percent(Math.max(...all.map(({ result }) => result.othersPercent)))} of a core.`,
  )
  printTable([
    ['', 'p50', 'p99', '', 'answered', 'statuses', 'CPU', 'Postgres', 'lag', '', 'bare p99', 'p99 / bare', 'CPU / bare'],
    ...all.map(({ load: { name, aimMs }, result, lags }) => {
      const cost = result.of(0)
      const p99 = result.mean(0, (each) => each.p99)
      const lag = lags.reduce((sum, value) => sum + value, 0) / lags.length
      return [
        name,
        milli(cost.p50),
        milli(p99),
        figures.atMost(`held, ${size(servers)}: ${name}, p99`, p99, aimMs, milli),
        rate(cost.perSecond),
        statusesOf(result.statuses(0)),
        percent(cost.cpuPercent),
        percent(cost.databasePercent),
        milli(lag),
        figures.atMost(`held, ${size(servers)}: ${name}, lag of the event loop, p99`, lag, AIMS.lagMs, milli),
        milli(result.mean(1, (each) => each.p99)),
        times(result.ratio(0, 1, (each) => each.p99)),
        times(result.ratio(0, 1)),
      ]
    }),
  ])
}
