/** Whether keeping readers up to date costs in proportion to what changed: a fixed number of changes a second in lists of very different sizes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Seeded, announceBody } from './lib/fleet.ts'
import type { Cost } from './lib/load.ts'
import type { Muster } from './lib/muster.ts'
import { read } from './lib/read.ts'
import { announceRequest, listRequest } from './lib/requests.ts'
import { type Rounds, type Turn, interleave } from './lib/rounds.ts'
import type { Run, Stage } from './lib/stage.ts'
import { type Figures, percent, printTable, size, statusesOf, times } from './lib/table.ts'
import { Versions, deltaSince, sincePath, untilQuiet } from './lib/versions.ts'

/** Where these are the sizes of the run, they are measured at these. */
const SIZES = { usual: '1000,10000,30000', measured: [1000, 10_000, 50_000] }
const CHANGES_A_SECOND = 100
const DELTAS_A_SECOND = 20
const AIM = 1.2
const LONGER = 4
/** Of each group, in every size, so that each changes as often. */
const MAX_SERVERS = 500
const PLAYERS = { before: 5, other: 3 }
/** The share of what was sent that may be missing from, or too much in, the delta after a turn; and how long it may take to be there. */
const TOLERANCE = 0.1
const PATIENCE_MS = 3000

const cpuPercentOf = (cost: Cost) => cost.cpuPercent

/** Servers of one size that announce only in turns of their kind. */
interface Group {
  readonly count: number
  readonly requests: string
  readonly isChanging: boolean
}

export async function run({ sizes, rounds, milliseconds, stage, figures }: Run): Promise<void> {
  const measured = sizes.join(',') === SIZES.usual ? SIZES.measured : sizes
  const turns: Turn[] = []
  const followers: Versions[] = []
  try {
    for (const servers of measured) {
      const { ours } = await stage.warmPair(servers, milliseconds)
      const groups = await groupsOf(stage, ours)
      await untilQuiet(ours.port)
      const versions = await Versions.follow(ours.port)
      if (versions === undefined) throw new Error('Deltas are not answered.')
      followers.push(versions)
      for (const group of groups) {
        const turn = (factor: number) => play(stage, ours, versions, group, milliseconds * factor)
        await turn(2)
        turns.push(() => turn(LONGER))
      }
    }
    const isOpen = (soFar: Rounds) => measured.some((_, at) => at > 0 && soFar.leavesOpen(2 * at, 0, AIM, cpuPercentOf))
    print(measured, await interleave(rounds, turns, isOpen), figures)
  } finally {
    for (const versions of followers) await versions.stop()
  }
}

/** One turn, after which the list must have changed as much as requested. */
async function play(
  { load }: Stage,
  ours: Muster,
  versions: Versions,
  { count, requests, isChanging }: Group,
  milliseconds: number,
): Promise<Cost> {
  const { port } = ours
  const { version: before } = await deltaSince(port, versions.newest(0) ?? '')
  const began = Date.now()
  const deltas = [listRequest(sincePath(before), { 'Accept-Encoding': 'gzip' })]
  const cost = await load.run(
    ours,
    milliseconds,
    { connections: 8, rate: CHANGES_A_SECOND, requests },
    { connections: 2, rate: DELTAS_A_SECOND, requests: deltas },
  )
  const sent = isChanging ? Math.min(cost.requests, count) : 0
  const deadline = performance.now() + PATIENCE_MS
  // Readers from further back receive some earlier changes again.
  const isOfTurn = ({ lastTimeUpdate = '' }: { readonly lastTimeUpdate?: string | undefined }) => Date.parse(lastTimeUpdate) >= began
  const changes = async () => (await deltaSince(port, before)).changed.filter(isOfTurn).length
  let found = await changes()
  for (; found < sent && performance.now() < deadline; found = await changes()) await sleep(50)
  if (Math.abs(found - sent) > Math.max(1, cost.requests * TOLERANCE))
    throw new Error(`After ${cost.requests} announces, ${sent} of which changed another server, the delta has ${found} changes.`)
  return cost
}

/** Two groups spread over the whole list: one says other players each time, the other what the list has of it already. */
async function groupsOf(stage: Stage, { port, fleet }: Muster): Promise<Group[]> {
  const step = Math.max(1, Math.floor(fleet.length / (2 * MAX_SERVERS)))
  const some = fleet.filter((_, index) => index % step === 0).slice(0, 2 * MAX_SERVERS)
  for (const server of some) await announceOnce(port, server)
  return [true, false].map((isChanging, place) => {
    const group = some.filter((_, index) => index % 2 === place)
    const turns = isChanging ? [PLAYERS.other, PLAYERS.before] : [PLAYERS.before]
    const requests = turns.flatMap((players) =>
      group.map(({ credential, profile }) => announceRequest(credential, announceBody(profile, players))),
    )
    return { count: group.length, requests: stage.file(JSON.stringify(requests)), isChanging }
  })
}

async function announceOnce(port: number, { credential, profile }: Seeded): Promise<void> {
  const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' }
  const { status } = await read(port, '/announce', headers, { body: announceBody(profile, PLAYERS.before) })
  if (status !== 200) throw new Error(`An announce was answered with ${status}.`)
}

function print(measured: readonly number[], result: Rounds, figures: Figures): void {
  console.log(
    `REFRESH: ${CHANGES_A_SECOND} announces a second, each of which changes something, and ${DELTAS_A_SECOND} deltas a second from the beginning of the turn; beside it as many announces without a change; ${result.count} rounds. Others took up to ${percent(result.othersPercent)} of a core.`,
  )
  printTable([
    ['servers', 'CPU', `/ ${size(measured[0] ?? 0)}`, '', 'without changes', 'difference', 'Postgres', 'statuses'],
    ...measured.map((servers, at) => {
      const growth = result.ratio(2 * at, 0, cpuPercentOf)
      const name = `refresh at ${CHANGES_A_SECOND} changes a second: CPU ${size(servers)} / ${size(measured[0] ?? 0)}`
      return [
        size(servers),
        percent(result.mean(2 * at, cpuPercentOf)),
        times(growth),
        at === 0 ? '' : figures.atMost(name, growth, AIM, times),
        percent(result.mean(2 * at + 1, cpuPercentOf)),
        percent(result.mean(2 * at, cpuPercentOf) - result.mean(2 * at + 1, cpuPercentOf)),
        percent(result.mean(2 * at, (cost) => cost.databasePercent)),
        statusesOf(result.of(2 * at).statuses),
      ]
    }),
  ])
}
