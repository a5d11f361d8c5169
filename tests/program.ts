/** The real program as a child process, as `npm start` runs it, on free ports and a folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export const MUSTER = join(import.meta.dirname, '../backend/cli/muster.ts')
const START = join(import.meta.dirname, '../backend/cli/start.ts')

export interface Program {
  readonly child: ChildProcess
  readonly panelUrl: string
  readonly listUrl: string
  readonly folder: string
  /** All that it said, on both channels. */
  output(): string
  /** Resolves with the exit code when it has ended; null where a signal ended it. */
  readonly ended: Promise<number | null>
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'muster-program-'))
}

/** Every system hands out ports for outgoing connections and for listeners on port 0 from above these (Linux from 32768). */
const PORTS = { from: 20_000, each: 3000, workers: 4 }
const worker = Number(process.env.VITEST_POOL_ID ?? process.env.TEST_PARALLEL_INDEX ?? 0) % PORTS.workers
let asked = Math.floor(Math.random() * PORTS.each)

/**
 * A free port that nobody takes before the program listens on it, or between two of its lives: a port of the system's own choosing
 * can meanwhile become the local end of any outgoing connection. Each worker of the tests has a range of its own, and no port twice.
 */
export async function freePort(): Promise<number> {
  asked += 1
  const port = PORTS.from + worker * PORTS.each + (asked % PORTS.each)
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch {
    return await freePort()
  }
  server.close()
  await once(server, 'close')
  return port
}

/** Starts the program without waiting for it. `nodeFlags` are for the start script only. */
export async function startProgram(
  folder: string,
  variables: Readonly<Record<string, string>> = {},
  nodeFlags: readonly string[] = [],
): Promise<Program> {
  const [port, listPort] = [variables.PORT ?? String(await freePort()), variables.MASTERLIST_PORT ?? String(await freePort())]
  const child = spawn(process.execPath, [...nodeFlags, START], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      RATE_LIMITS: 'off',
      ...variables,
      DATA_DIR: folder,
      PORT: port,
      MASTERLIST_PORT: listPort,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const channel of [child.stdout, child.stderr])
    channel.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code))
  })
  return { child, panelUrl: `http://127.0.0.1:${port}`, listUrl: `http://127.0.0.1:${listPort}`, folder, output: () => said, ended }
}

/** Waits until the program takes calls. Throws with its own words where it ended instead. */
export async function untilReady(program: Program, withinMs = 30_000): Promise<Program> {
  const deadline = performance.now() + withinMs
  while (performance.now() < deadline) {
    if (program.child.exitCode !== null) throw new Error(`The program ended with ${program.child.exitCode}: ${program.output()}`)
    const answer = await fetch(`${program.panelUrl}/readyz`).catch(() => undefined)
    if (answer?.status === 200) return program
    await sleep(30)
  }
  throw new Error(`The program was not ready in time: ${program.output()}`)
}

/** The process id of the folder's postmaster, as its own file says; undefined where none is named, or this process, which starts it anew. */
export function postmasterPid(folder: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(folder, 'pg18', 'postmaster.pid'), 'utf8').split('\n', 1)[0])
    return pid === process.pid ? undefined : pid
  } catch {
    return undefined
  }
}

/** Every process of the folder's Postgres, the postmaster first. Linux only. */
export function postgresPids(folder: string): number[] {
  const postmaster = postmasterPid(folder)
  if (postmaster === undefined) return []
  return [postmaster, ...childrenOf(postmaster)]
}

/** Linux only. */
export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent)
}

/** The words a process was started with. Linux only. */
export function commandLineOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return undefined
  }
}

export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

export async function until(holds: () => boolean | Promise<boolean>, withinMs = 15_000): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('It did not become so in time.')
    await sleep(25)
  }
}

/** Ends a process with SIGKILL. Those of Postgres end by themselves when the first of them is gone: who is not there any more is as dead as he should be. */
export function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Ends whatever still runs in the folder and removes it. */
export function discard(folder: string, ...programs: readonly Program[]): void {
  for (const pid of [...programs.map((program) => program.child.pid ?? 0), ...postgresPids(folder)].filter((id) => id > 0)) killHard(pid)
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}

/** One folder's program over several lives, on the same ports. */
export interface RestartableProgram {
  readonly panelUrl: string
  readonly listUrl: string
  start(): Promise<void>
  /** Ends the program and every process of its database with SIGKILL, all at the same moment. */
  killEverything(): Promise<void>
  /** Ends the program as a supervisor does. Answers the exit code; null where it does not run. */
  stop(): Promise<number | null>
  /** All that it said in this life, or the last one. */
  output(): string
}

export async function programIn(folder: string): Promise<RestartableProgram> {
  const variables = { PORT: String(await freePort()), MASTERLIST_PORT: String(await freePort()), LOG_LEVEL: 'info' }
  let program: Program | undefined
  return {
    panelUrl: `http://127.0.0.1:${variables.PORT}`,
    listUrl: `http://127.0.0.1:${variables.MASTERLIST_PORT}`,
    async start() {
      program = await untilReady(await startProgram(folder, variables))
    },
    async killEverything() {
      for (const pid of [program?.child.pid ?? 0, ...postgresPids(folder)].filter((id) => id > 0)) killHard(pid)
      await program?.ended
    },
    async stop() {
      if (program === undefined || program.child.exitCode !== null || program.child.signalCode !== null) return null
      program.child.kill('SIGTERM')
      return program.ended
    },
    output: () => program?.output() ?? '',
  }
}
