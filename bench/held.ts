/**
 * The load that a list of 10,000 has to bear: its announces held, a burst of several times as many, and people who poll the list. Bare
 * node:http bears the same, turn by turn. For hours: `soak`.
 */
import type { Bare } from './lib/bare-server.ts'
import type { Asked, Target } from './lib/load.ts'
import type { Muster } from './lib/muster.ts'
import { read } from './lib/read.ts'
import { listRequest } from './lib/requests.ts'
import { type Rounds, interleave } from './lib/rounds.ts'
import { ANNOUNCE_SECONDS, type Run, sizeUpTo } from './lib/stage.ts'
import { type Figures, milli, percent, printTable, rate, size, statusesOf, times } from './lib/table.ts'

const CONNECTIONS = 64
const BURST_A_SECOND = 3000
/** People with a launcher open: each asks five times a second, so that four of five answers are 304 while the list changes each second. */
const POLLERS = { connections: 100, rate: 500 }
const UNCHANGED_OF_FIVE = 4
const AIMS = { p99Ms: 50, lagMs: 30, pollP99Ms: 100 }
/** Of a turn in the other parts: a p99 wants many, and a hold is one only if it lasts. */
const LONGER = 6
const HEADERS = { 'Accept-Encoding': 'gzip' }
const PERCENT = 100

interface Held {
  readonly name: string
  readonly result: Rounds
  /** Milliseconds of lag of our event loop, p99 of each turn. */
  readonly lags: readonly number[]
}

export async function run({ sizes, rounds, milliseconds, stage, figures }: Run): Promise<void> {
  const pair = await stage.warmPair(sizeUpTo(sizes), milliseconds)
  const { ours, bare, servers } = pair
  const lists = await listsOf(pair, (content) => stage.file(content))
  const announces = pair.announces(CONNECTIONS, servers / ANNOUNCE_SECONDS)
  const hold = async (name: string, asked: readonly [Asked, Asked], ...beside: Asked[]): Promise<Held> => {
    const lags: number[] = []
    const turn = (target: Target, first: Asked, turnMs = milliseconds * LONGER) => stage.load.run(target, turnMs, first, ...beside)
    await turn(ours, asked[0], milliseconds)
    await turn(bare, asked[1], milliseconds)
    const result = await interleave(rounds, [
      async () => {
        await ours.lagMs()
        const cost = await turn(ours, asked[0])
        lags.push(await ours.lagMs())
        return cost
      },
      () => turn(bare, asked[1]),
    ])
    return { name, result, lags }
  }
  const before = ours.memory().rss
  const burst = pair.announces(CONNECTIONS, BURST_A_SECOND)
  const all = [
    await hold(`${rate(servers / ANNOUNCE_SECONDS)} announces`, [announces, announces]),
    // Refusing for a while would be right; failing, or keeping waiting, would not.
    await hold(`${rate(BURST_A_SECOND)} announces`, [{ ...burst, expected: '200|429|503' }, burst]),
    await hold(`${rate(POLLERS.rate)} readers beside them`, lists, announces),
  ]
  print(all, servers, figures)
  console.log(`Memory: ${mega(before)} before, ${mega(ours.memory().rss)} after.`)
}

const mega = (kilobytes: number) => `${(kilobytes / 1024).toFixed(0)} MB`

/** Ours are asked as readers ask, and bare for as many 304 as come of that. */
async function listsOf({ ours, bare }: { ours: Muster; bare: Bare }, file: (content: Buffer) => string): Promise<[Asked, Asked]> {
  const answer = await read(ours.port, '/servers', HEADERS)
  await bare.serve(answer, file(answer.body))
  const whole = listRequest('/servers', HEADERS)
  const unchanged = listRequest('/servers', { ...HEADERS, 'If-None-Match': answer.headers.etag ?? '' })
  const polls = { ...POLLERS, expected: '200|304' }
  return [
    { ...polls, requests: [whole], keepsTags: true },
    { ...polls, requests: [whole, ...Array<string>(UNCHANGED_OF_FIVE).fill(unchanged)] },
  ]
}

function print(all: readonly Held[], servers: number, figures: Figures): void {
  console.log(
    `HELD: ${size(servers)} servers, open loop, counted from when each was due. Readers poll the whole list (gzip) and are told 304 where it is the one they have. p99 and lag of the event loop are means of the turns. Others took up to ${percent(Math.max(...all.map(({ result }) => result.othersPercent)))} of a core.`,
  )
  const [held, burst, polled] = all
  printTable([
    ['', 'p50', 'p99', '', 'answered', 'statuses', 'CPU', 'Postgres', 'lag', 'bare p99', 'p99 / bare', 'CPU / bare'],
    ...all.map(({ name, result, lags }) => {
      const cost = result.of(0)
      const aim = polled?.result === result ? AIMS.pollP99Ms : AIMS.p99Ms
      const p99 = result.mean(0, (each) => each.p99)
      return [
        name,
        milli(cost.p50),
        milli(p99),
        figures.atMost(`held, ${size(servers)}: ${name}, p99`, p99, aim, milli),
        rate(cost.perSecond),
        statusesOf(cost.statuses),
        percent(cost.cpuPercent),
        percent(cost.databasePercent),
        milli(mean(lags)),
        milli(result.mean(1, (each) => each.p99)),
        times(result.ratio(0, 1, (each) => each.p99)),
        times(result.ratio(0, 1)),
      ]
    }),
  ])
  const lag = figures.atMost(`held, ${size(servers)}: event loop's lag under its announces, p99`, mean(held?.lags ?? []), AIMS.lagMs, milli)
  console.log(
    `Lag under its announces ${lag}, in the burst ${milli(mean(burst?.lags ?? []))}; of the readers' answers ${percent(unchangedPercent(polled?.result))} are 304.`,
  )
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

function unchangedPercent(result: Rounds | undefined): number {
  return (result?.mean(0, ({ statuses, requests }) => (statuses['304'] ?? 0) / requests) ?? Number.NaN) * PERCENT
}
