/** The real program in a process of its own, on a temporary folder, filled with a fleet. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '#backend/database/open.ts'
import { migrateToLatest } from '#backend/database/migrate.ts'
import { createLog } from '#backend/log.ts'
import { freePort } from '#tests/program.ts'
import { GENERATOR_CORE, SERVER_CORE, childrenOf, cpuOf, cpuOfFamily, memoryOf, pin } from './cpu.ts'
import { type Seeded, inventFleet, seedFleet } from './fleet.ts'
import type { Target } from './load.ts'
import { startFlags, startVariables } from '#tests/npm-start.ts'

export class Muster implements Target {
  readonly #child: ChildProcess
  readonly #folder: string
  readonly #postgres: number
  /** The list's. */
  readonly port: number
  readonly fleet: readonly Seeded[]

  private constructor(child: ChildProcess, folder: string, port: number, fleet: readonly Seeded[]) {
    this.#child = child
    this.#folder = folder
    this.#postgres = Number(readFileSync(join(folder, 'pg18', 'postmaster.pid'), 'utf8').split('\n')[0])
    this.port = port
    this.fleet = fleet
  }

  /** Starts it with so many servers online. */
  static async start(servers: number): Promise<Muster> {
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
    const child = spawn(process.execPath, [...startFlags(), resolve(import.meta.dirname, '../../backend/cli/muster.ts'), 'serve'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        ...startVariables(),
        NODE_ENV: 'development',
        DATA_DIR: folder,
        PORT: String(port),
        MASTERLIST_PORT: String(listPort),
        HOST: '127.0.0.1',
        RATE_LIMITS: 'off',
        ANNOUNCE_TTL_SECONDS: '3600',
        LOG_LEVEL: 'warn',
      },
    })
    try {
      await answering(listPort, child)
    } catch (error) {
      rmSync(folder, { recursive: true, force: true })
      throw error
    }
    const muster = new Muster(child, folder, listPort, fleet)
    pin(child.pid ?? 0, SERVER_CORE)
    // It may be another machine; here it is at least another core. Its later processes begin where it is.
    for (const pid of [muster.#postgres, ...childrenOf(muster.#postgres)]) pin(pid, GENERATOR_CORE)
    return muster
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

  async stop(): Promise<void> {
    const ended = new Promise((done) => {
      this.#child.once('exit', done)
    })
    this.#child.kill('SIGTERM')
    await ended
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

async function answering(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${port}/servers/info`).catch(() => undefined)
    if (answer?.ok === true) return
    await sleep(50)
  }
  throw new Error('The program ended before it listened.')
}
