/** The real program as a process of its own, with all that can be done to it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const PROGRAM = resolve(import.meta.dirname, '..', '..', 'backend', 'cli', 'muster.ts')
const START_WITHIN_MS = 30_000

export interface Program {
  readonly panelUrl: string
  readonly listUrl: string
  start(): Promise<void>
  /** Ends the program and every process of its database with SIGKILL, all at the same moment. */
  killEverything(): Promise<void>
  /** Ends the program as a supervisor does. Answers the exit code. */
  stop(): Promise<number | null>
}

export async function programIn(folder: string, variables: Readonly<Record<string, string>> = {}): Promise<Program> {
  const [port, listPort] = [await freePort(), await freePort()]
  const listUrl = `http://127.0.0.1:${listPort}`
  let child: ChildProcess | undefined
  let said = ''
  return {
    panelUrl: `http://127.0.0.1:${port}`,
    listUrl,
    async start() {
      said = ''
      child = spawn(process.execPath, [PROGRAM, 'serve'], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...process.env, NODE_ENV: 'development', DATA_DIR: folder, PORT: String(port), MASTERLIST_PORT: String(listPort), HOST: '127.0.0.1', RATE_LIMITS: 'off',
          COOKIE_SECRET: 'a secret of the tests that is long enough', LOG_LEVEL: 'error', ...variables,
        },
      })
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => { said += chunk.toString() })
      const end = performance.now() + START_WITHIN_MS
      while (child.exitCode === null && performance.now() < end) {
        if ((await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok === true) return
        await sleep(20)
      }
      throw new Error(`The program did not start. It said:\n${said}`)
    },
    async killEverything() {
      const postmaster = Number(readFileSync(join(folder, 'pg18', 'postmaster.pid'), 'utf8').split('\n')[0])
      const gone = child === undefined ? undefined : new Promise((done) => child?.once('exit', done))
      for (const pid of [child?.pid ?? 0, postmaster, ...childrenOf(postmaster)]) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // It ended between the look and the kill.
        }
      }
      await gone
    },
    async stop() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return null
      const gone = new Promise<number | null>((done) => child?.once('exit', done))
      child.kill('SIGTERM')
      return gone
    },
  }
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter((text) => text !== '').map(Number)
}

function freePort(): Promise<number> {
  return new Promise((answer) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => answer(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
