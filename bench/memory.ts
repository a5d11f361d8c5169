/** Memory per listed server after a forced garbage collection, compared with a Map of the same servers in the bare server. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Bare } from './lib/bare-server.ts'
import { GC_ON_SIGNAL, Muster } from './lib/muster.ts'
import { read } from './lib/read.ts'
import { announceRequests } from './lib/requests.ts'
import { median } from './lib/rounds.ts'
import { mega, printTable, size, times } from './lib/table.ts'
import { CHANGING_OF_TEN, type Run, type TestBed } from './lib/test-bed.ts'

const MAX_KB = 4
/** Programs per size; the median counts. Two of one size differ by 3 MB, or 0.3 kB per server at 10,000. */
const PROGRAMS = 3
/** The size that stands in for an empty program. */
const BASELINE = 100
/** Announces of the baseline servers in every program, so that compiled code and caches are the same in all. */
const WARM = { milliseconds: 5000, rate: 4000 }
const SAMPLING = { turns: 10, intervalMs: 500 }

/** Kilobytes. */
interface Memory {
  readonly ours: number
  readonly bare: number
}

const kilobytes = (value: number) => `${value.toFixed(2)} kB`

export async function run({ sizes, rounds, testBed, figures }: Run): Promise<void> {
  const programs = Math.min(PROGRAMS, rounds)
  const all = new Map<number, Memory>()
  for (const servers of new Set([BASELINE, ...sizes])) all.set(servers, await medianOf(testBed, servers, programs))
  console.log(
    `MEMORY after every server announced and all forms of the list were read: medians of ${programs} programs after a forced collection. Per server: the growth from ${BASELINE} servers.`,
  )
  const { ours: emptyOurs, bare: emptyBare } = all.get(BASELINE) as Memory
  printTable([
    ['servers', 'RSS ours', 'RSS bare', 'per server', 'bare', 'ratio', ''],
    ...[...all].map(([servers, { ours, bare }]) => {
      if (servers === BASELINE) return [size(servers), mega(ours), mega(bare)]
      const [each, floor] = [(ours - emptyOurs) / (servers - BASELINE), (bare - emptyBare) / (servers - BASELINE)]
      const verdict = figures.atMost(`memory per listed server, ${size(servers)}`, each, MAX_KB, kilobytes)
      return [size(servers), mega(ours), mega(bare), kilobytes(each), kilobytes(floor), times(each / floor), verdict]
    }),
  ])
}

async function medianOf(testBed: TestBed, servers: number, programs: number): Promise<Memory> {
  const runs: Memory[] = []
  for (let count = 0; count < programs; count += 1) {
    const ours = await testBed.program(servers, { flags: GC_ON_SIGNAL })
    const credentials = ours.fleet.map(({ credential }) => credential)
    const bare = await Bare.start(credentials, GC_ON_SIGNAL)
    try {
      for (const target of [ours, bare]) await fill(testBed, target, ours.fleet)
      runs.push({ ours: await collectedOf(ours), bare: await collectedOf(bare) })
    } finally {
      bare.stop()
      await ours.stop()
    }
  }
  return { ours: median(runs.map(({ ours }) => ours)), bare: median(runs.map(({ bare }) => bare)) }
}

/** Announces every server and reads every form of the list. */
async function fill(testBed: TestBed, target: Muster | Bare, fleet: Muster['fleet']): Promise<void> {
  const requestsOf = (count: number) => testBed.file(JSON.stringify(announceRequests(fleet.slice(0, count), CHANGING_OF_TEN)))
  await testBed.load.run(target, WARM.milliseconds, { connections: 16, rate: WARM.rate, requests: requestsOf(BASELINE) })
  const seconds = Math.max(1, fleet.length / 5000)
  await testBed.load.run(target, seconds * 1000, { connections: 16, rate: fleet.length / seconds, requests: requestsOf(fleet.length) })
  if (!(target instanceof Muster)) return
  for (const path of ['/servers', '/servers?format=columns'])
    for (const encoding of ['gzip', 'br', 'identity']) await read(target.port, path, { 'accept-encoding': encoding })
}

/** The minimum over a while: an idle engine returns memory with a delay. */
async function collectedOf(target: Muster | Bare): Promise<number> {
  target.forceGc()
  let minimum = Infinity
  for (let turn = 0; turn < SAMPLING.turns; turn += 1) {
    await sleep(SAMPLING.intervalMs)
    minimum = Math.min(minimum, target.memory())
  }
  return minimum
}
