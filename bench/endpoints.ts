/**
 * What it costs to prove endpoints: the same servers announce without endpoints and with some, on a program each. All announce every 30 s, three
 * of ten with a change, and one reader a second downloads the list.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { until } from '#tests/program.ts'
import type { SeededServer } from './lib/fleet.ts'
import type { Count, Counts, GameEndpoint, Listen } from './lib/game-endpoints.ts'
import type { Cost, LoadSpec } from './lib/load.ts'
import type { Muster, MusterOptions } from './lib/programs.ts'
import { getRequest, read } from './lib/read.ts'
import { type Rounds, interleave } from './lib/rounds.ts'
import { milli, percent, printTable, size, times } from './lib/table.ts'
import { ANNOUNCE_SECONDS, type Run, type TestBed } from './lib/test-bed.ts'
import { WorkerProcess } from './lib/worker-process.ts'

/** The announced ports of more servers would be those of programs. */
const MAX_SERVERS = 10_000
/** Every fifth server names an endpoint. */
const NAMING_ONE_OF = 5
const MAX_P99_RATIO = 1.2
/** Per cent of a core. */
const MAX_PROVING_PERCENT = 3
const WARM_CONNECTIONS = 32
const ANNOUNCE_CONNECTIONS = 16
/** In the first turn, all servers announce for the first time, and are asked three seconds later. */
const FIRST_TURN_FACTOR = ANNOUNCE_SECONDS + 5
/** After a start, the list resolves every name once. */
const SETTLE_FACTOR = 8
/**
 * Long, because an endpoint is proven only every ten minutes, and the program collects its old garbage about every 25 s. That slows announces for
 * seconds: in a turn of 30 s, the p99 shows whether one or two collections fell into it.
 */
const TURN_FACTOR = 120
const HEADERS = { 'Accept-Encoding': 'gzip' }
const START = fileURLToPath(new URL('../backend/cli/start.ts', import.meta.url))
const WITH_NAME_SERVER = fileURLToPath(new URL('lib/with-name-server.ts', import.meta.url))

type EndpointProcess = WorkerProcess<Listen | Count, Counts>

export async function run(options: Run): Promise<void> {
  const { sizes, rounds, figures } = options
  const servers = sizes.findLast((each) => each <= MAX_SERVERS) ?? MAX_SERVERS
  const hasNames = spawnSync('unshare', ['--mount', 'true']).status === 0
  const endpoints: EndpointProcess = new WorkerProcess('game-endpoints.ts')
  const sides: Side[] = []
  try {
    const start = await startOptions(options.testBed, endpoints, hasNames)
    for (const isNaming of [false, true]) {
      const program = await options.testBed.startMuster(servers, start)
      sides.push(new Side(options, endpoints, program, isNaming ? endpointsOf(program.fleet, hasNames) : []))
      await program.shutDown()
    }
    const turnsOf = (kind: 'firstTurn' | 'turn') => sides.map((side) => () => side[kind]())
    const first = await interleave(1, turnsOf('firstTurn'))
    const steady = await interleave(rounds, turnsOf('turn'))
    const hosts = hasNames ? 'half of them by name' : 'none by name, which needs root'
    const load = `N/${ANNOUNCE_SECONDS} announces a second, open loop, and one list read a second (gzip)`
    console.log(`ENDPOINTS, ${size(servers)} servers, of which ${servers / NAMING_ONE_OF} name an endpoint, ${hosts}: ${load}.`)
    const verdictOf = (figure: string, value: number, target: number, show: (value: number) => string) =>
      figures.atMost(`endpoints, ${size(servers)}: ${figure}`, value, target, show)
    const { ratio, proving } = compare(steady)
    printTable([
      { ...rowOf('first proofs', first), 'p99 target': '', 'CPU target': '' },
      {
        ...rowOf('later', steady),
        'p99 target': verdictOf('p99 of announces / without', ratio, MAX_P99_RATIO, times),
        'CPU target': verdictOf('CPU of proving, per cent of a core', proving, MAX_PROVING_PERCENT, percent),
      },
    ])
    console.log(
      `Later, the endpoints answered ${sides[1]?.perSecond('answers')} questions a second, and the name server ${sides[1]?.perSecond('queries')}.`,
    )
  } finally {
    for (const side of sides) side.stop()
    endpoints.stop()
  }
}

async function startOptions(testBed: TestBed, endpoints: EndpointProcess, hasNames: boolean): Promise<MusterOptions> {
  const variables = { REACHABILITY_PRIVATE: 'on' }
  if (!hasNames) return { variables }
  const { nameServer } = await endpoints.request({})
  return { variables, script: [WITH_NAME_SERVER, testBed.file(`nameserver ${nameServer}\n`), START] }
}

/** All four kinds take turns: names and addresses, over TCP and over UDP. */
function endpointsOf(fleet: readonly SeededServer[], hasNames: boolean): GameEndpoint[] {
  const naming = fleet.filter((_, index) => index % NAMING_ONE_OF === 0)
  return naming.map(({ publicId, credential, profile: { port } }, index) => {
    const address = `127.1.${Math.floor(index / 250)}.${(index % 250) + 1}`
    const host = hasNames && index % 2 === 0 ? `server-${index}.example.com` : address
    return { address, port, host, probe: index % 4 < 2 ? 'tcp' : 'udp', publicId, credential }
  })
}

/** A program that runs in its turns only: otherwise its questions would disturb the other side. */
class Side {
  readonly #options: Run
  readonly #endpoints: EndpointProcess
  readonly #named: readonly GameEndpoint[]
  readonly #announces: string
  readonly #load: readonly [announces: LoadSpec, lists: LoadSpec]
  /** Counts of each turn but the first. */
  readonly #counts: Pick<Counts, 'answers' | 'queries'>[] = []
  #program: Muster

  /** @param program its servers have not announced yet */
  constructor(options: Run, endpoints: EndpointProcess, program: Muster, named: readonly GameEndpoint[]) {
    const { testBed } = options
    const endpointBy = new Map(named.map((endpoint) => [endpoint.publicId, endpoint]))
    this.#options = options
    this.#endpoints = endpoints
    this.#program = program
    this.#named = named
    this.#announces = testBed.announceFile(program.fleet.map((server) => ({ ...server, endpoint: endpointBy.get(server.publicId) })))
    const rate = program.fleet.length / ANNOUNCE_SECONDS
    const reader = testBed.file(JSON.stringify([getRequest('/servers', HEADERS)]))
    this.#load = [
      { connections: ANNOUNCE_CONNECTIONS, rate, requests: this.#announces },
      { connections: 1, rate: 1, requests: reader },
    ]
  }

  /** Ends when every endpoint is proven. */
  async firstTurn(): Promise<Cost> {
    const { testBed } = this.#options
    await this.#endpoints.request({ endpoints: this.#named })
    this.#program = await testBed.startAgain(this.#program)
    const cost = await this.#run(FIRST_TURN_FACTOR)
    // Turns of other lengths may not reach every server.
    await testBed.announceFirst(this.#program, this.#program.fleet.length, this.#announces)
    await until(async () => (await this.#countProven()) === this.#named.length)
    await this.#program.shutDown()
    return cost
  }

  /** After a start, the proofs of all endpoints spread over ten minutes, as they do in the long run. */
  async turn(): Promise<Cost> {
    const { testBed, milliseconds } = this.#options
    this.#program = await testBed.startAgain(this.#program)
    await testBed.warmUp(this.#program, { connections: WARM_CONNECTIONS, rate: 0, requests: this.#announces }, milliseconds)
    await this.#run(SETTLE_FACTOR)
    const before = await this.#endpoints.request({})
    const cost = await this.#run(TURN_FACTOR)
    const after = await this.#endpoints.request({})
    this.#counts.push({ answers: after.answers - before.answers, queries: after.queries - before.queries })
    await this.#program.shutDown()
    return cost
  }

  perSecond(kind: 'answers' | 'queries'): string {
    const seconds = (this.#counts.length * TURN_FACTOR * this.#options.milliseconds) / 1000
    return (this.#counts.reduce((sum, counts) => sum + counts[kind], 0) / seconds).toFixed(1)
  }

  stop(): void {
    this.#options.testBed.stopSide(this.#program)
  }

  #run(factor: number): Promise<Cost> {
    const { testBed, milliseconds } = this.#options
    return testBed.load.run(this.#program, milliseconds * factor, ...this.#load)
  }

  async #countProven(): Promise<number> {
    const { body } = await read(this.#program.port, '/servers', {})
    const rows = JSON.parse(body.toString()) as { addresses: string[] }[]
    return rows.filter(({ addresses }) => addresses.some((address) => !address.startsWith('127.0.0.1:'))).length
  }
}

function compare(result: Rounds): { ratio: number; proving: number } {
  return { ratio: result.ratio(1, 0, ({ p99 }) => p99), proving: result.difference(1, 0, ({ cpuPercent }) => cpuPercent) }
}

function rowOf(proofs: string, result: Rounds): Record<string, string> {
  const p99 = (side: number) => milli(result.of(side, (cost) => cost.p99))
  const cpu = (side: number) => percent(result.of(side, (cost) => cost.cpuPercent))
  const { ratio, proving } = compare(result)
  return {
    proofs,
    'p99 without': p99(0),
    'p99 with': p99(1),
    ratio: times(ratio),
    'CPU without': cpu(0),
    'CPU with': cpu(1),
    proving: percent(proving),
    Postgres: percent(result.of(1, (cost) => cost.databasePercent)),
    statuses: result.statuses(1),
    others: percent(result.othersPercent),
  }
}
