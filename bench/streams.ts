/** Cost and delay of streaming changes to 5,000 listeners, compared with a bare node:http server that streams as much. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bare } from './lib/bare-server.ts'
import { WorkerProcess } from './lib/worker-process.ts'
import type { Report, Command } from './lib/stream-listeners.ts'
import type { Cost, LoadTarget } from './lib/load.ts'
import { machineMs } from './lib/machine-clock.ts'
import { type Muster, GC_ON_SIGNAL } from './lib/muster.ts'
import { prepareProbe, probedServer } from './lib/probe.ts'
import { read } from './lib/read.ts'
import { median } from './lib/rounds.ts'
import { spreadOver } from './lib/spread.ts'
import { ANNOUNCE_SECONDS, type Pair, type Run, largestSmallSize } from './lib/test-bed.ts'
import { type Figures, kilo, mega, milli, percent, printTable, size, times } from './lib/table.ts'
import { followStream } from './lib/watchers.ts'

/** The limit; half the number of servers otherwise. */
const MAX_LISTENERS = 5000
const TARGETS = { p99Ms: 1000, extraKilobytes: 150 * 1024 }
/** Turns are longer than in the other parts. */
const TURN_FACTOR = 6
const MAX_ROUNDS = 3
const TIMEOUT_MS = 10_000
/** The pause between probes, plus a spread over the publish interval: the delay depends on the phase. */
const PAUSE_MS = 250
const INTERVAL_MS = 250
/** Time for a server to notice closed connections, or to return memory after a collection. */
const SETTLE_MS = 1000

type Listeners = WorkerProcess<Command, Report | true>

/** One of the two servers: how it receives a change, and what its events contain. */
interface Side {
  readonly name: string
  readonly target: Muster | Bare
  /** The text that marks the change in an event. */
  readonly marker: (probe: number) => string
  /** Prepares a change and returns the function that sends it. */
  readonly prepareChange: (probe: number) => Promise<() => Promise<void>>
}

interface StreamResult {
  readonly cost: Cost
  /** Milliseconds from sending each change until each listener received it. */
  readonly delays: readonly number[]
  readonly openedMs: number
  /** CPU of the listener process, in per cent of a core. */
  readonly listenerPercent: number
  /** Peak RSS beyond the RSS before, after a collection. */
  readonly extraKilobytes: number
}

export async function run({ sizes, rounds, milliseconds, testBed, figures }: Run): Promise<void> {
  // A fresh program: free memory left by other parts would hide the cost of listeners.
  const pair = await testBed.ownPair(largestSmallSize(sizes), milliseconds, { flags: GC_ON_SIGNAL })
  const announces = pair.announces(16, pair.servers / ANNOUNCE_SECONDS)
  const load = (target: LoadTarget) => testBed.load.run(target, milliseconds * TURN_FACTOR, announces)
  const events: string[] = []
  const following = await followStream(pair.ours.port, (data) => events.push(data))
  if (following === undefined) throw new Error('The server does not support streams.')
  await load(pair.ours).finally(() => following.stop())
  const event = events.toSorted((a, b) => a.length - b.length)[Math.floor(events.length / 2)] ?? ''
  pair.bare.fill(event)
  const listeners: Listeners = new WorkerProcess('stream-listeners.ts', '--max-semi-space-size=32')
  const sides = sidesOf(pair)
  const count = Math.min(MAX_LISTENERS, Math.floor(pair.servers / 2))
  const all: StreamResult[][] = []
  try {
    for (let round = 0; round < Math.min(rounds, MAX_ROUNDS); round += 1) {
      const results: StreamResult[] = []
      for (const side of sides) results.push(await listen(listeners, count, side, load))
      all.push(results)
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
      marker: (probe) => `"publicId":"${probedServer(ours, probe).publicId}"`,
      prepareChange: async (probe) => {
        const { send } = await prepareProbe(ours, probe)
        return send
      },
    },
    {
      name: 'bare',
      target: bare,
      marker: (probe) => `"probe":${probe},`,
      prepareChange: (probe) => Promise.resolve(async () => void (await read(bare.port, '/publish', {}, { body: `"probe":${probe},` }))),
    },
  ]
}

async function listen(listeners: Listeners, count: number, side: Side, load: (target: LoadTarget) => Promise<Cost>): Promise<StreamResult> {
  const { target } = side
  target.forceGc()
  await sleep(SETTLE_MS)
  const before = target.memory().rss
  const began = performance.now()
  await listeners.request({ kind: 'open', port: target.port, count })
  const openedMs = performance.now() - began
  let peak = target.memory().rss
  let isOver = false
  const cpuBefore = listeners.cpu()
  const loading = load(target).finally(() => (isOver = true))
  const delays: number[] = []
  const probing = async () => {
    for (let probe = 0; !isOver; probe += 1) {
      await sleep(PAUSE_MS + spreadOver(probe, INTERVAL_MS))
      delays.push(...(await delaysOf(listeners, count, side, probe)))
      peak = Math.max(peak, target.memory().rss)
    }
  }
  const from = performance.now()
  // Settle both, so that a failure leaves nothing running.
  const both = [loading, probing()] as const
  await Promise.allSettled(both)
  const [cost] = await Promise.all(both)
  const listenerPercent = ((listeners.cpu() - cpuBefore) / 1e6 / (performance.now() - from)) * 100
  await listeners.request({ kind: 'close' })
  await sleep(SETTLE_MS)
  return { cost, delays, openedMs, listenerPercent, extraKilobytes: peak - before }
}

/** The delay of one change for each listener. Throws if a listener missed it. */
async function delaysOf(listeners: Listeners, count: number, { marker, prepareChange }: Side, probe: number): Promise<number[]> {
  const send = await prepareChange(probe)
  await listeners.request({ kind: 'watch', text: marker(probe) })
  const sentAt = machineMs()
  await send()
  const { seenAt, ended } = (await listeners.request({ kind: 'report', timeoutMs: TIMEOUT_MS })) as Report
  if (seenAt.length < count) throw new Error(`${count - seenAt.length} of ${count} listeners missed a change; ${ended} connections ended.`)
  return seenAt.map((moment) => moment - sentAt)
}

function print(all: readonly (readonly StreamResult[])[], count: number, names: readonly string[], bytes: number, figures: Figures): void {
  console.log(
    `STREAMS: ${count} listeners in one program receive four events a second of about ${kilo(bytes)} each. Delays run from sending an announce until each listener has it. CPU and Postgres are in per cent of a core.`,
  )
  const sides = names.map((name, side) => {
    const results = all.map((round) => round[side] as StreamResult)
    return { name, results, delays: results.flatMap((each) => each.delays).toSorted((a, b) => a - b) }
  })
  const ratio = median(all.map(([ours, bare]) => (ours as StreamResult).cost.cpuPercent / (bare as StreamResult).cost.cpuPercent))
  printTable([
    ['', 'connected in', 'median', 'p99', 'worst', 'changes', 'extra memory', 'CPU', 'Postgres', 'listener CPU', 'CPU / bare'],
    ...sides.map(({ name, results, delays }, side) => {
      const medianOf = (of: (each: StreamResult) => number) => median(results.map(of))
      return [
        name,
        milli(Math.max(...results.map(({ openedMs }) => openedMs))),
        milli(delays[Math.floor(delays.length / 2)] ?? Number.NaN),
        milli(p99Of(delays)),
        milli(delays.at(-1) ?? Number.NaN),
        String(delays.length / count),
        mega(extraOf(results)),
        percent(medianOf(({ cost }) => cost.cpuPercent)),
        percent(medianOf(({ cost }) => cost.databasePercent)),
        percent(medianOf(({ listenerPercent }) => listenerPercent)),
        side === 0 ? times(ratio) : '',
      ]
    }),
  ])
  const { results: ours = [], delays = [] } = sides[0] ?? {}
  const delay = figures.atMost(`streams, ${count} listeners: delay p99`, p99Of(delays), TARGETS.p99Ms, milli)
  const memory = figures.atMost(`streams, ${count} listeners: extra memory`, extraOf(ours), TARGETS.extraKilobytes, mega)
  console.log(`p99 ${delay}, memory ${memory}`)
}

const p99Of = (sorted: readonly number[]) => sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN
/** The maximum of all rounds. */
const extraOf = (results: readonly StreamResult[]) => Math.max(...results.map(({ extraKilobytes }) => extraKilobytes))
