/** Announce latency while four readers download the whole list in a loop, compared with a bare node:http server. */
import { read } from './lib/read.ts'
import { listRequest } from './lib/requests.ts'
import { interleave } from './lib/rounds.ts'
import { ANNOUNCE_SECONDS, type Run } from './lib/test-bed.ts'
import { milli, percent, printTable, rate, size, statusesOf, times } from './lib/table.ts'

const READERS = 4
const ANNOUNCE_CONNECTIONS = 16
const MAX_RATIO = 3
/** Turns are longer than in the other parts: a p99 needs many announces. */
const TURN_FACTOR = 4

/** Measures the largest size only, where the list has the most bytes. */
export async function run({ sizes, rounds, milliseconds, testBed, figures }: Run): Promise<void> {
  const servers = sizes.at(-1) ?? 0
  const pair = await testBed.warmPair(servers, milliseconds)
  const headers = { 'Accept-Encoding': 'gzip' }
  const response = await read(pair.ours.port, '/servers', headers)
  await pair.bare.serve(response, testBed.file(response.body))
  const announces = pair.announces(ANNOUNCE_CONNECTIONS, servers / ANNOUNCE_SECONDS)
  const readers = { connections: READERS, rate: 0, requests: [listRequest('/servers', headers)] }
  const turns = [pair.ours, pair.bare].map((target) => () => testBed.load.run(target, milliseconds * TURN_FACTOR, announces, readers))
  for (const target of [pair.ours, pair.bare]) await testBed.load.run(target, milliseconds, announces, readers)
  const result = await interleave(rounds, turns)
  const ratio = result.ratio(0, 1, (cost) => cost.p99)
  const name = `announce p99 with ${READERS} readers, ${size(servers)}: / bare node:http`
  const verdict = figures.atMost(name, ratio, MAX_RATIO, times)
  console.log(
    `READERS: ${Math.round(servers / ANNOUNCE_SECONDS)} announces a second, open loop, latency counted from the due time; ${READERS} readers of the whole list, gzip. Other processes used up to ${percent(result.othersPercent)} of a core.`,
  )
  const row = (side: number) => {
    const cost = result.of(side)
    const [lists] = cost.background
    return [
      milli(cost.p50),
      milli(result.mean(side, ({ p99 }) => p99)),
      rate(cost.perSecond),
      statusesOf(cost.statuses),
      rate(((lists?.requests ?? 0) / (lists?.milliseconds ?? 1)) * 1000),
      percent(cost.cpuPercent),
      percent(cost.generatorPercent),
    ]
  }
  printTable([
    ['', 'p50', 'p99', 'announces', 'statuses', 'lists', 'CPU', 'generator CPU', 'p99 / bare', ''],
    [`ours, ${size(servers)}`, ...row(0), times(ratio), verdict],
    ['bare', ...row(1)],
  ])
}
