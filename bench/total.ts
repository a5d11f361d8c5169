/** What the whole list costs: all servers announce each 30 s and one reader a second downloads it. Bare node:http takes the same announces. */
import { MAX_SMALL_LIST } from '#backend/masterlist/lists/publisher.ts'
import { printGrowth } from './lib/growth.ts'
import { read } from './lib/read.ts'
import { listRequest } from './lib/requests.ts'
import { interleave, type Turn } from './lib/rounds.ts'
import { ANNOUNCE_SECONDS, type Run } from './lib/stage.ts'
import { milli, percent, printTable, size, statusesOf, times } from './lib/table.ts'

const ANNOUNCE_CONNECTIONS = 16
const AIM = 1.2
const AIM_AT = 30_000
/** Of a turn in the other parts: what is done each few seconds has to happen in it. */
const LONGER = 7
/** The longest rest of a list that is not prompt, while it is read; after a longer pause the first read has it built. */
const LARGE_LIST_MS = 30_000
/** The column beside the figure makes do with less. */
const LONGER_BESIDE = 4
const HEADERS = { 'Accept-Encoding': 'gzip' }

export async function run({ sizes, rounds, milliseconds, stage, figures }: Run): Promise<void> {
  const turns: Turn[] = []
  for (const servers of sizes) {
    const { ours, bare, announces } = await stage.warmPair(servers, milliseconds)
    const answer = await read(ours.port, '/servers', HEADERS)
    await bare.serve(answer, stage.file(answer.body))
    const order = announces(ANNOUNCE_CONNECTIONS, servers / ANNOUNCE_SECONDS)
    const turnMs = servers > MAX_SMALL_LIST ? LARGE_LIST_MS : milliseconds * LONGER
    const lists = { connections: 1, rate: 1, requests: [listRequest('/servers', HEADERS)] }
    // After parts that load it to its limit it has much to sweep up.
    for (const target of [ours, bare]) await stage.load.run(target, milliseconds * 2, order, lists)
    turns.push(
      () => stage.load.run(ours, turnMs, order, lists),
      () => stage.load.run(bare, milliseconds * LONGER, order),
      () => stage.load.run(bare, milliseconds * LONGER_BESIDE, order, lists),
    )
  }
  const result = await interleave(rounds, turns)
  console.log(
    `TOTAL: N/${ANNOUNCE_SECONDS} announces a second, open loop, and one list read a second (gzip). Others took up to ${percent(result.othersPercent)} of a core.`,
  )
  printTable([
    ['servers', 'CPU ours', 'bare', '/ bare', '', 'bare with lists', '/ bare with lists', 'Postgres', 'p99 ours', 'p99 bare', 'statuses'],
    ...sizes.map((servers, at) => {
      const [ours, bare, bareWithLists] = [result.of(3 * at), result.of(3 * at + 1), result.of(3 * at + 2)]
      const ratio = result.ratio(3 * at, 3 * at + 1)
      return [
        size(servers),
        percent(ours.cpuPercent),
        percent(bare.cpuPercent),
        times(ratio),
        servers === AIM_AT
          ? figures.atMost(`total CPU, ${size(servers)}: / bare node:http with the same announces`, ratio, AIM, times)
          : '',
        percent(bareWithLists.cpuPercent),
        times(result.ratio(3 * at, 3 * at + 2)),
        percent(ours.databasePercent),
        milli(ours.p99),
        milli(bare.p99),
        statusesOf(ours.statuses),
      ]
    }),
  ])
  const anAnnounce = (side: number) => result.of(side).cpuMicroseconds
  const sums = (bareSide: number) => sizes.map((_, at) => ({ ours: anAnnounce(3 * at), bare: anAnnounce(3 * at + bareSide) }))
  printGrowth('CPU of everything, over the announces', sizes, [
    { name: 'an announce', costs: sums(1) },
    { name: 'an announce, bare with lists', costs: sums(2) },
  ])
}
