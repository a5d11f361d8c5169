/** 3,000 connections that send one byte a second: their effect on announce latency, and how soon the server closes them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectionAges, Command } from './lib/slow-connections.ts'
import { WorkerProcess } from './lib/worker-process.ts'
import type { Cost, LoadTarget } from './lib/load.ts'
import { median } from './lib/rounds.ts'
import { ANNOUNCE_SECONDS, type Run, largestSmallSize } from './lib/test-bed.ts'
import { milli, percent, printTable, size, statusesOf, times } from './lib/table.ts'

/** The limit; a third of the number of servers otherwise. */
const MAX_SLOW = 3000
const TARGETS = { p99Ms: 50, maxAgeMs: 20_000 }
/** A turn of ours must be longer than the largest allowed age of a slow connection. */
const TURN_FACTOR = { ours: 24, bare: 12 }
const MAX_ROUNDS = 3
/** The rest are reconnecting. */
const MIN_CONNECTED_SHARE = 0.6
/** Time for all of them to connect, or to disconnect. */
const SETTLE_MS = 3000

interface Turn {
  readonly cost: Cost
  readonly ages: ConnectionAges
}

export async function run({ sizes, rounds, milliseconds, testBed, figures }: Run): Promise<void> {
  const pair = await testBed.warmPair(largestSmallSize(sizes), milliseconds)
  const { ours, bare, servers } = pair
  const count = Math.min(MAX_SLOW, Math.round(servers / 3))
  const announces = pair.announces(16, servers / ANNOUNCE_SECONDS)
  const slowConnections = new WorkerProcess<Command, ConnectionAges | true>('slow-connections.ts')
  const credentials = ours.fleet.slice(0, 1000).map(({ credential }) => credential)
  const isLongEnough = milliseconds * TURN_FACTOR.ours > TARGETS.maxAgeMs
  const turn = async (target: LoadTarget, turnFactor: number): Promise<Turn> => {
    await slowConnections.request({ kind: 'start', port: target.port, count, credentials })
    await sleep(SETTLE_MS)
    const cost = await testBed.load.run(target, milliseconds * turnFactor, announces)
    const ages = (await slowConnections.request({ kind: 'stop' })) as ConnectionAges
    if (ages.open.length < count * MIN_CONNECTED_SHARE) throw new Error(`Only ${ages.open.length} of ${count} slow connections were open.`)
    await sleep(SETTLE_MS)
    return { cost, ages }
  }
  const all: { ours: Turn; bare: Turn }[] = []
  try {
    for (let round = 0; round < Math.min(rounds, MAX_ROUNDS); round += 1) {
      all.push({ ours: await turn(ours, TURN_FACTOR.ours), bare: await turn(bare, TURN_FACTOR.bare) })
    }
  } finally {
    slowConnections.stop()
  }
  console.log(
    `SLOW CLIENTS: ${count} connections send a byte a second, half in the request head, half in an announce body, and reconnect when closed; N/${ANNOUNCE_SECONDS} announces a second, open loop. The bare server has the same timeouts.`,
  )
  const ratio = median(all.map((round) => round.ours.cost.p99 / round.bare.cost.p99))
  const row = (name: string, turns: readonly Turn[]) => [
    name,
    milli(turns[0]?.cost.p50 ?? Number.NaN),
    milli(p99Of(turns)),
    [...new Set(turns.map(({ cost }) => statusesOf(cost.statuses)))].join(' '),
    percent(median(turns.map(({ cost }) => cost.cpuPercent))),
    String(Math.min(...turns.map(({ ages }) => ages.open.length))),
    String(turns.reduce((sum, { ages }) => sum + ages.closed.length, 0)),
    `${(maxAgeMs(turns) / 1000).toFixed(1)} s`,
  ]
  const ourTurns = all.map((round) => round.ours)
  printTable([
    ['', 'p50', 'p99', 'statuses', 'CPU', 'open at the end', 'closed', 'max age', 'p99 / bare'],
    [...row(`ours, ${size(servers)}`, ourTurns), times(ratio)],
    row(
      'bare',
      all.map((round) => round.bare),
    ),
  ])
  const p99 = figures.atMost(`slow clients, ${count}: announce p99`, p99Of(ourTurns), TARGETS.p99Ms, milli)
  const name = `slow clients, ${count}: max age of a slow connection`
  const verdict = isLongEnough ? figures.atMost(name, maxAgeMs(ourTurns), TARGETS.maxAgeMs, milli) : 'not measured: turns are too short'
  console.log(`p99 ${p99}, max age ${verdict}`)
}

/** The median of the turns. */
const p99Of = (turns: readonly Turn[]) => median(turns.map(({ cost }) => cost.p99))
const maxAgeMs = (turns: readonly Turn[]) => turns.reduce((max, { ages }) => Math.max(max, ...ages.closed, ...ages.open), 0)
