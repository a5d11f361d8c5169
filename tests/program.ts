/** Runs the real program as a child process, as `npm start` does, on free ports and in its own folder. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { COMPILE_CACHE } from '#backend/cli/runtime-options.ts'

export const MUSTER = join(import.meta.dirname, '../backend/cli/muster.ts')
const START = join(import.meta.dirname, '../backend/cli/start.ts')

export interface Program {
  readonly child: ChildProcess
  readonly panelUrl: string
  readonly listUrl: string
  readonly folder: string
  /** All output, stdout and stderr. */
  output(): string
  /** Resolves with the exit code; null after a signal. */
  readonly ended: Promise<number | null>
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'muster-program-'))
}

/** @param from a data folder whose database does not run */
export function copyFolder(from: string): string {
  const folder = temporaryFolder()
  // Keeps the owners: the database belongs to its own user.
  execFileSync('cp', ['-a', `${from}/.`, folder])
  return folder
}

/** Below the ephemeral ports of every system (Linux: from 32768). Each worker of Vitest or Playwright has its own lane. */
const PORTS = { from: 20_000, each: 1000 }
const { VITEST_POOL_ID, TEST_PARALLEL_INDEX } = process.env
const lane = Number(VITEST_POOL_ID ?? TEST_PARALLEL_INDEX ?? 0)
let nextPort = Math.floor(Math.random() * PORTS.each)

/**
 * A free port outside the ephemeral range, which no outgoing connection can take before the program listens or between two runs.
 * Each test worker has its own lane.
 */
export async function freePort(): Promise<number> {
  nextPort += 1
  const port = PORTS.from + lane * PORTS.each + (nextPort % PORTS.each)
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

/** Starts the program without waiting for it. `nodeFlags` are for the script only. */
export async function startProgram(
  folder: string,
  variables: Readonly<Record<string, string>> = {},
  nodeFlags: readonly string[] = [],
  script: readonly string[] = [START],
): Promise<Program> {
  const [port, listPort] = [variables.PORT ?? String(await freePort()), variables.MASTERLIST_PORT ?? String(await freePort())]
  const child = spawn(process.execPath, [...nodeFlags, ...script], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      HOME: folder,
      RATE_LIMITS: 'off',
      ...variables,
      DATA_DIR: folder,
      PORT: port,
      MASTERLIST_PORT: listPort,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const channel of [child.stdout, child.stderr])
    channel.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code))
  })
  return { child, panelUrl: `http://127.0.0.1:${port}`, listUrl: `http://127.0.0.1:${listPort}`, folder, output: () => output, ended }
}

export interface CommandResult {
  readonly code: number | null
  /** All output, stdout and stderr. */
  readonly output: string
}

/** Runs a command of the command line to its end, with no other variables than these. */
export function runCommand(args: readonly string[], variables: Readonly<Record<string, string>>): Promise<CommandResult> {
  const child = spawn(process.execPath, [MUSTER, ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const channel of [child.stdout, child.stderr])
    channel.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, output }))
  })
}

/** Waits until the program is ready. Throws with its output if it exits instead. */
export async function untilReady(program: Program, withinMs = 90_000): Promise<Program> {
  const deadline = performance.now() + withinMs
  while (performance.now() < deadline) {
    if (program.child.exitCode !== null) throw new Error(`The program exited with ${program.child.exitCode}: ${program.output()}`)
    const response = await fetch(`${program.panelUrl}/readyz`).catch(() => undefined)
    if (response?.status === 200) return program
    await sleep(100)
  }
  throw new Error(`The program was not ready in time: ${program.output()}`)
}

/** The process ID in the folder's postmaster.pid; undefined if the file is missing or names this process. */
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

/** The arguments of a process. Linux only. */
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

/** Resident memory in megabytes; undefined if the process does not run. Linux only. */
export function residentMbOf(pid: number | undefined): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1000
  } catch {
    return undefined
  }
}

export async function until(condition: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('The condition was not met in time.')
    await sleep(25)
  }
}

/** Sends SIGKILL. Ignores a process that is already gone, because the children of Postgres exit with the postmaster. */
export function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Kills every process of the folder and removes it. */
export function discard(folder: string, ...programs: readonly Program[]): void {
  for (const pid of [...programs.map((program) => program.child.pid ?? 0), ...postgresPids(folder)].filter((id) => id > 0)) killHard(pid)
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}

/** The program of one folder over several runs, on the same ports. */
export interface RestartableProgram {
  readonly panelUrl: string
  readonly listUrl: string
  start(): Promise<void>
  /** Sends SIGKILL to the program and every process of its database at once. */
  killEverything(): Promise<void>
  /** Sends SIGTERM and returns the exit code; null if the program is not running. */
  stop(): Promise<number | null>
  /** All output of the current or the last run. */
  output(): string
}

export async function programIn(folder: string, more: Readonly<Record<string, string>> = {}): Promise<RestartableProgram> {
  const variables = { PORT: String(await freePort()), MASTERLIST_PORT: String(await freePort()), LOG_LEVEL: 'info', ...more }
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
