/**
 * Total CPU: all servers announce every 30 s, three of ten with a change, and one reader a second downloads the list. The bare server
 * receives the same announces, and builds, compresses and sends the list for each reader.
 */
import { read } from './lib/read.ts'
import { listRequest } from './lib/requests.ts'
import { interleave, type Turn } from './lib/rounds.ts'
import { ANNOUNCE_SECONDS, type Run } from './lib/test-bed.ts'
import { milli, percent, printTable, size, statusesOf, times } from './lib/table.ts'

const ANNOUNCE_CONNECTIONS = 16
/** Per cent of a core. */
const MAX_PERCENT = 12
const TARGET_SIZE = 10_000
/** Turns are longer than in the other parts, so that periodic work runs in each. */
const TURN_FACTOR = 15
const HEADERS = { 'Accept-Encoding': 'gzip' }

export async function run({ sizes, rounds, milliseconds, testBed, figures }: Run): Promise<void> {
  const turns: Turn[] = []
  const listBytes: number[] = []
  for (const servers of sizes) {
    const { ours, bare, announces } = await testBed.warmPair(servers, milliseconds)
    const order = announces(ANNOUNCE_CONNECTIONS, servers / ANNOUNCE_SECONDS)
    const lists = { connections: 1, rate: 1, requests: [listRequest('/servers', HEADERS)] }
    const response = await read(ours.port, '/servers', HEADERS)
    await bare.serve(response, testBed.file(response.body), true)
    listBytes.push(response.body.length)
    // Warm up: earlier parts leave much garbage.
    for (const target of [ours, bare]) await testBed.load.run(target, milliseconds * 2, order, lists)
    turns.push(
      () => testBed.load.run(ours, milliseconds * TURN_FACTOR, order, lists),
      () => testBed.load.run(bare, milliseconds * TURN_FACTOR, order, lists),
      () => testBed.load.run(bare, milliseconds * TURN_FACTOR, order),
    )
  }
  const result = await interleave(rounds, turns)
  console.log(
    `TOTAL: N/${ANNOUNCE_SECONDS} announces a second, open loop, and one list read a second (gzip). Other processes used up to ${percent(result.othersPercent)} of a core.`,
  )
  printTable([
    [
      'servers',
      'CPU ours',
      '',
      'bare, builds lists',
      'ours / bare',
      'bare, no lists',
      'Postgres',
      'p99 ours',
      'p99 bare',
      'list',
      'statuses',
    ],
    ...sizes.map((servers, at) => {
      const [ours, bare, announcesOnly] = [result.of(3 * at), result.of(3 * at + 1), result.of(3 * at + 2)]
      return [
        size(servers),
        percent(ours.cpuPercent),
        servers === TARGET_SIZE
          ? figures.atMost(`total CPU, ${size(servers)}: per cent of a core`, ours.cpuPercent, MAX_PERCENT, percent)
          : '',
        percent(bare.cpuPercent),
        times(result.ratio(3 * at, 3 * at + 1)),
        percent(announcesOnly.cpuPercent),
        percent(ours.databasePercent),
        milli(ours.p99),
        milli(bare.p99),
        `${Math.round((listBytes[at] ?? 0) / 1000)} kB`,
        statusesOf(ours.statuses),
      ]
    }),
  ])
}
