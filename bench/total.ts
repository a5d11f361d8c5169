/**
 * Total CPU: all servers announce every 30 s, three of ten with a change, and one reader a second downloads the list. The bare server
 * receives the same announces, and builds, compresses and sends the list for each reader.
 */
import { getRequest, read } from './lib/read.ts'
import { interleave, type Turn } from './lib/rounds.ts'
import { p99Columns, percent, printTable, size, times } from './lib/table.ts'
import { ANNOUNCE_SECONDS, type Run } from './lib/test-bed.ts'

const ANNOUNCE_CONNECTIONS = 16
/** Per cent of a core. */
const MAX_PERCENT = 12
const TARGET_SIZE = 10_000
/** Turns are longer than in the other parts, so that periodic work runs in each. */
const TURN_FACTOR = 15
const HEADERS = { 'Accept-Encoding': 'gzip' }

export async function run({ sizes, rounds, milliseconds, testBed, figures }: Run): Promise<void> {
  const turns: Turn[] = []
  const lists = { connections: 1, rate: 1, requests: testBed.file(JSON.stringify([getRequest('/servers', HEADERS)])) }
  for (const servers of sizes) {
    const { ours, bare, announces } = await testBed.warmPair(servers, milliseconds)
    const load = announces(ANNOUNCE_CONNECTIONS, servers / ANNOUNCE_SECONDS)
    const response = await read(ours.port, '/servers', HEADERS)
    await bare.serve(response, testBed.file(response.body), true)
    // Warm up: earlier parts leave much garbage.
    for (const target of [ours, bare]) await testBed.load.run(target, milliseconds * 2, load, lists)
    for (const target of [ours, bare]) turns.push(() => testBed.load.run(target, milliseconds * TURN_FACTOR, load, lists))
  }
  const result = await interleave(rounds, turns)
  console.log(`TOTAL: N/${ANNOUNCE_SECONDS} announces a second, open loop, and one list read a second (gzip).`)
  const rows = sizes.map((servers, at) => {
    const sides = [2 * at, 2 * at + 1] as const
    const [ours, bare] = sides.map((side) => result.of(side, (cost) => cost.cpuPercent)) as [number, number]
    const name = `total CPU, ${size(servers)}: per cent of a core`
    return {
      servers: size(servers),
      'CPU ours': percent(ours),
      'CPU bare': percent(bare),
      ratio: times(result.ratio(...sides, (cost) => cost.cpuPercent)),
      target: servers === TARGET_SIZE ? figures.atMost(name, ours, MAX_PERCENT, percent) : '',
      ...p99Columns(result, sides),
    }
  })
  printTable(rows)
}
