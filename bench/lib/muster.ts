/** Runs the program in a child process on a temporary folder with a seeded fleet. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '#backend/platform/database/open.ts'
import { migrateToLatest } from '#backend/platform/database/migrate.ts'
import { createLog } from '#backend/platform/log.ts'
import { discard, freePort, postmasterPid } from '#tests/program.ts'
import { GENERATOR_CORE, SERVER_CORE, childrenOf, cpuOf, cpuOfProcessTree, memoryOf, pin } from './cpu.ts'
import { type SeededServer, createFleet, seedFleet } from './fleet.ts'
import type { LoadTarget } from './load.ts'
import { ENVIRONMENT, NODE_FLAGS } from '#backend/cli/runtime-options.ts'

export interface ProgramOptions {
  /** Node flags in addition to those of `npm start`. */
  readonly flags?: readonly string[]
}

/** Node flags that run a garbage collection on SIGUSR2. */
export const GC_ON_SIGNAL = ['--expose-gc', '--import', join(import.meta.dirname, 'force-gc.ts')]

/** Longer than any run, so that no server expires. */
const TTL_SECONDS = 3 * 3600

export class Muster implements LoadTarget {
  readonly #folder: string
  readonly #child: ChildProcess
  readonly #postgres: number
  #stopping: Promise<void> | undefined
  /** The port of the master list. */
  readonly port: number
  readonly panelPort: number
  readonly fleet: readonly SeededServer[]

  private constructor(folder: string, child: ChildProcess, ports: readonly [panel: number, list: number], fleet: readonly SeededServer[]) {
    this.#folder = folder
    this.#child = child
    ;[this.panelPort, this.port] = ports
    this.fleet = fleet
    pin(child.pid ?? 0, SERVER_CORE)
    this.#postgres = postmasterPid(folder) ?? 0
    // In production, Postgres may run on another machine; here it gets another core. Its new processes inherit that.
    for (const pid of [this.#postgres, ...childrenOf(this.#postgres)]) pin(pid, GENERATOR_CORE)
  }

  /** Starts the program with this many servers online. */
  static async start(servers: number, { flags = [] }: ProgramOptions = {}): Promise<Muster> {
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
      ANNOUNCE_TTL_SECONDS: String(TTL_SECONDS),
      LOG_LEVEL: 'warn',
    }
    const args = [...NODE_FLAGS, ...flags, resolve(import.meta.dirname, '../../backend/cli/muster.ts'), 'serve']
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], env })
    try {
      await untilListening(listPort, child)
    } catch (error) {
      discard(folder)
      throw error
    }
    return new Muster(folder, child, [port, listPort], fleet)
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

  /** Resident kilobytes. */
  memory(): number {
    return memoryOf(this.#child.pid ?? 0)
  }

  /** Can be called repeatedly. */
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
