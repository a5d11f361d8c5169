/** A process of the bench's own on the load's core, which answers each message with one. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { GENERATOR_CORE, cpuOf, pin } from './cpu.ts'

export class Helper<Asked extends object, Answered> {
  readonly #child: ChildProcess
  #before: Promise<unknown> = Promise.resolve()

  /** @param file beside this one. */
  constructor(file: string, ...flags: readonly string[]) {
    this.#child = fork(join(import.meta.dirname, file), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [...flags] })
    pin(this.#child.pid ?? 0, GENERATOR_CORE)
  }

  /** Nanoseconds until now. */
  cpu(): number {
    return cpuOf(this.#child.pid ?? 0)
  }

  /** One after the other: an answer does not say to what it is one. Throws what went wrong there, and where the process is gone. */
  ask(asked: Asked): Promise<Answered> {
    const answer = this.#before.then(() => this.#exchange(asked))
    this.#before = answer.catch(() => undefined)
    return answer
  }

  stop(): void {
    this.#child.kill()
  }

  async #exchange(asked: Asked): Promise<Answered> {
    const over = new AbortController()
    const { signal } = over
    try {
      this.#child.send(asked)
      const gone = once(this.#child, 'exit', { signal }).then(() => [{ error: 'A process of the bench ended.' }])
      gone.catch(() => undefined)
      const [result] = (await Promise.race([once(this.#child, 'message', { signal }), gone])) as [Answered | { error: string }]
      if (typeof result === 'object' && result !== null && 'error' in result) throw new Error(result.error)
      return result as Answered
    } finally {
      over.abort()
    }
  }
}
