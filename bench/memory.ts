/** Memory per listed server, while the program idles and after a forced garbage collection. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Muster, GC_ON_SIGNAL } from './lib/muster.ts'
import { read } from './lib/read.ts'
import { announceRequests, listRequest } from './lib/requests.ts'
import type { Run, TestBed } from './lib/test-bed.ts'
import { mega, printTable, size, times } from './lib/table.ts'

const MAX_KB = 1.6
const READERS = 8
/** Programs per size; the median counts. Two of one size differ by 3 MB, or 0.3 kB per server at 10,000. */
const PROGRAMS = 5
/** The size that stands in for an empty program; every other size is compared with it. */
const BASELINE = 100
/** Announces of the baseline servers in every program, so that compiled code and caches are the same in all. */
const WARM = { milliseconds: 5000, rate: 4000 }
/** How long to sample the memory while idle and after the forced collection. */
const SAMPLING = { turns: 20, maxMs: 20_000, afterGcMs: 5000, intervalMs: 500 }

/** Kilobytes. */
interface Size {
  readonly rss: number
  readonly pss: number
}

interface Memory {
  readonly servers: number
  readonly idle: Size
  readonly afterGc: Size
  readonly busyRss: number
}

const megabytes = (kilobytes: number) => (kilobytes === 0 ? '' : mega(kilobytes))
const kilobytes = (value: number) => `${value.toFixed(2)} kB`

export async function run({ sizes, rounds, milliseconds, testBed, figures }: Run): Promise<void> {
  const all: Memory[] = []
  for (const servers of new Set([BASELINE, ...sizes])) {
    all.push(await measure(testBed, servers, milliseconds, Math.min(PROGRAMS, rounds)))
  }
  console.log(
    `MEMORY after every server announced and all forms of the list were read: median of ${Math.min(PROGRAMS, rounds)} programs, minimum of ${idleMs(milliseconds) / 1000} idle seconds and after a forced collection. Per server: the growth from ${BASELINE} servers, which is noisy at small sizes.`,
  )
  const [baseline] = all
  printTable([
    [
      'servers',
      'RSS idle',
      'PSS idle',
      'per server',
      'RSS after GC',
      'PSS after GC',
      'per server',
      '',
      `RSS under ${READERS} readers`,
      '/ after GC',
    ],
    ...all.map((memory) => {
      const { servers, idle, afterGc, busyRss } = memory
      const perServer = (state: 'idle' | 'afterGc') =>
        (memory[state].rss - (baseline?.[state].rss ?? 0)) / (servers - (baseline?.servers ?? 0))
      const isBaseline = memory === baseline
      return [
        size(servers),
        megabytes(idle.rss),
        megabytes(idle.pss),
        isBaseline ? '' : kilobytes(perServer('idle')),
        megabytes(afterGc.rss),
        megabytes(afterGc.pss),
        isBaseline ? '' : kilobytes(perServer('afterGc')),
        isBaseline ? '' : figures.atMost(`memory per listed server, after GC, ${size(servers)}`, perServer('afterGc'), MAX_KB, kilobytes),
        megabytes(busyRss),
        times(busyRss / afterGc.rss),
      ]
    }),
  ])
}

async function measure(testBed: TestBed, servers: number, milliseconds: number, programs: number): Promise<Memory> {
  const musters: Muster[] = []
  try {
    for (let count = 0; count < programs; count += 1) {
      const muster = await testBed.program(servers, { flags: GC_ON_SIGNAL })
      musters.push(muster)
      await fill(testBed, muster, servers)
    }
    const idle = await Promise.all(musters.map((muster) => minimumOf(muster, idleMs(milliseconds))))
    for (const muster of musters) muster.forceGc()
    const afterGc = await Promise.all(musters.map((muster) => minimumOf(muster, Math.min(SAMPLING.afterGcMs, idleMs(milliseconds)))))
    const medianSize = afterGc.toSorted((a, b) => a.rss - b.rss)[Math.floor(programs / 2)] as Size
    const at = afterGc.indexOf(medianSize)
    const busyRss = await underReaders(testBed, musters[at] as Muster, milliseconds)
    return { servers, idle: idle[at] as Size, afterGc: medianSize, busyRss }
  } finally {
    await Promise.all(musters.map((muster) => muster.stop()))
  }
}

/** Announces every server and reads every form of the list. */
async function fill(testBed: TestBed, muster: Muster, servers: number): Promise<void> {
  const requestsOf = (count: number) => testBed.file(JSON.stringify(announceRequests(muster.fleet, 3).slice(0, count)))
  await testBed.load.run(muster, WARM.milliseconds, { connections: 16, rate: WARM.rate, requests: requestsOf(BASELINE) })
  const requests = requestsOf(servers)
  const seconds = servers / 5000
  await testBed.load.run(muster, Math.max(1, seconds) * 1000, { connections: 16, rate: servers / Math.max(1, seconds), requests })
  for (const path of ['/servers', '/servers?format=columns'])
    for (const encoding of ['gzip', 'br', 'identity']) await read(muster.port, path, { 'accept-encoding': encoding })
}

/** The peak RSS in kilobytes. */
async function underReaders(testBed: TestBed, muster: Muster, milliseconds: number): Promise<number> {
  const list = listRequest('/servers', { 'Accept-Encoding': 'gzip' })
  let max = 0
  const watching = setInterval(() => (max = Math.max(max, muster.memory().rss)), 100)
  await testBed.load.run(muster, milliseconds * 3, { connections: READERS, rate: 0, requests: [list] })
  clearInterval(watching)
  return Math.max(max, muster.memory().rss)
}

/** @param milliseconds length of a turn in the other parts */
const idleMs = (milliseconds: number) => Math.min(SAMPLING.maxMs, SAMPLING.turns * milliseconds)

/** The minimum over a while: an idle engine collects garbage and returns memory with a delay. */
async function minimumOf(muster: Muster, milliseconds: number): Promise<Size> {
  let minimum = muster.memory()
  for (let passed = 0; passed < milliseconds; passed += SAMPLING.intervalMs) {
    await sleep(SAMPLING.intervalMs)
    const now = muster.memory()
    if (now.rss < minimum.rss) minimum = now
  }
  return minimum
}
