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
import { type Seeded, seedFleet } from './fleet.ts'

export interface Muster {
  readonly pid: number
  readonly postgresPid: number
  readonly listPort: number
  readonly fleet: readonly Seeded[]
  stop(): Promise<void>
}

/** Starts it with so many servers online. */
export async function startMuster(servers: number): Promise<Muster> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'))
  const log = createLog('warn')
  const database = await openDatabase({ DATA_DIR: folder }, log)
  await migrateToLatest(database.db)
  const fleet = await seedFleet(database.db, servers)
  await database.close()
  const [port, listPort] = [await freePort(), await freePort()]
  const child = spawn(process.execPath, ['--max-semi-space-size=4', resolve(import.meta.dirname, '../../backend/cli/muster.ts'), 'serve'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
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
  await answering(listPort, child)
  return {
    pid: child.pid ?? 0,
    postgresPid: Number(readFileSync(join(folder, 'pg18', 'postmaster.pid'), 'utf8').split('\n')[0]),
    listPort,
    fleet,
    async stop() {
      child.kill('SIGTERM')
      await new Promise((done) => {
        child.once('exit', done)
      })
      rmSync(folder, { recursive: true, force: true })
    },
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
