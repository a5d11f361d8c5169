/** Time from sending an announce until readers see the change, while all servers announce every 30 s. */
import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_FRESH_SERVERS } from '#backend/masterlist/lists/snapshot.ts'
import type { Muster } from './lib/muster.ts'
import { prepareProbe } from './lib/probe.ts'
import { median } from './lib/rounds.ts'
import { ANNOUNCE_SECONDS, type Run } from './lib/test-bed.ts'
import { spreadOver } from './lib/spread.ts'
import { milli, printTable, size, times } from './lib/table.ts'
import { FULL_LIST, type Watcher, pollDeltas, pollList, readStream } from './lib/watchers.ts'

const MAX_MEDIAN_MS = 400
const MAX_WORST_MS = 1200
/** Growth up to this factor counts as none. */
const MAX_GROWTH = 1.1
const PROBES = { max: 60, perRound: 12 }
/** Two publish intervals: probes are spread over them evenly, because the wait depends on the phase. */
const SPREAD_MS = 500

export async function run(options: Run): Promise<void> {
  const { sizes, figures } = options
  console.log('FRESHNESS: time from sending an announce until a reader of each kind sees it.')
  const rows = [['servers', 'reader', 'median', '', 'worst', '', 'probes']]
  const medians = new Map<number, number>()
  for (const servers of sizes) {
    for (const [name, times] of await probe(options, servers)) {
      const [middle, worst] = [median(times), Math.max(...times)]
      if (name === 'delta') medians.set(servers, middle)
      rows.push([
        size(servers),
        name,
        milli(middle),
        name === FULL_LIST ? '' : figures.atMost(`freshness, ${size(servers)}, ${name}: median`, middle, MAX_MEDIAN_MS, milli),
        milli(worst),
        figures.atMost(`freshness, ${size(servers)}, ${name}: worst`, worst, MAX_WORST_MS, milli),
        String(times.length),
      ])
    }
  }
  printTable(rows)
  const [first = 0, last = 0] = [sizes[0], sizes.at(-1)]
  if (first === last || medians.size === 0) return
  const growth = (medians.get(last) ?? Number.NaN) / (medians.get(first) ?? Number.NaN)
  const name = `freshness: growth of the delta median, ${size(first)} to ${size(last)}`
  console.log(`${name}: ${times(growth)} ${figures.atMost(name, growth, MAX_GROWTH, times)}`)
}

/** Milliseconds of each probe, by kind of reader. */
async function probe({ testBed, rounds, milliseconds }: Run, servers: number): Promise<Map<string, number[]>> {
  const { ours, announces } = await testBed.pair(servers)
  const found = await Promise.all([
    pollDeltas(ours.port),
    readStream(ours.port),
    Promise.resolve(servers <= MAX_FRESH_SERVERS ? pollList(ours.port) : undefined),
  ])
  const watchers = found.filter((watcher) => watcher !== undefined)
  const results = new Map<string, number[]>(watchers.map(({ name }) => [name, []]))
  let isOver = false
  const background = (async () => {
    while (!isOver) await testBed.load.run(ours, milliseconds, announces(16, servers / ANNOUNCE_SECONDS))
  })()
  background.catch(() => undefined)
  for (let number = 0; number < Math.min(PROBES.max, PROBES.perRound * rounds); number += 1) {
    // Each probe starts in phase with the publish interval: a first change has just arrived in a delta.
    await once(ours, 2 * number, watchers.slice(0, 1))
    await sleep(spreadOver(number, SPREAD_MS))
    for (const [name, time] of await once(ours, 2 * number + 1, watchers)) results.get(name)?.push(time)
  }
  isOver = true
  await background
  await Promise.all(watchers.map((watcher) => watcher.stop()))
  return results
}

async function once(muster: Muster, number: number, watchers: readonly Watcher[]): Promise<[string, number][]> {
  const { publicId, players, send } = await prepareProbe(muster, number)
  const sentAt = performance.now()
  const seen = watchers.map(async (watcher): Promise<[string, number]> => [
    watcher.name,
    (await watcher.waitFor(publicId, players)) - sentAt,
  ])
  await send()
  return Promise.all(seen)
}
