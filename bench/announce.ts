/** CPU per announce of the whole process, including publishing and saving, compared with a bare node:http server. */
import { interleave, type Turn } from './lib/rounds.ts'
import { cpuColumns, printTable, size, times } from './lib/table.ts'
import type { Run } from './lib/test-bed.ts'

const CONNECTIONS = 32
const MAX_RATIO = 1.6
/** Turns are longer than in the other parts, so that saving and garbage collection run several times. */
const TURN_FACTOR = 2

/** All sizes take turns in the same minutes. Three of ten announces change the player count. */
export async function run({ sizes, rounds, milliseconds, testBed, figures }: Run): Promise<void> {
  const turns: Turn[] = []
  for (const servers of sizes) {
    const { ours, bare, announces } = await testBed.warmPair(servers, milliseconds)
    for (const target of [ours, bare]) turns.push(() => testBed.load.run(target, milliseconds * TURN_FACTOR, announces(CONNECTIONS, 0)))
  }
  const result = await interleave(rounds, turns)
  console.log(`ANNOUNCE: closed loop, ${CONNECTIONS} connections.`)
  const rows = sizes.map((servers, at) => {
    const name = `announce, ${size(servers)}: CPU / bare node:http`
    const verdictOf = (ratio: number) => figures.atMost(name, ratio, MAX_RATIO, times)
    return { servers: size(servers), ...cpuColumns(result, [2 * at, 2 * at + 1], verdictOf) }
  })
  printTable(rows)
}
