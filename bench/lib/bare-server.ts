/** The yardstick in a process of its own. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Filler, Served } from './bare.ts'
import { SERVER_CORE, cpuOf, memoryOf, pin } from './cpu.ts'
import type { Target } from './load.ts'
import type { Answer } from './read.ts'
import { ENVIRONMENT, NODE_FLAGS } from '#backend/cli/runtime-options.ts'

/** Node writes these itself. */
const OWN = new Set(['connection', 'date', 'keep-alive'])

export class Bare implements Target {
  readonly #child: ChildProcess
  readonly port: number

  private constructor(child: ChildProcess, port: number) {
    this.#child = child
    this.port = port
  }

  /** Starts one that knows these credentials. @param flags of node, beside those of `npm start`. */
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

  /** From now on every GET is answered with the same body and the same head lines. @param file where its body lies. */
  async serve({ headers }: Pick<Answer, 'headers'>, file: string): Promise<void> {
    const head = Object.entries(headers).flatMap(([name, value]) => (OWN.has(name) ? [] : [name, String(value)]))
    const served: Served = { file, head, etag: headers.etag ?? '' }
    this.#child.send(served)
    await once(this.#child, 'message')
  }

  /** From now on each event of its streams, of which there are four a second, says this beside what is POSTed to `/tell`. */
  fill(filler: string): void {
    this.#child.send({ filler } satisfies Filler)
  }

  /** Has it sweep up; it must have been started with what `sweep.ts` needs. */
  sweep(): void {
    this.#child.kill('SIGUSR2')
  }

  memory(): { rss: number; pss: number } {
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
