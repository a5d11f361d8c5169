/** A child process on the load generator's core that replies once to each message: its parent's side and its own. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { GENERATOR_CORE, cpuOf, pin } from './cpu.ts'

interface Options {
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export class WorkerProcess<Message extends object, Result extends object> {
  readonly child: ChildProcess

  /** @param file in this folder */
  constructor(file: string, { flags = [], env = {} }: Options = {}) {
    this.child = fork(join(import.meta.dirname, file), { execArgv: [...flags], env: { ...process.env, ...env } })
    pin(this.child.pid, GENERATOR_CORE)
    // `once` rejects on an error.
    this.child.on('error', () => undefined)
    this.child.on('exit', () => this.child.emit('error', new Error('A process of the benchmark exited.')))
  }

  /** Nanoseconds of CPU so far. */
  cpu(): number {
    return cpuOf(this.child.pid)
  }

  /** Sends a message after the reply to the one before. Throws on an error in the process and if it exits. */
  async request(message: Message): Promise<Result> {
    this.child.send(message)
    const [reply] = (await once(this.child, 'message')) as [Result | { readonly error: string }]
    if ('error' in reply) throw new Error(String(reply.error))
    return reply
  }

  stop(): void {
    this.child.kill()
  }
}

/** Replies to each message with its result or error, and exits when the parent disconnects. */
export function answerMessages<Message>(answer: (message: Message) => Promise<object>): void {
  process.on('disconnect', () => process.exit())
  process.on('message', (message: Message) => {
    void answer(message).then(
      (result) => process.send?.(result),
      (error: unknown) => process.send?.({ error: String(error) }),
    )
  })
}
