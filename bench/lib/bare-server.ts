/** Starts and controls the bare node:http server that results are compared with. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Served } from './bare.ts'
import { SERVER_CORE, cpuOf, memoryOf, pin } from './cpu.ts'
import type { LoadTarget } from './load.ts'
import type { RawResponse } from './read.ts'
import { ENVIRONMENT, NODE_FLAGS } from '#backend/cli/runtime-options.ts'

/** Node sets these headers itself. */
const NODE_HEADERS = new Set(['connection', 'date', 'keep-alive'])

export class Bare implements LoadTarget {
  readonly #child: ChildProcess
  readonly port: number

  private constructor(child: ChildProcess, port: number) {
    this.#child = child
    this.port = port
  }

  /** @param flags Node flags in addition to those of `npm start` */
  static async start(credentials: readonly string[], flags: readonly string[] = []): Promise<Bare> {
    const child = fork(join(import.meta.dirname, 'bare.ts'), {
      execArgv: [...NODE_FLAGS, ...flags],
      env: { ...process.env, ...ENVIRONMENT },
    })
    child.send({ credentials })
    const [port] = (await once(child, 'message')) as [number]
    pin(child.pid ?? 0, SERVER_CORE)
    return new Bare(child, port)
  }

  /** Makes every GET return this body and these headers. @param file contains the body @param rebuilds builds the list again for each GET */
  async serve({ headers }: Pick<RawResponse, 'headers'>, file: string, rebuilds = false): Promise<void> {
    const head = Object.entries(headers).flatMap(([name, value]) => (NODE_HEADERS.has(name) ? [] : [name, String(value)]))
    const served: Served = { file, head, etag: headers.etag ?? '', rebuilds }
    this.#child.send(served)
    await once(this.#child, 'message')
  }

  /** Needs `GC_ON_SIGNAL` among the flags. */
  forceGc(): void {
    this.#child.kill('SIGUSR2')
  }

  /** Resident kilobytes. */
  memory(): number {
    return memoryOf(this.#child.pid ?? 0)
  }

  cpu(): number {
    return cpuOf(this.#child.pid ?? 0)
  }

  databaseCpu(): number {
    return 0
  }

  stop(): void {
    this.#child.kill()
  }
}
