/**
 * What a listed server costs in memory: programs of each size that were filled, announced to and read, and nothing else; as they idle, and
 * after they were made to sweep up, which an engine that has little to do puts off.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Muster, SWEEPING } from './lib/muster.ts'
import { read } from './lib/read.ts'
import { announceRequests, listRequest } from './lib/requests.ts'
import type { Run, Stage } from './lib/stage.ts'
import { mega, printTable, size, times } from './lib/table.ts'

const AIM_KB = 1.6
const READERS = 8
/** Of each size, or fewer where rounds are fewer: what two of one size take differs by 3 MB, which is 0.3 KB a server at 10,000. The middle one counts. */
const PROGRAMS = 5
/** What a program takes without servers: nobody measures so few, and each size is compared with it. */
const BASELINE = 100
/** Of as many servers, in every program: what the engine compiles and keeps at hand for announces is then the same in all. */
const WARM = { milliseconds: 5000, rate: 4000 }
/** How long it may sweep up by itself before its memory counts, how long after it was asked to, and how often it is looked. */
const SWEEPS = { turns: 20, mostMs: 20_000, askedMs: 5000, eachMs: 500 }

/** Kilobytes. */
interface Size {
  readonly rss: number
  readonly pss: number
}

interface Memory {
  readonly servers: number
  readonly idle: Size
  readonly swept: Size
  readonly busyRss: number
}

const megabytes = (kilobytes: number) => (kilobytes === 0 ? '' : mega(kilobytes))
const kilobytes = (value: number) => `${value.toFixed(2)} KB`

export async function run({ sizes, rounds, milliseconds, stage, figures }: Run): Promise<void> {
  const all: Memory[] = []
  for (const servers of new Set([BASELINE, ...sizes])) {
    all.push(await measure(stage, servers, milliseconds, Math.min(PROGRAMS, rounds)))
  }
  console.log(
    `MEMORY of the program after every server announced and all forms of the list were read: the middle one of ${Math.min(PROGRAMS, rounds)}, the least of ${idleMs(milliseconds) / 1000} idle seconds, and after it was made to sweep up. A server: the difference over the difference to ${BASELINE} servers; where there are few more, it is the noisiest.`,
  )
  const [baseline] = all
  printTable([
    [
      'servers',
      'RSS idle',
      'PSS idle',
      'a server',
      'RSS swept up',
      'PSS swept up',
      'a server',
      '',
      `RSS under ${READERS} readers`,
      '/ swept up',
    ],
    ...all.map((memory) => {
      const { servers, idle, swept, busyRss } = memory
      const each = (state: 'idle' | 'swept') => (memory[state].rss - (baseline?.[state].rss ?? 0)) / (servers - (baseline?.servers ?? 0))
      const isBaseline = memory === baseline
      return [
        size(servers),
        megabytes(idle.rss),
        megabytes(idle.pss),
        isBaseline ? '' : kilobytes(each('idle')),
        megabytes(swept.rss),
        megabytes(swept.pss),
        isBaseline ? '' : kilobytes(each('swept')),
        isBaseline ? '' : figures.atMost(`memory a listed server, swept up, ${size(servers)}`, each('swept'), AIM_KB, kilobytes),
        megabytes(busyRss),
        times(busyRss / swept.rss),
      ]
    }),
  ])
}

async function measure(stage: Stage, servers: number, milliseconds: number, programs: number): Promise<Memory> {
  const musters: Muster[] = []
  try {
    for (let count = 0; count < programs; count += 1) {
      const muster = await stage.program(servers, { flags: SWEEPING })
      musters.push(muster)
      await fill(stage, muster, servers)
    }
    const idle = await Promise.all(musters.map((muster) => leastOf(muster, idleMs(milliseconds))))
    for (const muster of musters) muster.sweep()
    const swept = await Promise.all(musters.map((muster) => leastOf(muster, Math.min(SWEEPS.askedMs, idleMs(milliseconds)))))
    const middle = swept.toSorted((a, b) => a.rss - b.rss)[Math.floor(programs / 2)] as Size
    const at = swept.indexOf(middle)
    const busyRss = await underReaders(stage, musters[at] as Muster, milliseconds)
    return { servers, idle: idle[at] as Size, swept: middle, busyRss }
  } finally {
    await Promise.all(musters.map((muster) => muster.stop()))
  }
}

/** Its servers announce, and its list is read in every form. */
async function fill(stage: Stage, muster: Muster, servers: number): Promise<void> {
  const requestsOf = (count: number) => stage.file(JSON.stringify(announceRequests(muster.fleet, 3).slice(0, count)))
  await stage.load.run(muster, WARM.milliseconds, { connections: 16, rate: WARM.rate, requests: requestsOf(BASELINE) })
  const requests = requestsOf(servers)
  const seconds = servers / 5000
  await stage.load.run(muster, Math.max(1, seconds) * 1000, { connections: 16, rate: servers / Math.max(1, seconds), requests })
  for (const path of ['/servers', '/servers?format=columns'])
    for (const encoding of ['gzip', 'br', 'identity']) await read(muster.port, path, { 'accept-encoding': encoding })
}

/** The most kilobytes that it takes meanwhile. */
async function underReaders(stage: Stage, muster: Muster, milliseconds: number): Promise<number> {
  const list = listRequest('/servers', { 'Accept-Encoding': 'gzip' })
  let most = 0
  const watching = setInterval(() => (most = Math.max(most, muster.memory().rss)), 100)
  await stage.load.run(muster, milliseconds * 3, { connections: READERS, rate: 0, requests: [list] })
  clearInterval(watching)
  return Math.max(most, muster.memory().rss)
}

/** @param milliseconds of a turn of the other parts. */
const idleMs = (milliseconds: number) => Math.min(SWEEPS.mostMs, SWEEPS.turns * milliseconds)

/** The engine sweeps up when nothing happens for a while, and gives back what that left somewhat later. */
async function leastOf(muster: Muster, milliseconds: number): Promise<Size> {
  let least = muster.memory()
  for (let passed = 0; passed < milliseconds; passed += SWEEPS.eachMs) {
    await sleep(SWEEPS.eachMs)
    const now = muster.memory()
    if (now.rss < least.rss) least = now
  }
  return least
}
