/** Runs the program in a child process on a temporary folder with a seeded fleet. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '#backend/platform/database/open.ts'
import { migrateToLatest } from '#backend/platform/database/migrate.ts'
import { LAG_STEP_MS } from '#backend/app/metrics.ts'
import { createLog } from '#backend/platform/log.ts'
import { discard, freePort, killHard, postgresPids, postmasterPid } from '#tests/program.ts'
import { GENERATOR_CORE, SERVER_CORE, childrenOf, cpuOf, cpuOfProcessTree, memoryOf, pin, unpin } from './cpu.ts'
import { type SeededServer, createFleet, seedFleet } from './fleet.ts'
import type { LoadTarget } from './load.ts'
import { read } from './read.ts'
import { ENVIRONMENT, NODE_FLAGS } from '#backend/cli/runtime-options.ts'

/** Options that differ between the programs of a run. */
export interface ProgramOptions {
  /** Node flags in addition to those of `npm start`. */
  readonly flags?: readonly string[]
  /** When a server without announces expires. */
  readonly ttlSeconds?: number
}

/** Node flags that run a garbage collection on SIGUSR2. */
export const GC_ON_SIGNAL = ['--expose-gc', '--import', join(import.meta.dirname, 'force-gc.ts')]

/** Longer than any run, so that no server expires. */
const TTL_SECONDS = 3 * 3600

export class Muster implements LoadTarget {
  readonly #folder: string
  readonly #launch: () => ChildProcess
  #child: ChildProcess
  #postgres = 0
  #stopping: Promise<void> | undefined
  /** The port of the master list. */
  readonly port: number
  readonly panelPort: number
  readonly fleet: readonly SeededServer[]

  private constructor(
    folder: string,
    launch: () => ChildProcess,
    ports: readonly [panel: number, list: number],
    fleet: readonly SeededServer[],
  ) {
    this.#folder = folder
    this.#launch = launch
    this.#child = launch()
    ;[this.panelPort, this.port] = ports
    this.fleet = fleet
  }

  /** Starts the program with this many servers online. */
  static async start(servers: number, { flags = [], ttlSeconds = TTL_SECONDS }: ProgramOptions = {}): Promise<Muster> {
    const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'))
    const database = await openDatabase({ DATA_DIR: folder }, createLog('warn'))
    const fleet = createFleet(servers)
    try {
      await migrateToLatest(database.db)
      await seedFleet(database.db, fleet)
    } finally {
      await database.close()
    }
    const [port, listPort] = [await freePort(), await freePort()]
    const env = {
      ...process.env,
      ...ENVIRONMENT,
      NODE_ENV: 'development',
      DATA_DIR: folder,
      PORT: String(port),
      MASTERLIST_PORT: String(listPort),
      HOST: '127.0.0.1',
      RATE_LIMITS: 'off',
      ANNOUNCE_TTL_SECONDS: String(ttlSeconds),
      LOG_LEVEL: 'warn',
    }
    const args = [...NODE_FLAGS, ...flags, resolve(import.meta.dirname, '../../backend/cli/muster.ts'), 'serve']
    const launch = () => spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], env })
    const muster = new Muster(folder, launch, [port, listPort], fleet)
    try {
      await untilListening(listPort, muster.#child)
    } catch (error) {
      discard(folder)
      throw error
    }
    muster.pinProcesses()
    return muster
  }

  /** Sends SIGKILL to the program alone, whose Postgres keeps running, or to every process of both. */
  async kill(what: 'program' | 'everything'): Promise<void> {
    const exited = exitOf(this.#child)
    this.#child.kill('SIGKILL')
    if (what === 'everything') for (const pid of postgresPids(this.#folder)) killHard(pid)
    await exited
  }

  /** Starts the program again on the same folder and ports without waiting. It uses all cores until `pinProcesses()`. */
  restart(): void {
    this.#child = this.#launch()
    unpin(this.#child.pid ?? 0)
  }

  get hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** Pins the program and its Postgres to their cores, once the program listens. */
  pinProcesses(): void {
    pin(this.#child.pid ?? 0, SERVER_CORE)
    this.#postgres = postmasterPid(this.#folder) ?? 0
    // In production, Postgres may run on another machine; here it gets another core. Its new processes inherit that.
    for (const pid of [this.#postgres, ...childrenOf(this.#postgres)]) pin(pid, GENERATOR_CORE)
  }

  /** Needs `GC_ON_SIGNAL` among the flags. */
  forceGc(): void {
    this.#child.kill('SIGUSR2')
  }

  cpu(): number {
    return cpuOf(this.#child.pid ?? 0)
  }

  /** CPU of the embedded Postgres. */
  databaseCpu(): number {
    return cpuOfProcessTree(this.#postgres)
  }

  memory(): { rss: number; pss: number } {
    return memoryOf(this.#child.pid ?? 0)
  }

  /** The number of open files and sockets. */
  descriptors(): number {
    return readdirSync(`/proc/${this.#child.pid ?? 0}/fd`).length
  }

  /** p99 event loop lag in milliseconds since the last read of any metric; NaN after too short a time. */
  async lagMs(): Promise<number> {
    const step = (await this.metric('nodejs_eventloop_lag_p99_seconds')) * 1000
    return step < LAG_STEP_MS / 2 ? Number.NaN : Math.max(0, step - LAG_STEP_MS)
  }

  /** The value of one metric; NaN if it is missing. */
  async metric(name: string): Promise<number> {
    const bodies = await Promise.all([this.panelPort, this.port].map(async (port) => (await read(port, '/metrics')).body.toString()))
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(bodies.join('\n'))?.[1])
  }

  /** Can be called repeatedly, and after `kill()`. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    const exited = exitOf(this.#child)
    this.#child.kill('SIGTERM')
    await exited
    discard(this.#folder)
  }
}

async function exitOf(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const response = await fetch(`http://127.0.0.1:${port}/servers/info`).catch(() => undefined)
    if (response?.ok === true) return
    await sleep(50)
  }
  throw new Error('The program exited before it listened.')
}
