/** A child process on the load generator's core that replies once to each message: its parent's side and its own. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { GENERATOR_CORE, cpuOf, pin } from './cpu.ts'

export class WorkerProcess<Message extends object, Result> {
  readonly #child: ChildProcess
  #previous: Promise<unknown> = Promise.resolve()

  /** @param file in this folder */
  constructor(file: string, ...flags: readonly string[]) {
    this.#child = fork(join(import.meta.dirname, file), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [...flags] })
    pin(this.#child.pid ?? 0, GENERATOR_CORE)
  }

  /** Nanoseconds of CPU so far. */
  cpu(): number {
    return cpuOf(this.#child.pid ?? 0)
  }

  /** Sends one message at a time, since replies carry no ID. Throws on an error in the process and if it exits. */
  request(message: Message): Promise<Result> {
    const response = this.#previous.then(() => this.#exchange(message))
    this.#previous = response.catch(() => undefined)
    return response
  }

  stop(): void {
    this.#child.kill()
  }

  async #exchange(message: Message): Promise<Result> {
    const done = new AbortController()
    const { signal } = done
    try {
      this.#child.send(message)
      const exited = once(this.#child, 'exit', { signal }).then(() => [{ error: 'A process of the benchmark exited.' }])
      exited.catch(() => undefined)
      const [result] = (await Promise.race([once(this.#child, 'message', { signal }), exited])) as [Result | { error: string }]
      if (typeof result === 'object' && result !== null && 'error' in result) throw new Error(result.error)
      return result as Result
    } finally {
      done.abort()
    }
  }
}

/** Replies to each message with its result or error, and exits when the parent disconnects. */
export function answerMessages<Message, Result>(answer: (message: Message) => Result | Promise<Result>): void {
  process.on('disconnect', () => process.exit())
  process.on('message', (message: Message) => {
    void (async () => answer(message))().then(
      (result) => process.send?.(result),
      (error: unknown) => process.send?.({ error: String(error) }),
    )
  })
}
