/** What it takes to tell 5,000 people at once what changes, and how long until the last of them knows; bare node:http tells as many as much. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ListedServer } from '#contract/masterlist.ts'
import { type Seeded, announceBody } from './lib/fleet.ts'
import { Helper } from './lib/helper.ts'
import type { Sights, Wish } from './lib/listeners.ts'
import type { Cost, Target } from './lib/load.ts'
import { machineMs } from './lib/machine-clock.ts'
import { type Answer, read } from './lib/read.ts'
import { median } from './lib/rounds.ts'
import { ANNOUNCE_SECONDS, type Pair, RESERVED, type Run, sizeUpTo } from './lib/stage.ts'
import { type Figures, kilo, milli, percent, printTable, size, times } from './lib/table.ts'
import { followStream } from './lib/watchers.ts'

/** Half as many as servers, up to so many. */
const MOST_LISTENERS = 5000
const AIMS = { p99Ms: 1000, extraMb: 150 }
/** Of a turn in the other parts. */
const LONGER = 6
const MOST_ROUNDS = 3
const PATIENCE_MS = 10_000
/** Between two changes that are looked for, and a beat over which they are spread: how long one waits is where in a beat it comes. */
const PAUSE_MS = 250
const BEAT_MS = 250
const GOLDEN_RATIO = 0.618
/** Until a server has noticed that everybody left. */
const LEAVE_MS = 1000

type Listeners = Helper<Wish, Sights | true>

/** One of the two servers: how it is told of a change, and what its events then say. */
interface Side {
  readonly name: string
  readonly target: Target
  readonly rss: () => number
  /** What a listener sees of a change. */
  readonly sign: (probe: number) => string
  /** Finds out what has to be said, and answers the saying of it. */
  readonly tell: (probe: number) => Promise<() => Promise<Answer>>
}

interface Heard {
  readonly cost: Cost
  /** Milliseconds from the telling, of every listener and every change. */
  readonly waits: readonly number[]
  readonly openedMs: number
  /** Of a core, that the listeners took. */
  readonly listeningPercent: number
  readonly extraKilobytes: number
}

export async function run({ sizes, rounds, milliseconds, stage, figures }: Run): Promise<void> {
  const pair = await stage.warmPair(sizeUpTo(sizes), milliseconds)
  const announces = pair.announces(16, pair.servers / ANNOUNCE_SECONDS)
  const load = (target: Target) => stage.load.run(target, milliseconds * LONGER, announces)
  const events: string[] = []
  const following = await followStream(pair.ours.port, (data) => events.push(data))
  await load(pair.ours)
  following?.stop()
  const event = events.toSorted((a, b) => a.length - b.length)[Math.floor(events.length / 2)] ?? ''
  pair.bare.fill(event)
  const listeners: Listeners = new Helper('listeners.ts', '--max-semi-space-size=32')
  const sides = sidesOf(pair)
  const count = Math.min(MOST_LISTENERS, pair.servers / 2)
  const all: Heard[][] = []
  try {
    for (let round = 0; round < Math.min(rounds, MOST_ROUNDS); round += 1) {
      const heard: Heard[] = []
      for (const side of sides) heard.push(await listen(listeners, count, side, load))
      all.push(heard)
    }
  } finally {
    listeners.stop()
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
  const serverOf = (probe: number) => ours.fleet[probe % RESERVED] as Seeded
  return [
    {
      name: `ours, ${size(servers)}`,
      target: ours,
      rss: () => ours.memory().rss,
      sign: (probe) => `"publicId":"${serverOf(probe).publicId}"`,
      tell: async (probe) => {
        const { credential, publicId, profile } = serverOf(probe)
        const { playersCount } = JSON.parse((await read(ours.port, `/servers/${publicId}`)).body.toString()) as ListedServer
        const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' }
        return () => read(ours.port, '/announce', headers, { body: announceBody(profile, 1 + (playersCount % 20)) })
      },
    },
    {
      name: 'bare',
      target: bare,
      rss: () => bare.rss(),
      sign: (probe) => `"probe":${probe},`,
      tell: (probe) => Promise.resolve(() => read(bare.port, '/tell', {}, { body: `"probe":${probe},` })),
    },
  ]
}

async function listen(listeners: Listeners, count: number, side: Side, load: (target: Target) => Promise<Cost>): Promise<Heard> {
  const { target, rss } = side
  const before = rss()
  const began = performance.now()
  await listeners.ask({ kind: 'open', port: target.port, count })
  const openedMs = performance.now() - began
  let most = rss()
  let isOver = false
  const listening = listeners.cpu()
  const loading = load(target).finally(() => (isOver = true))
  const waits: number[] = []
  const probing = async () => {
    for (let probe = 0; !isOver; probe += 1) {
      await sleep(PAUSE_MS + ((probe * GOLDEN_RATIO) % 1) * BEAT_MS)
      waits.push(...(await waitsOf(listeners, count, side, probe)))
      most = Math.max(most, rss())
    }
  }
  const from = performance.now()
  const [cost] = await Promise.all([loading, probing()])
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
  const { status } = await say()
  if (status !== 200) throw new Error(`What was to be told was answered with ${status}.`)
  const { at, ended } = (await listeners.ask({ kind: 'seen', patienceMs: PATIENCE_MS })) as Sights
  if (at.length < count) throw new Error(`${count - at.length} of ${count} were not told of a change; ${ended} connections ended.`)
  return at.map((moment) => moment - toldAt)
}

function print(all: readonly (readonly Heard[])[], count: number, names: readonly string[], bytes: number, figures: Figures): void {
  console.log(
    `STREAMS: ${count} listeners in one program, all told of every change, four events a second of some ${kilo(bytes)} each; how long from an announce's sending until each knew. CPU and Postgres in per cent of a core.`,
  )
  const costs = names.map((_, side) => all.map((round) => round[side] as Heard))
  const ratio = median(all.map(([ours, bare]) => (ours as Heard).cost.cpuPercent / (bare as Heard).cost.cpuPercent))
  printTable([
    ['', 'all there in', 'median', 'p99', 'worst', 'changes', 'more memory', 'CPU', 'Postgres', 'listeners', 'CPU / bare'],
    ...costs.map((heard, side) => {
      const waits = heard.flatMap((each) => each.waits).toSorted((a, b) => a - b)
      const middle = (of: (each: Heard) => number) => median(heard.map(of))
      return [
        names[side] ?? '',
        milli(Math.max(...heard.map(({ openedMs }) => openedMs))),
        milli(waits[Math.floor(waits.length / 2)] ?? Number.NaN),
        milli(p99Of(waits)),
        milli(waits.at(-1) ?? Number.NaN),
        String(waits.length / count),
        mega(extraMb(heard)),
        percent(middle(({ cost }) => cost.cpuPercent)),
        percent(middle(({ cost }) => cost.databasePercent)),
        percent(middle(({ listeningPercent }) => listeningPercent)),
        side === 0 ? times(ratio) : '',
      ]
    }),
  ])
  const [ours = []] = costs
  const waits = ours.flatMap((each) => each.waits).toSorted((a, b) => a - b)
  const told = figures.atMost(`streams, ${count} listeners: until each knows, p99`, p99Of(waits), AIMS.p99Ms, milli)
  const memory = figures.atMost(`streams, ${count} listeners: memory more than without`, extraMb(ours), AIMS.extraMb, mega)
  console.log(`p99 ${told}, memory ${memory}`)
}

const mega = (megabytes: number) => `${megabytes.toFixed(0)} MB`
const p99Of = (sorted: readonly number[]) => sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN
/** The most of all rounds. */
const extraMb = (heard: readonly Heard[]) => Math.max(...heard.map(({ extraKilobytes }) => extraKilobytes)) / 1024
