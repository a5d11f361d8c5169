/** Shows that updating readers costs in proportion to the changes: the same change rate at very different list sizes. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type SeededServer, announceBody } from './lib/fleet.ts'
import type { Cost } from './lib/load.ts'
import type { Muster } from './lib/muster.ts'
import { read } from './lib/read.ts'
import { announceRequest, listRequest } from './lib/requests.ts'
import { type Rounds, type Turn, interleave } from './lib/rounds.ts'
import type { Run, TestBed } from './lib/test-bed.ts'
import { type Figures, percent, printTable, size, statusesOf, times } from './lib/table.ts'
import { VersionHistory, deltaSince, sincePath, untilUnchanged } from './lib/versions.ts'

/** The default sizes are replaced by a wider range. */
const SIZES = { default: '1000,10000,30000', measured: [1000, 10_000, 50_000] }
const CHANGES_PER_SECOND = 100
const DELTAS_PER_SECOND = 20
const MAX_RATIO = 1.2
const TURN_FACTOR = 4
/** The size of each group, the same for every list, so that each server changes equally often. */
const MAX_SERVERS = 500
const PLAYERS = { before: 5, other: 3 }
/** How far the changes in the delta may differ from the announces, and how long they may take. */
const TOLERANCE = 0.1
const TIMEOUT_MS = 3000

const cpuPercentOf = (cost: Cost) => cost.cpuPercent

/** Servers that announce only in turns of their kind. */
interface Group {
  readonly count: number
  readonly requests: string
  readonly isChanging: boolean
}

export async function run({ sizes, rounds, milliseconds, testBed, figures }: Run): Promise<void> {
  const measured = sizes.join(',') === SIZES.default ? SIZES.measured : sizes
  const turns: Turn[] = []
  const followers: VersionHistory[] = []
  try {
    for (const servers of measured) {
      const { ours } = await testBed.warmPair(servers, milliseconds)
      const groups = await groupsOf(testBed, ours)
      await untilUnchanged(ours.port)
      const versions = await VersionHistory.follow(ours.port)
      if (versions === undefined) throw new Error('The server does not support deltas.')
      followers.push(versions)
      for (const group of groups) {
        const turn = (factor: number) => play(testBed, ours, versions, group, milliseconds * factor)
        await turn(2)
        turns.push(() => turn(TURN_FACTOR))
      }
    }
    const isInconclusive = (soFar: Rounds) => measured.some((_, at) => at > 0 && soFar.isInconclusive(2 * at, 0, MAX_RATIO, cpuPercentOf))
    print(measured, await interleave(rounds, turns, isInconclusive), figures)
  } finally {
    for (const versions of followers) await versions.stop()
  }
}

/** Runs one turn, then checks the number of changes. */
async function play(
  { load }: TestBed,
  ours: Muster,
  versions: VersionHistory,
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
    { connections: 8, rate: CHANGES_PER_SECOND, requests },
    { connections: 2, rate: DELTAS_PER_SECOND, requests: deltas },
  )
  const sent = isChanging ? Math.min(cost.requests, count) : 0
  const deadline = performance.now() + TIMEOUT_MS
  // The delta may repeat some earlier changes.
  const isOfTurn = ({ lastTimeUpdate = '' }: { readonly lastTimeUpdate?: string | undefined }) => Date.parse(lastTimeUpdate) >= began
  const changes = async () => (await deltaSince(port, before)).changed.filter(isOfTurn).length
  let found = await changes()
  for (; found < sent && performance.now() < deadline; found = await changes()) await sleep(50)
  if (Math.abs(found - sent) > Math.max(1, cost.requests * TOLERANCE))
    throw new Error(`${cost.requests} announces changed ${sent} servers, but the delta has ${found} changes.`)
  return cost
}

/** Two groups spread over the whole list: one changes its player count each time, the other never does. */
async function groupsOf(testBed: TestBed, { port, fleet }: Muster): Promise<Group[]> {
  const step = Math.max(1, Math.floor(fleet.length / (2 * MAX_SERVERS)))
  const some = fleet.filter((_, index) => index % step === 0).slice(0, 2 * MAX_SERVERS)
  for (const server of some) await announceOnce(port, server)
  return [true, false].map((isChanging, place) => {
    const group = some.filter((_, index) => index % 2 === place)
    const turns = isChanging ? [PLAYERS.other, PLAYERS.before] : [PLAYERS.before]
    const requests = turns.flatMap((players) =>
      group.map(({ credential, profile }) => announceRequest(credential, announceBody(profile, players))),
    )
    return { count: group.length, requests: testBed.file(JSON.stringify(requests)), isChanging }
  })
}

async function announceOnce(port: number, { credential, profile }: SeededServer): Promise<void> {
  const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' }
  const { status } = await read(port, '/announce', headers, { body: announceBody(profile, PLAYERS.before) })
  if (status !== 200) throw new Error(`An announce returned ${status}.`)
}

function print(measured: readonly number[], result: Rounds, figures: Figures): void {
  console.log(
    `REFRESH: ${CHANGES_PER_SECOND} announces a second that each change a server, and ${DELTAS_PER_SECOND} deltas a second since the start of the turn, compared with announces that change nothing; ${result.count} rounds. Other processes used up to ${percent(result.othersPercent)} of a core.`,
  )
  printTable([
    ['servers', 'CPU', `/ ${size(measured[0] ?? 0)}`, '', 'without changes', 'difference', 'Postgres', 'statuses'],
    ...measured.map((servers, at) => {
      const growth = result.ratio(2 * at, 0, cpuPercentOf)
      const name = `refresh at ${CHANGES_PER_SECOND} changes a second: CPU ${size(servers)} / ${size(measured[0] ?? 0)}`
      return [
        size(servers),
        percent(result.mean(2 * at, cpuPercentOf)),
        times(growth),
        at === 0 ? '' : figures.atMost(name, growth, MAX_RATIO, times),
        percent(result.mean(2 * at + 1, cpuPercentOf)),
        percent(result.mean(2 * at, cpuPercentOf) - result.mean(2 * at + 1, cpuPercentOf)),
        percent(result.mean(2 * at, (cost) => cost.databasePercent)),
        statusesOf(result.of(2 * at).statuses),
      ]
    }),
  ])
}
