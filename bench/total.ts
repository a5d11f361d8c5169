/** Total CPU: all servers announce every 30 s and one reader a second downloads the list. The bare server receives the same announces. */
import { MAX_FRESH_SERVERS } from '#backend/masterlist/lists/snapshot.ts'
import { printGrowth } from './lib/growth.ts'
import { read } from './lib/read.ts'
import { listRequest } from './lib/requests.ts'
import { interleave, type Turn } from './lib/rounds.ts'
import { ANNOUNCE_SECONDS, type Run } from './lib/test-bed.ts'
import { milli, percent, printTable, size, statusesOf, times } from './lib/table.ts'

const ANNOUNCE_CONNECTIONS = 16
const MAX_RATIO = 1.2
const TARGET_SIZE = 30_000
/** Turns are longer than in the other parts, so that periodic work runs in each. */
const TURN_FACTOR = 7
/** The longest time between two builds of a large list that is being read. */
const LARGE_LIST_MS = 30_000
/** Shorter turns for the extra column. */
const LISTS_TURN_FACTOR = 4
const HEADERS = { 'Accept-Encoding': 'gzip' }

export async function run({ sizes, rounds, milliseconds, testBed, figures }: Run): Promise<void> {
  const turns: Turn[] = []
  for (const servers of sizes) {
    const { ours, bare, announces } = await testBed.warmPair(servers, milliseconds)
    const response = await read(ours.port, '/servers', HEADERS)
    await bare.serve(response, testBed.file(response.body))
    const order = announces(ANNOUNCE_CONNECTIONS, servers / ANNOUNCE_SECONDS)
    const turnMs = servers > MAX_FRESH_SERVERS ? LARGE_LIST_MS : milliseconds * TURN_FACTOR
    const lists = { connections: 1, rate: 1, requests: [listRequest('/servers', HEADERS)] }
    // Warm up: earlier parts leave much garbage.
    for (const target of [ours, bare]) await testBed.load.run(target, milliseconds * 2, order, lists)
    turns.push(
      () => testBed.load.run(ours, turnMs, order, lists),
      () => testBed.load.run(bare, milliseconds * TURN_FACTOR, order),
      () => testBed.load.run(bare, milliseconds * LISTS_TURN_FACTOR, order, lists),
    )
  }
  const result = await interleave(rounds, turns)
  console.log(
    `TOTAL: N/${ANNOUNCE_SECONDS} announces a second, open loop, and one list read a second (gzip). Other processes used up to ${percent(result.othersPercent)} of a core.`,
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
        servers === TARGET_SIZE
          ? figures.atMost(`total CPU, ${size(servers)}: / bare node:http with the same announces`, ratio, MAX_RATIO, times)
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
  const cpuPerAnnounce = (side: number) => result.of(side).cpuMicroseconds
  const sums = (bareSide: number) => sizes.map((_, at) => ({ ours: cpuPerAnnounce(3 * at), bare: cpuPerAnnounce(3 * at + bareSide) }))
  printGrowth('total CPU per announce', sizes, [
    { name: 'per announce', costs: sums(1) },
    { name: 'per announce, bare with lists', costs: sums(2) },
  ])
}
