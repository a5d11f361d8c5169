/** The two sides: the program with a fleet, and the bare node:http server. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { ENVIRONMENT, NODE_FLAGS } from '#backend/cli/runtime-options.ts'
import { type Program, childrenOf, discard, postgresPids, residentMbOf, startProgram, temporaryFolder, untilReady } from '#tests/program.ts'
import type { Served, Start } from './bare.ts'
import { ALL_CORES, GENERATOR_CORE, SERVER_CORE, cpuOf, pin } from './cpu.ts'
import { type SeededServer, seedFleet } from './fleet.ts'
import type { RawResponse } from './read.ts'
import { WorkerProcess } from './worker-process.ts'

/** Both sides run a garbage collection on SIGUSR2. */
const FORCE_GC = ['--import', new URL('force-gc.ts', import.meta.url).href]
/** Longer than any run, so that no server expires. */
const TTL_SECONDS = 3 * 3600
/** Node sets these headers itself. */
const NODE_HEADERS = new Set(['connection', 'date', 'keep-alive'])

const portOf = (url: string) => Number(new URL(url).port)

/** A server under load, in its own process. */
export class Side {
  readonly child: ChildProcess
  readonly port: number

  constructor(child: ChildProcess, port: number) {
    this.child = child
    this.port = port
    pin(child.pid, SERVER_CORE)
  }

  /** Nanoseconds of CPU so far. */
  cpu(): number {
    return cpuOf(this.child.pid)
  }

  /** Nanoseconds of CPU of its database so far. */
  databaseCpu(): number {
    return 0
  }

  /** Resident megabytes. */
  memory(): number {
    return residentMbOf(this.child.pid) ?? Number.NaN
  }

  forceGc(): void {
    this.child.kill('SIGUSR2')
  }

  stop(): void {
    this.child.kill()
  }
}

export interface MusterOptions {
  readonly variables?: Readonly<Record<string, string>>
  /** A script to run instead of that of `npm start`, with its arguments. */
  readonly script?: readonly string[]
}

export class Muster extends Side {
  readonly folder: string
  readonly #options: MusterOptions
  readonly panelPort: number
  readonly fleet: readonly SeededServer[]

  private constructor({ child, folder, listUrl, panelUrl }: Program, fleet: readonly SeededServer[], options: MusterOptions) {
    super(child, portOf(listUrl))
    this.#options = options
    this.folder = folder
    this.panelPort = portOf(panelUrl)
    this.fleet = fleet
    // In production, Postgres may run on another machine; here it gets another core. Its new processes inherit that.
    for (const pid of postgresPids(folder)) pin(pid, GENERATOR_CORE)
  }

  /** Starts the program with this many registered servers. */
  static async start(servers: number, options: MusterOptions = {}): Promise<Muster> {
    const folder = temporaryFolder()
    try {
      return await Muster.#run(folder, await seedFleet(folder, servers), options)
    } catch (error) {
      discard(folder)
      throw error
    }
  }

  static async #run(folder: string, fleet: readonly SeededServer[], options: MusterOptions): Promise<Muster> {
    const { variables, script } = options
    const all = { LOG_LEVEL: 'warn', ANNOUNCE_TTL_SECONDS: String(TTL_SECONDS), NODE_OPTIONS: FORCE_GC.join('='), ...variables }
    return new Muster(await untilReady(await startProgram(folder, all, [], script)), fleet, options)
  }

  /** Stops the program as an operator does. Its data stay. */
  async shutDown(): Promise<void> {
    const { exitCode, signalCode } = this.child
    if (exitCode !== null || signalCode !== null) return
    this.child.kill('SIGTERM')
    await once(this.child, 'exit')
  }

  /** Starts the program again, with its data, after `shutDown`. */
  startAgain(): Promise<Muster> {
    return Muster.#run(this.folder, this.fleet, this.#options)
  }

  /** Lets the process that renders pages use every core, as it does in production. It starts with the first page. */
  unpinRenderer(): void {
    const postgres = postgresPids(this.folder)
    for (const pid of childrenOf(this.child.pid ?? 0)) if (!postgres.includes(pid)) pin(pid, ALL_CORES)
  }

  override databaseCpu(): number {
    return cpuOf(...postgresPids(this.folder))
  }

  override stop(): void {
    this.child.kill('SIGKILL')
    discard(this.folder)
  }
}

type BareProcess = WorkerProcess<Start | Served, { readonly port: number }>

export class Bare extends Side {
  readonly #process: BareProcess

  private constructor(worker: BareProcess, port: number) {
    super(worker.child, port)
    this.#process = worker
  }

  /** It knows the servers of the fleet. */
  static async start(fleet: readonly SeededServer[]): Promise<Bare> {
    const worker: BareProcess = new WorkerProcess('bare.ts', { flags: [...NODE_FLAGS, ...FORCE_GC], env: ENVIRONMENT })
    const { port } = await worker.request({ credentials: fleet.map(({ credential }) => credential) })
    return new Bare(worker, port)
  }

  /** Makes every GET return this response. @param file contains its body @param rebuilds builds the list again for each GET */
  async serve({ headers }: RawResponse, file: string, rebuilds = false): Promise<void> {
    const head = Object.entries(headers).filter(([name]) => !NODE_HEADERS.has(name))
    const texts = head.map(([name, value]): [string, string] => [name, String(value)])
    await this.#process.request({ file, head: texts, etag: headers.etag ?? '', rebuilds })
  }
}
