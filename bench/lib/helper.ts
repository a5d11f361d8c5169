/** A process of the bench's own on the load's core, which answers one message at a time. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { GENERATOR_CORE, cpuOf, pin } from './cpu.ts'

export class Helper<Asked extends object, Answered> {
  readonly #child: ChildProcess

  /** @param file beside this one. */
  constructor(file: string, ...flags: readonly string[]) {
    this.#child = fork(join(import.meta.dirname, file), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [...flags] })
    pin(this.#child.pid ?? 0, GENERATOR_CORE)
  }

  /** Nanoseconds until now. */
  cpu(): number {
    return cpuOf(this.#child.pid ?? 0)
  }

  /** Throws what went wrong there. */
  async ask(asked: Asked): Promise<Answered> {
    this.#child.send(asked)
    const [result] = (await once(this.#child, 'message')) as [Answered | { error: string }]
    if (typeof result === 'object' && result !== null && 'error' in result) throw new Error(result.error)
    return result as Answered
  }

  stop(): void {
    this.#child.kill()
  }
}
