/** The real program in a process of its own, on a temporary folder, filled with a fleet. */
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
import { GENERATOR_CORE, SERVER_CORE, childrenOf, cpuOf, cpuOfFamily, memoryOf, pin, unpin } from './cpu.ts'
import { type Seeded, inventFleet, seedFleet } from './fleet.ts'
import type { Target } from './load.ts'
import { read } from './read.ts'
import { ENVIRONMENT, NODE_FLAGS } from '#backend/cli/runtime-options.ts'

/** What differs from the other programs of a run. */
export interface Special {
  /** Of node, beside those of `npm start`. */
  readonly flags?: readonly string[]
  /** How long a server stays without an announce. */
  readonly ttlSeconds?: number
}

/** Flags that let a program collect garbage on request. */
export const SWEEPING = ['--expose-gc', '--import', join(import.meta.dirname, 'sweep.ts')]

/** Longer than any run: nobody is to leave the list while others are measured. */
const TTL_SECONDS = 3 * 3600

export class Muster implements Target {
  readonly #folder: string
  readonly #launch: () => ChildProcess
  #child: ChildProcess
  #postgres = 0
  #stopping: Promise<void> | undefined
  /** The list's. */
  readonly port: number
  readonly fleet: readonly Seeded[]

  readonly #panelPort: number

  private constructor(folder: string, launch: () => ChildProcess, ports: readonly [panel: number, list: number], fleet: readonly Seeded[]) {
    this.#folder = folder
    this.#launch = launch
    this.#child = launch()
    ;[this.#panelPort, this.port] = ports
    this.fleet = fleet
  }

  /** Starts it with so many servers online. */
  static async start(servers: number, { flags = [], ttlSeconds = TTL_SECONDS }: Special = {}): Promise<Muster> {
    const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'))
    const database = await openDatabase({ DATA_DIR: folder }, createLog('warn'))
    const fleet = inventFleet(servers)
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
    const words = [...NODE_FLAGS, ...flags, resolve(import.meta.dirname, '../../backend/cli/muster.ts'), 'serve']
    const launch = () => spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'], env })
    const muster = new Muster(folder, launch, [port, listPort], fleet)
    try {
      await answering(listPort, muster.#child)
    } catch (error) {
      discard(folder)
      throw error
    }
    muster.settle()
    return muster
  }

  /** Ends it with SIGKILL: the program alone, which leaves its Postgres behind, or every process of both at the same moment. */
  async kill(what: 'program' | 'everything'): Promise<void> {
    const ended = endOf(this.#child)
    this.#child.kill('SIGKILL')
    if (what === 'everything') for (const pid of postgresPids(this.#folder)) killHard(pid)
    await ended
  }

  /** Starts it again on the same folder and ports without waiting for it; on all cores, until it is settled. */
  again(): void {
    this.#child = this.#launch()
    unpin(this.#child.pid ?? 0)
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** Once it takes calls: puts it and its Postgres where they belong. */
  settle(): void {
    pin(this.#child.pid ?? 0, SERVER_CORE)
    this.#postgres = postmasterPid(this.#folder) ?? 0
    // It may be another machine; here it is at least another core. Its later processes begin where it is.
    for (const pid of [this.#postgres, ...childrenOf(this.#postgres)]) pin(pid, GENERATOR_CORE)
  }

  /** Has it sweep up; it must have been started with what `sweep.ts` needs. */
  sweep(): void {
    this.#child.kill('SIGUSR2')
  }

  cpu(): number {
    return cpuOf(this.#child.pid ?? 0)
  }

  /** Of the embedded Postgres. */
  databaseCpu(): number {
    return cpuOfFamily(this.#postgres)
  }

  memory(): { rss: number; pss: number } {
    return memoryOf(this.#child.pid ?? 0)
  }

  /** Files and sockets that it holds open. */
  descriptors(): number {
    return readdirSync(`/proc/${this.#child.pid ?? 0}/fd`).length
  }

  /** Milliseconds that its event loop was late, p99 since it or a metric was last asked for; NaN where that was too short to see any. */
  async lagMs(): Promise<number> {
    const step = (await this.metric('nodejs_eventloop_lag_p99_seconds')) * 1000
    return step < LAG_STEP_MS / 2 ? Number.NaN : Math.max(0, step - LAG_STEP_MS)
  }

  /** One of the figures that the program says of itself; NaN where it does not. */
  async metric(name: string): Promise<number> {
    const bodies = await Promise.all([this.#panelPort, this.port].map(async (port) => (await read(port, '/metrics')).body.toString()))
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(bodies.join('\n'))?.[1])
  }

  /** Also where it was killed, and as often as one likes. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  async #stop(): Promise<void> {
    const ended = endOf(this.#child)
    this.#child.kill('SIGTERM')
    await ended
    discard(this.#folder)
  }
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

async function answering(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${port}/servers/info`).catch(() => undefined)
    if (answer?.ok === true) return
    await sleep(50)
  }
  throw new Error('The program ended before it listened.')
}
