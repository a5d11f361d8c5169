/** How long announces wait while four readers download the whole list again and again, beside a bare node:http server with the same bytes. */
import { read } from './lib/read.ts'
import { listRequest } from './lib/requests.ts'
import { interleave } from './lib/rounds.ts'
import { ANNOUNCE_SECONDS, type Run } from './lib/stage.ts'
import { milli, percent, printTable, rate, size, statusesOf, times } from './lib/table.ts'

const READERS = 4
const ANNOUNCE_CONNECTIONS = 16
const AIM = 3
/** Of a turn in the other parts: a p99 wants many announces. */
const LONGER = 4

/** At the largest size only: there one list is most bytes. */
export async function run({ sizes, rounds, milliseconds, stage, figures }: Run): Promise<void> {
  const servers = sizes.at(-1) ?? 0
  const pair = await stage.warmPair(servers, milliseconds)
  const headers = { 'Accept-Encoding': 'gzip' }
  const answer = await read(pair.ours.port, '/servers', headers)
  await pair.bare.serve(answer, stage.file(answer.body))
  const announces = pair.announces(ANNOUNCE_CONNECTIONS, servers / ANNOUNCE_SECONDS)
  const readers = { connections: READERS, rate: 0, requests: [listRequest('/servers', headers)] }
  const turns = [pair.ours, pair.bare].map((target) => () => stage.load.run(target, milliseconds * LONGER, announces, readers))
  for (const target of [pair.ours, pair.bare]) await stage.load.run(target, milliseconds, announces, readers)
  const result = await interleave(rounds, turns)
  const ratio = result.ratio(0, 1, (cost) => cost.p99)
  const name = `announce p99 under ${READERS} readers, ${size(servers)}: / bare node:http`
  const verdict = figures.atMost(name, ratio, AIM, times)
  console.log(
    `READERS: ${Math.round(servers / ANNOUNCE_SECONDS)} announces a second, open loop, counted from when each was due; ${READERS} readers of the whole list, gzip. Others took up to ${percent(result.othersPercent)} of a core.`,
  )
  const row = (side: number) => {
    const cost = result.of(side)
    const [lists] = cost.beside
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
    ['', 'p50', 'p99', 'announces', 'statuses', 'lists', 'CPU', 'generators', 'p99 / bare', ''],
    [`ours, ${size(servers)}`, ...row(0), times(ratio), verdict],
    ['bare', ...row(1)],
  ])
}
