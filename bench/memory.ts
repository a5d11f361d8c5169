/** What a listed server costs in memory: programs of each size that were filled, announced to and read, and nothing else. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Muster } from './lib/muster.ts'
import { read } from './lib/read.ts'
import { announceRequests, listRequest } from './lib/requests.ts'
import type { Run, Stage } from './lib/stage.ts'
import { printTable, size, times } from './lib/table.ts'

const AIM_KB = 1.6
const READERS = 8
/** How long it may sweep up before its memory counts, and how often it is looked. */
const SWEEPS = { turns: 20, mostMs: 20_000, eachMs: 500 }

interface Memory {
  readonly servers: number
  /** Kilobytes. */
  readonly rss: number
  readonly pss: number
  readonly busy: number
}

export async function run({ sizes, milliseconds, stage, figures }: Run): Promise<void> {
  const all: Memory[] = []
  for (const servers of sizes) all.push(await measure(stage, servers, milliseconds))
  console.log(
    `MEMORY of the program after every server announced and all forms of the list were read; the least of ${idleMs(milliseconds) / 1000} idle seconds. A server: the difference over the difference to the smallest.`,
  )
  const [least] = all
  const megabytes = (kilobytes: number) => `${(kilobytes / 1024).toFixed(1)} MB`
  const kilobytes = (value: number) => `${value.toFixed(2)} KB`
  printTable([
    ['servers', 'RSS', 'PSS', 'a server, RSS', 'a server, PSS', '', `RSS under ${READERS} readers`, '/ idle'],
    ...all.map(({ servers, rss, pss, busy }) => {
      const difference = servers - (least?.servers ?? 0)
      const each = (part: 'rss' | 'pss', value: number) => (difference === 0 ? Number.NaN : (value - (least?.[part] ?? 0)) / difference)
      return [
        size(servers),
        megabytes(rss),
        pss > 0 ? megabytes(pss) : '',
        difference === 0 ? '' : kilobytes(each('rss', rss)),
        difference === 0 || pss === 0 ? '' : kilobytes(each('pss', pss)),
        difference === 0 || servers !== sizes.at(-1)
          ? ''
          : figures.atMost(`memory a listed server, up to ${size(servers)}`, each('rss', rss), AIM_KB, kilobytes),
        megabytes(busy),
        times(busy / rss),
      ]
    }),
  ])
}

async function measure(stage: Stage, servers: number, milliseconds: number): Promise<Memory> {
  const muster = await Muster.start(servers)
  try {
    const requests = stage.file(JSON.stringify(announceRequests(muster.fleet, 3).slice(0, servers)))
    const seconds = servers / 5000
    await stage.load.run(muster, Math.max(1, seconds) * 1000, { connections: 16, rate: servers / Math.max(1, seconds), requests })
    for (const path of ['/servers', '/servers?format=columns'])
      for (const encoding of ['gzip', 'br', 'identity']) await read(muster.port, path, { 'accept-encoding': encoding })
    const idle = await settled(muster, idleMs(milliseconds))
    const list = listRequest('/servers', { 'Accept-Encoding': 'gzip' })
    let busy = 0
    const watching = setInterval(() => (busy = Math.max(busy, muster.memory().rss)), 100)
    await stage.load.run(muster, milliseconds * 3, { connections: READERS, rate: 0, requests: [list] })
    clearInterval(watching)
    return { servers, ...idle, busy: Math.max(busy, muster.memory().rss) }
  } finally {
    await muster.stop()
  }
}

/** @param milliseconds of a turn of the other parts. */
const idleMs = (milliseconds: number) => Math.min(SWEEPS.mostMs, SWEEPS.turns * milliseconds)

/** The engine sweeps up when nothing happens for a while. */
async function settled(muster: Muster, idle: number): Promise<{ rss: number; pss: number }> {
  let least = muster.memory()
  for (let passed = 0; passed < idle; passed += SWEEPS.eachMs) {
    await sleep(SWEEPS.eachMs)
    const now = muster.memory()
    if (now.rss < least.rss) least = now
  }
  return least
}
