/** Compares another list server with ours: announces, the list, the list while all servers announce, and all combined. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { freePort } from '#tests/program.ts'
import { SERVER_CORE, cpuOf, pin } from './lib/cpu.ts'
import { type SeededServer, playersAt } from './lib/fleet.ts'
import type { LoadSpec, LoadTarget } from './lib/load.ts'
import { listRequest } from './lib/requests.ts'
import { interleave } from './lib/rounds.ts'
import { RESERVED_SERVERS } from './lib/reserved-servers.ts'
import { ANNOUNCE_SECONDS, CHANGING_OF_TEN, type Pair, type Run, type TestBed } from './lib/test-bed.ts'
import { micro, milli, percent, printTable, rate, size, statusesOf, times } from './lib/table.ts'
import type { Peer, StartedPeer } from './peers/peer.ts'

const HEAD = ['servers', '', 'CPU ours', 'CPU theirs', 'ours / theirs', 'rate ours', 'theirs', 'p99 ours', 'theirs', 'statuses', 'theirs']
const ANNOUNCERS = 32
const READERS = 8
const FILL_MS = 300

/** @param peer the adapter file */
export async function run(options: Run & { readonly peer: string }): Promise<void> {
  const { peer } = (await import(pathToFileURL(resolve(options.peer)).href)) as { peer?: Peer }
  if (peer === undefined) throw new Error(`${options.peer} exports no \`peer\` (bench/peers/peer.ts).`)
  console.log(`PEER: ${peer.name}. CPU is per request; in the last row, in per cent of a core.`)
  const rows = [HEAD]
  for (const servers of options.sizes) {
    const pair = await options.testBed.warmPair(servers, options.milliseconds)
    const started = await peer.start(pair.ours.fleet, await freePort())
    for (const pid of started.pids) pin(pid, SERVER_CORE)
    try {
      rows.push(...(await compare(options, pair, peer, started)))
    } finally {
      await started.stop()
    }
  }
  printTable(rows)
}

async function compare({ testBed, rounds, milliseconds }: Run, pair: Pair, peer: Peer, { pids, port }: StartedPeer): Promise<string[][]> {
  const theirs: LoadTarget = { port, cpu: () => pids.reduce((sum, pid) => sum + cpuOf(pid), 0), databaseCpu: () => 0 }
  const requests = requestsOf(testBed, peer, pair.ours.fleet)
  await fill(testBed, theirs, requests, pair.servers)
  const announces = (connections: number, perSecond: number) =>
    [pair.announces(connections, perSecond), { connections, rate: perSecond, requests, expected: '2' }] as const
  const lists = (connections: number, perSecond: number) =>
    [listRequest('/servers', { 'Accept-Encoding': 'gzip' }), peer.list].map((one) => ({
      connections,
      rate: perSecond,
      requests: [one],
      expected: '2',
    }))
  const steady = announces(ANNOUNCERS / 2, pair.servers / ANNOUNCE_SECONDS)
  const kinds: [string, readonly LoadSpec[], readonly LoadSpec[], number][] = [
    ['announce', announces(ANNOUNCERS, 0), [], 1],
    ['list', lists(READERS, 0), [], 1],
    ['list, with announces', lists(READERS / 2, 0), steady, 2],
    ['announces, 1 list/s', steady, lists(1, 1), 4],
  ]
  const rows: string[][] = []
  for (const [name, first, background, turnFactor] of kinds) {
    const turns = [pair.ours, theirs].map((target, side) => {
      const [main, other] = [first[side], background[side]]
      if (main === undefined) throw new Error('A side has no requests.')
      if (other === undefined) return () => testBed.load.run(target, milliseconds * turnFactor, { ...main, busyWaits: true })
      return () => testBed.load.run(target, milliseconds * turnFactor, main, other)
    })
    for (const turn of turns) await turn()
    const result = await interleave(rounds, turns)
    const [ours, their] = [result.of(0), result.of(1)]
    const isTotal = turnFactor === 4
    const cpu = (cost: typeof ours) => (isTotal ? percent(cost.cpuPercent) : micro(cost.cpuMicroseconds))
    const ratio = isTotal ? result.ratio(0, 1, (cost) => cost.cpuPercent) : result.ratio(0, 1)
    const figures = [cpu(ours), cpu(their), times(ratio), rate(ours.perSecond), rate(their.perSecond), milli(ours.p99), milli(their.p99)]
    rows.push([size(pair.servers), name, ...figures, statusesOf(ours.statuses), statusesOf(their.statuses)])
  }
  return rows
}

/** The same servers that announce to ours, twice; three of ten change their player count. */
function requestsOf(testBed: TestBed, peer: Peer, fleet: readonly SeededServer[]): string {
  const texts = ([0, 1] as const).flatMap((turn) =>
    fleet.slice(RESERVED_SERVERS).map((server) => peer.announce(server, playersAt(server.profile, server.index, turn, CHANGING_OF_TEN))),
  )
  return testBed.file(JSON.stringify(texts))
}

/** Announces until every server is listed. */
async function fill(testBed: TestBed, theirs: LoadTarget, requests: string, servers: number): Promise<void> {
  for (let sent = 0; sent < servers;) {
    const cost = await testBed.load.run(theirs, FILL_MS, { connections: ANNOUNCERS, rate: 0, requests, expected: '2' })
    sent += cost.requests
  }
}
