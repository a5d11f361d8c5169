/** 3,000 connections that send a byte a second and never come to an end: how long the others' announces wait meanwhile, and when the slow ones are sent away. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lives, Wish } from './lib/drippers.ts'
import { Helper } from './lib/helper.ts'
import type { Cost, Target } from './lib/load.ts'
import { median } from './lib/rounds.ts'
import { ANNOUNCE_SECONDS, type Run, sizeUpTo } from './lib/stage.ts'
import { milli, percent, printTable, size, statusesOf, times } from './lib/table.ts'

/** A third as many as servers, up to so many. */
const MAX_SLOW = 3000
const AIMS = { p99Ms: 50, borneMs: 20_000 }
/** Of a turn in the other parts: ours is longer than any of them is to be borne with, or says nothing about that. */
const LONGER = { ours: 24, bare: 12 }
const MAX_ROUNDS = 3
/** The others are on their way, to come again. */
const LEAST_THERE = 0.6
/** Until all of them have come, and until all are gone. */
const ARRIVE_MS = 3000

interface Turn {
  readonly cost: Cost
  readonly lives: Lives
}

export async function run({ sizes, rounds, milliseconds, stage, figures }: Run): Promise<void> {
  const pair = await stage.warmPair(sizeUpTo(sizes), milliseconds)
  const { ours, bare, servers } = pair
  const count = Math.min(MAX_SLOW, Math.round(servers / 3))
  const announces = pair.announces(16, servers / ANNOUNCE_SECONDS)
  const drippers = new Helper<Wish, Lives | true>('drippers.ts')
  const credentials = ours.fleet.slice(0, 1000).map(({ credential }) => credential)
  const canTell = milliseconds * LONGER.ours > AIMS.borneMs
  const turn = async (target: Target, longer: number): Promise<Turn> => {
    await drippers.ask({ kind: 'drip', port: target.port, count, credentials })
    await sleep(ARRIVE_MS)
    const cost = await stage.load.run(target, milliseconds * longer, announces)
    const lives = (await drippers.ask({ kind: 'end' })) as Lives
    if (lives.open.length < count * LEAST_THERE) throw new Error(`Of ${count} slow connections only ${lives.open.length} were there.`)
    await sleep(ARRIVE_MS)
    return { cost, lives }
  }
  const all: { ours: Turn; bare: Turn }[] = []
  try {
    for (let round = 0; round < Math.min(rounds, MAX_ROUNDS); round += 1) {
      all.push({ ours: await turn(ours, LONGER.ours), bare: await turn(bare, LONGER.bare) })
    }
  } finally {
    drippers.stop()
  }
  console.log(
    `SLOW: ${count} connections at a time that send a byte a second, half of them of a head, half of an announce's body, and come again when they are sent away; N/${ANNOUNCE_SECONDS} announces a second beside them, open loop. Bare sends them away after as long as ours.`,
  )
  const ratio = median(all.map((round) => round.ours.cost.p99 / round.bare.cost.p99))
  const row = (name: string, turns: readonly Turn[]) => [
    name,
    milli(turns[0]?.cost.p50 ?? Number.NaN),
    milli(p99Of(turns)),
    [...new Set(turns.map(({ cost }) => statusesOf(cost.statuses)))].join(' '),
    percent(median(turns.map(({ cost }) => cost.cpuPercent))),
    String(Math.min(...turns.map(({ lives }) => lives.open.length))),
    String(turns.reduce((sum, { lives }) => sum + lives.ended.length, 0)),
    `${(borneMs(turns) / 1000).toFixed(1)} s`,
  ]
  const ourTurns = all.map((round) => round.ours)
  printTable([
    ['', 'p50', 'p99', 'statuses', 'CPU', 'slow at the end', 'sent away', 'borne with', 'p99 / bare'],
    [...row(`ours, ${size(servers)}`, ourTurns), times(ratio)],
    row(
      'bare',
      all.map((round) => round.bare),
    ),
  ])
  const p99 = figures.atMost(`slow, ${count} of them: announce p99 beside them`, p99Of(ourTurns), AIMS.p99Ms, milli)
  const name = `slow, ${count} of them: the longest that one is borne with`
  const borne = canTell ? figures.atMost(name, borneMs(ourTurns), AIMS.borneMs, milli) : 'not to be said of turns so short'
  console.log(`p99 ${p99}, sent away in time ${borne}`)
}

/** Of the middle turn. */
const p99Of = (turns: readonly Turn[]) => median(turns.map(({ cost }) => cost.p99))
const borneMs = (turns: readonly Turn[]) => turns.reduce((most, { lives }) => Math.max(most, ...lives.ended, ...lives.open), 0)
