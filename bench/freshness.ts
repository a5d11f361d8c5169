/** How long it takes from the sending of an announce until readers see what it says, while all servers announce each 30 s. */
import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_SMALL_LIST } from '#backend/masterlist/lists/publisher.ts'
import type { Muster } from './lib/muster.ts'
import { prepareProbe } from './lib/probe.ts'
import { median } from './lib/rounds.ts'
import { ANNOUNCE_SECONDS, type Run } from './lib/stage.ts'
import { spreadOver } from './lib/spread.ts'
import { milli, printTable, size, times } from './lib/table.ts'
import { FULL_LIST, type Watcher, pollDeltas, pollList, readStream } from './lib/watchers.ts'

const AIM_OF_MEDIAN_MS = 400
const AIM_OF_WORST_MS = 1200
/** What counts as no growth. */
const AIM_OF_GROWTH = 1.1
const PROBES = { most: 60, aRound: 12 }
/** Two beats of the list: how long a change waits is where in a beat it comes, so the probes are spread over them evenly. */
const SPREAD_MS = 500

export async function run(options: Run): Promise<void> {
  const { sizes, figures } = options
  console.log('FRESHNESS: from the sending of an announce until it is read, by readers of each kind at the same time.')
  const rows = [['servers', 'read by', 'median', '', 'worst', '', 'probes']]
  const medians = new Map<number, number>()
  for (const servers of sizes) {
    for (const [name, times] of await probe(options, servers)) {
      const [middle, worst] = [median(times), Math.max(...times)]
      if (name === 'delta') medians.set(servers, middle)
      rows.push([
        size(servers),
        name,
        milli(middle),
        name === FULL_LIST ? '' : figures.atMost(`freshness, ${size(servers)}, ${name}: median`, middle, AIM_OF_MEDIAN_MS, milli),
        milli(worst),
        figures.atMost(`freshness, ${size(servers)}, ${name}: worst`, worst, AIM_OF_WORST_MS, milli),
        String(times.length),
      ])
    }
  }
  printTable(rows)
  const [first = 0, last = 0] = [sizes[0], sizes.at(-1)]
  if (first === last || medians.size === 0) return
  const growth = (medians.get(last) ?? Number.NaN) / (medians.get(first) ?? Number.NaN)
  const name = `freshness: growth of the delta's median, ${size(first)} to ${size(last)}`
  console.log(`${name}: ${times(growth)} ${figures.atMost(name, growth, AIM_OF_GROWTH, times)}`)
}

/** Milliseconds of each probe by the kind of reader. */
async function probe({ stage, rounds, milliseconds }: Run, servers: number): Promise<Map<string, number[]>> {
  const { ours, announces } = await stage.pair(servers)
  const found = await Promise.all([
    pollDeltas(ours.port),
    readStream(ours.port),
    Promise.resolve(servers <= MAX_SMALL_LIST ? pollList(ours.port) : undefined),
  ])
  const watchers = found.filter((watcher) => watcher !== undefined)
  const results = new Map<string, number[]>(watchers.map(({ name }) => [name, []]))
  let isOver = false
  const background = (async () => {
    while (!isOver) await stage.load.run(ours, milliseconds, announces(16, servers / ANNOUNCE_SECONDS))
  })()
  background.catch(() => undefined)
  for (let number = 0; number < Math.min(PROBES.most, PROBES.aRound * rounds); number += 1) {
    // Each begins as another change was seen in a delta, which is at the end of a beat; the whole list is seen at any time.
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
  const { publicId, players, say } = await prepareProbe(muster, number)
  const sentAt = performance.now()
  const seen = watchers.map(async (watcher): Promise<[string, number]> => [watcher.name, (await watcher.sees(publicId, players)) - sentAt])
  await say()
  return Promise.all(seen)
}
