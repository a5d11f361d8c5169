/** Memory per listed server after a forced garbage collection, compared with a Map of the same servers in the bare server. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Side } from './lib/programs.ts'
import { read } from './lib/read.ts'
import { median } from './lib/rounds.ts'
import { printTable, size, times } from './lib/table.ts'
import type { Pair, Run, TestBed } from './lib/test-bed.ts'

const MAX_KB = 4
/** Programs per size; the median counts. Two of one size differ by 3 MB, or 0.3 kB per server at 10,000. */
const PROGRAMS = 3
/** The size that stands in for an empty program. */
const BASELINE = 100
/** Announces of the baseline servers in every program, so that compiled code and caches are the same in all. */
const WARM = { rate: 4000, connections: 16 }
const WARM_TURN_FACTOR = 5
const SAMPLING = { turns: 10, intervalMs: 500 }

/** Megabytes. */
interface Memory {
  readonly ours: number
  readonly bare: number
}

const kilobytes = (value: number) => `${value.toFixed(2)} kB`
const megabytes = (value: number) => `${value.toFixed(1)} MB`

export async function run({ sizes, rounds, milliseconds, testBed, figures }: Run): Promise<void> {
  const programs = Math.min(PROGRAMS, rounds)
  const warmMs = milliseconds * WARM_TURN_FACTOR
  const empty = await medianOf(testBed, BASELINE, programs, warmMs)
  const rows: Record<string, string>[] = []
  for (const servers of sizes.filter((each) => each !== BASELINE)) {
    const { ours, bare } = await medianOf(testBed, servers, programs, warmMs)
    const perServer = (grown: number) => (grown * 1000) / (servers - BASELINE)
    const [each, floor] = [perServer(ours - empty.ours), perServer(bare - empty.bare)]
    rows.push({
      servers: size(servers),
      'RSS ours': megabytes(ours),
      'RSS bare': megabytes(bare),
      'per server': kilobytes(each),
      bare: kilobytes(floor),
      ratio: times(each / floor),
      target: figures.atMost(`memory per listed server, ${size(servers)}`, each, MAX_KB, kilobytes),
    })
  }
  rows.push({ servers: size(BASELINE), 'RSS ours': megabytes(empty.ours), 'RSS bare': megabytes(empty.bare) })
  console.log(
    `MEMORY after every server announced and all forms of the list were read: medians of ${programs} programs after a forced collection. Per server: the growth from ${BASELINE} servers.`,
  )
  printTable(rows)
}

async function medianOf(testBed: TestBed, servers: number, programs: number, warmMs: number): Promise<Memory> {
  const runs: Memory[] = []
  for (let count = 0; count < programs; count += 1) {
    const pair = await testBed.start(servers)
    await fill(testBed, pair, warmMs)
    runs.push({ ours: await collectedOf(pair.ours), bare: await collectedOf(pair.bare) })
    testBed.stopPair(pair)
  }
  return { ours: median(runs.map(({ ours }) => ours)), bare: median(runs.map(({ bare }) => bare)) }
}

/** Warms up both sides and reads every form of the list. */
async function fill(testBed: TestBed, { ours, bare }: Pair, warmMs: number): Promise<void> {
  const requests = testBed.announceFile(ours.fleet.slice(0, BASELINE))
  for (const target of [ours, bare]) await testBed.load.run(target, warmMs, { ...WARM, requests })
  for (const path of ['/servers', '/servers?format=columns'])
    for (const encoding of ['gzip', 'br', 'identity']) await read(ours.port, path, { 'accept-encoding': encoding })
}

/** The minimum over a while: an idle engine returns memory with a delay. */
async function collectedOf(side: Side): Promise<number> {
  let minimum = Infinity
  for (let turn = 0; turn < SAMPLING.turns; turn += 1) {
    side.forceGc()
    await sleep(SAMPLING.intervalMs)
    minimum = Math.min(minimum, side.memory())
  }
  return minimum
}
