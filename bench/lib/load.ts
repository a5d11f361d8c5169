/** Orders load from the generator's process and says what it cost the server. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { cpuOf, pin } from './cpu.ts'
import type { Order, Yield } from './generator.ts'

const GENERATOR_CORE = 1

export interface Cost extends Yield {
  readonly perSecond: number
  /** Microseconds of the server process's CPU for one request. */
  readonly cpuMicroseconds: number
  /** Share of a core that the generator used: near 100 it, not the server, was the limit. */
  readonly generatorPercent: number
}

export class Load {
  readonly #child: ChildProcess

  constructor() {
    this.#child = fork(join(import.meta.dirname, 'generator.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    pin(this.#child.pid ?? 0, GENERATOR_CORE)
  }

  /** Drives the server with this process id. */
  async run(serverPid: number, order: Order): Promise<Cost> {
    const before = cpuOf(serverPid)
    const generatorBefore = cpuOf(this.#child.pid ?? 0)
    this.#child.send(order)
    const [result] = (await once(this.#child, 'message')) as [Yield | { error: string }]
    if ('error' in result) throw new Error(result.error)
    const cpu = cpuOf(serverPid) - before
    const generator = cpuOf(this.#child.pid ?? 0) - generatorBefore
    return {
      ...result,
      perSecond: (result.requests / result.milliseconds) * 1000,
      cpuMicroseconds: cpu / 1000 / result.requests,
      generatorPercent: (generator / 1e6 / result.milliseconds) * 100,
    }
  }

  stop(): void {
    this.#child.kill()
  }
}
