/** Runs jobs in a child process, so that a job that hangs, crashes or exhausts memory affects nothing else here. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import pLimit, { type LimitFunction } from 'p-limit'
import type { JobReply } from './serve-jobs.ts'

interface Options {
  /** The module that the process runs. It calls `serveJobs`. */
  readonly path: string
  readonly timeoutMs: number
  /** Megabytes of JavaScript objects. */
  readonly maxHeap: number
  /** How many jobs the process has at once, 1 if omitted. It runs them in turn, and a crash fails them all. */
  readonly concurrency?: number
  /** Ends a process that has had no job for so long. */
  readonly idleTimeoutMs?: number
}

export type WorkerFailure = 'closed' | 'too-slow' | 'crashed' | 'job-failed'

export class WorkerError extends Error {
  override readonly name = 'WorkerError'
  readonly failure: WorkerFailure

  /** @param cause what a job threw. */
  constructor(failure: WorkerFailure, cause?: string) {
    super(`worker process: ${failure}`, { cause })
    this.failure = failure
  }
}

const IDLE_TIMEOUT_MS = 20_000

/**
 * By default one job at a time: a crash affects only that job, memory use doesn't add up, and one core stays free for the list. A reply with
 * `needsRestart` restarts the process, because it does not release the memory of that job.
 */
export class WorkerProcess<Job extends object, Reply extends object> {
  readonly #options: Options
  readonly #turns: LimitFunction
  #child: ChildProcess | undefined
  #idleTimer: NodeJS.Timeout | undefined
  #isClosed = false
  #lastId = 0

  constructor(options: Options) {
    this.#options = options
    this.#turns = pLimit(options.concurrency ?? 1)
  }

  /** Throws a WorkerError. Callers limit how many jobs wait. */
  async run(job: Job): Promise<Reply> {
    return await this.#turns(() => this.#runNow(job))
  }

  close(): void {
    this.#isClosed = true
    void this.#stop(this.#child)
  }

  async #runNow(job: Job): Promise<Reply> {
    if (this.#isClosed) throw new WorkerError('closed')
    clearTimeout(this.#idleTimer)
    const child = (this.#child ??= this.#fork())
    try {
      const reply = await this.#exchange(child, job)
      if ('needsRestart' in reply && reply.needsRestart === true) await this.#stop(child)
      return reply
    } catch (error) {
      if (!(error instanceof WorkerError && error.failure === 'job-failed')) await this.#stop(child)
      throw this.#isClosed ? new WorkerError('closed') : error
    } finally {
      clearTimeout(this.#idleTimer)
      this.#idleTimer = setTimeout(() => void this.#stop(this.#child), this.#options.idleTimeoutMs ?? IDLE_TIMEOUT_MS).unref()
    }
  }

  async #exchange(child: ChildProcess, job: Job): Promise<Reply> {
    const id = (this.#lastId += 1)
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    const crash = () => reject(new WorkerError('crashed'))
    const receive = (message: JobReply<Reply>) => {
      if (message.id !== id) return
      if ('failure' in message) reject(new WorkerError('job-failed', message.failure))
      else resolve(message.reply)
    }
    const timer = setTimeout(() => reject(new WorkerError('too-slow')), this.#options.timeoutMs)
    child.on('message', receive).once('exit', crash).once('error', crash)
    child.send({ id, job }, (error) => {
      if (error !== null) crash()
    })
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      child.off('message', receive).off('exit', crash).off('error', crash)
    }
  }

  #fork(): ChildProcess {
    const child = fork(this.#options.path, {
      // No secrets, few memory pools, and freed memory is returned to the system: see decision 0013.
      env: { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '1048576', UV_THREADPOOL_SIZE: '2' },
      execArgv: [`--max-old-space-size=${this.#options.maxHeap}`, '--max-semi-space-size=2'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    })
    // Between jobs, a process that ends is replaced with the next job.
    const forget = () => this.#forget(child)
    child.on('exit', forget).on('error', forget)
    // Each job at once adds a listener.
    child.setMaxListeners(0)
    child.unref()
    child.channel?.unref()
    return child
  }

  #forget(child: ChildProcess): void {
    if (this.#child === child) this.#child = undefined
  }

  /** Waits for its exit: two processes would use twice the memory. */
  async #stop(child: ChildProcess | undefined): Promise<void> {
    clearTimeout(this.#idleTimer)
    if (child === undefined) return
    this.#forget(child)
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
}
