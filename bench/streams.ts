/** What it takes to tell 5,000 people at once what changes, and how long until the last of them knows; bare node:http tells as many as much. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bare } from './lib/bare-server.ts'
import { Helper } from './lib/helper.ts'
import type { Sights, Wish } from './lib/listeners.ts'
import type { Cost, Target } from './lib/load.ts'
import { machineMs } from './lib/machine-clock.ts'
import { type Muster, SWEEPING } from './lib/muster.ts'
import { prepareProbe, probedServer } from './lib/probe.ts'
import { read } from './lib/read.ts'
import { median } from './lib/rounds.ts'
import { spreadOver } from './lib/spread.ts'
import { ANNOUNCE_SECONDS, type Pair, type Run, sizeUpTo } from './lib/stage.ts'
import { type Figures, kilo, mega, milli, percent, printTable, size, times } from './lib/table.ts'
import { followStream } from './lib/watchers.ts'

/** Half as many as servers, up to so many. */
const MAX_LISTENERS = 5000
const AIMS = { p99Ms: 1000, extraKilobytes: 150 * 1024 }
/** Of a turn in the other parts. */
const LONGER = 6
const MAX_ROUNDS = 3
const PATIENCE_MS = 10_000
/** Between two changes that are looked for, and a beat over which they are spread: how long one waits is where in a beat it comes. */
const PAUSE_MS = 250
const BEAT_MS = 250
/** Until a server has noticed that everybody left, or what was swept up is given back. */
const LEAVE_MS = 1000

type Listeners = Helper<Wish, Sights | true>

/** One of the two servers: how it receives a change, and what its events then contain. */
interface Side {
  readonly name: string
  readonly target: Muster | Bare
  /** What a listener sees of a change. */
  readonly sign: (probe: number) => string
  /** Finds out what has to be said, and answers the saying of it. */
  readonly tell: (probe: number) => Promise<() => Promise<void>>
}

interface Heard {
  readonly cost: Cost
  /** Milliseconds from the telling, of every listener and every change. */
  readonly waits: readonly number[]
  readonly openedMs: number
  /** Of a core, that the listeners took. */
  readonly listeningPercent: number
  /** The most that it took, beyond what it took before, swept up. */
  readonly extraKilobytes: number
}

export async function run({ sizes, rounds, milliseconds, stage, figures }: Run): Promise<void> {
  // What others left free in its memory would hold the listeners.
  const pair = await stage.ownPair(sizeUpTo(sizes), milliseconds, { flags: SWEEPING })
  const announces = pair.announces(16, pair.servers / ANNOUNCE_SECONDS)
  const load = (target: Target) => stage.load.run(target, milliseconds * LONGER, announces)
  const events: string[] = []
  const following = await followStream(pair.ours.port, (data) => events.push(data))
  if (following === undefined) throw new Error('There is no stream.')
  await load(pair.ours).finally(() => following.stop())
  const event = events.toSorted((a, b) => a.length - b.length)[Math.floor(events.length / 2)] ?? ''
  pair.bare.fill(event)
  const listeners: Listeners = new Helper('listeners.ts', '--max-semi-space-size=32')
  const sides = sidesOf(pair)
  const count = Math.min(MAX_LISTENERS, Math.floor(pair.servers / 2))
  const all: Heard[][] = []
  try {
    for (let round = 0; round < Math.min(rounds, MAX_ROUNDS); round += 1) {
      const heard: Heard[] = []
      for (const side of sides) heard.push(await listen(listeners, count, side, load))
      all.push(heard)
    }
  } finally {
    listeners.stop()
    pair.bare.stop()
    await pair.ours.stop()
  }
  print(
    all,
    count,
    sides.map(({ name }) => name),
    event.length,
    figures,
  )
}

function sidesOf({ ours, bare, servers }: Pair): readonly Side[] {
  return [
    {
      name: `ours, ${size(servers)}`,
      target: ours,
      sign: (probe) => `"publicId":"${probedServer(ours, probe).publicId}"`,
      tell: async (probe) => {
        const { say } = await prepareProbe(ours, probe)
        return say
      },
    },
    {
      name: 'bare',
      target: bare,
      sign: (probe) => `"probe":${probe},`,
      tell: (probe) => Promise.resolve(async () => void (await read(bare.port, '/tell', {}, { body: `"probe":${probe},` }))),
    },
  ]
}

async function listen(listeners: Listeners, count: number, side: Side, load: (target: Target) => Promise<Cost>): Promise<Heard> {
  const { target } = side
  target.sweep()
  await sleep(LEAVE_MS)
  const before = target.memory().rss
  const began = performance.now()
  await listeners.ask({ kind: 'open', port: target.port, count })
  const openedMs = performance.now() - began
  let most = target.memory().rss
  let isOver = false
  const listening = listeners.cpu()
  const loading = load(target).finally(() => (isOver = true))
  const waits: number[] = []
  const probing = async () => {
    for (let probe = 0; !isOver; probe += 1) {
      await sleep(PAUSE_MS + spreadOver(probe, BEAT_MS))
      waits.push(...(await waitsOf(listeners, count, side, probe)))
      most = Math.max(most, target.memory().rss)
    }
  }
  const from = performance.now()
  // Where one fails nothing is left running beside what is measured next.
  const both = [loading, probing()] as const
  await Promise.allSettled(both)
  const [cost] = await Promise.all(both)
  const listeningPercent = ((listeners.cpu() - listening) / 1e6 / (performance.now() - from)) * 100
  await listeners.ask({ kind: 'close' })
  await sleep(LEAVE_MS)
  return { cost, waits, openedMs, listeningPercent, extraKilobytes: most - before }
}

/** Of one change, for each listener. Throws where one of them was not told of it. */
async function waitsOf(listeners: Listeners, count: number, { sign, tell }: Side, probe: number): Promise<number[]> {
  const say = await tell(probe)
  await listeners.ask({ kind: 'look', text: sign(probe) })
  const toldAt = machineMs()
  await say()
  const { at, ended } = (await listeners.ask({ kind: 'seen', patienceMs: PATIENCE_MS })) as Sights
  if (at.length < count) throw new Error(`${count - at.length} of ${count} were not told of a change; ${ended} connections ended.`)
  return at.map((moment) => moment - toldAt)
}

function print(all: readonly (readonly Heard[])[], count: number, names: readonly string[], bytes: number, figures: Figures): void {
  console.log(
    `STREAMS: ${count} listeners in one program, all told of every change, four events a second of some ${kilo(bytes)} each; how long from an announce's sending until each knew. CPU and Postgres in per cent of a core.`,
  )
  const sides = names.map((name, side) => {
    const heard = all.map((round) => round[side] as Heard)
    return { name, heard, waits: heard.flatMap((each) => each.waits).toSorted((a, b) => a - b) }
  })
  const ratio = median(all.map(([ours, bare]) => (ours as Heard).cost.cpuPercent / (bare as Heard).cost.cpuPercent))
  printTable([
    ['', 'all there in', 'median', 'p99', 'worst', 'changes', 'more memory', 'CPU', 'Postgres', 'listeners', 'CPU / bare'],
    ...sides.map(({ name, heard, waits }, side) => {
      const middle = (of: (each: Heard) => number) => median(heard.map(of))
      return [
        name,
        milli(Math.max(...heard.map(({ openedMs }) => openedMs))),
        milli(waits[Math.floor(waits.length / 2)] ?? Number.NaN),
        milli(p99Of(waits)),
        milli(waits.at(-1) ?? Number.NaN),
        String(waits.length / count),
        mega(extraOf(heard)),
        percent(middle(({ cost }) => cost.cpuPercent)),
        percent(middle(({ cost }) => cost.databasePercent)),
        percent(middle(({ listeningPercent }) => listeningPercent)),
        side === 0 ? times(ratio) : '',
      ]
    }),
  ])
  const { heard: ours = [], waits = [] } = sides[0] ?? {}
  const told = figures.atMost(`streams, ${count} listeners: until each knows, p99`, p99Of(waits), AIMS.p99Ms, milli)
  const memory = figures.atMost(`streams, ${count} listeners: memory more than without`, extraOf(ours), AIMS.extraKilobytes, mega)
  console.log(`p99 ${told}, memory ${memory}`)
}

const p99Of = (sorted: readonly number[]) => sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN
/** The most of all rounds. */
const extraOf = (heard: readonly Heard[]) => Math.max(...heard.map(({ extraKilobytes }) => extraKilobytes))
