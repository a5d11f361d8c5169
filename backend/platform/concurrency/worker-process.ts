/** Runs jobs one by one in a child process, so that a job that hangs, crashes or exhausts memory affects nothing else. */
import { type ChildProcess, fork } from 'node:child_process'
import type { Clock } from '#backend/platform/clock.ts'
import { FairQueue } from './fair-queue.ts'

interface Options {
  /** The module that the process runs. */
  readonly path: string
  readonly maxQueued: number
  readonly timeoutMs: number
  /** Megabytes of JavaScript objects. */
  readonly maxHeap: number
}

export type WorkerFailure = 'full' | 'closed' | 'aborted' | 'too-slow' | 'crashed'

export class WorkerError extends Error {
  override readonly name = 'WorkerError'
  readonly failure: WorkerFailure
  /** When a full queue may have space again. */
  readonly retryAfterSeconds: number

  constructor(failure: WorkerFailure, retryAfterSeconds = 5) {
    super(`worker process: ${failure}`)
    this.failure = failure
    this.retryAfterSeconds = retryAfterSeconds
  }
}

interface QueuedJob<Job, Reply> {
  readonly job: Job
  readonly key: string
  resolve(reply: Reply): void
  reject(error: Error): void
}

const INITIAL_AVERAGE_MS = 150
/** The weight of the latest job in the moving average. */
const LATEST_WEIGHT = 0.2
const IDLE_TIMEOUT_MS = 20_000

/**
 * One job at a time: a crash affects only that job, memory use doesn't add up, and one core stays free for the list. A reply with
 * `needsRestart` restarts the process, because it does not release the memory of that job.
 */
export class WorkerProcess<Job extends object, Reply extends object> {
  readonly #options: Options
  readonly #clock: Pick<Clock, 'uptime'>
  readonly #queue = new FairQueue<QueuedJob<Job, Reply>>()
  #child: ChildProcess | undefined
  /** Killed but still running. The next child waits for its exit, because two would use twice the memory. */
  #exiting: ChildProcess | undefined
  #current: QueuedJob<Job, Reply> | undefined
  #startedAt = 0
  #averageMs = INITIAL_AVERAGE_MS
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(clock: Pick<Clock, 'uptime'>, options: Options) {
    this.#clock = clock
    this.#options = options
  }

  /** Throws a WorkerError. The queue is fair between keys. @param signal removes a job that has not started. */
  run(job: Job, key: string, signal?: AbortSignal): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(new WorkerError('aborted'))
      if (this.#isClosed) return reject(new WorkerError('closed'))
      if (this.#queue.size >= this.#options.maxQueued) {
        const seconds = Math.min(60, Math.max(2, Math.ceil((this.#queue.size * this.#averageMs) / 1000)))
        return reject(new WorkerError('full', seconds))
      }
      const queued = { job, key, resolve, reject }
      signal?.addEventListener('abort', () => this.#queue.remove(key, queued) && reject(new WorkerError('aborted')), { once: true })
      this.#queue.add(key, queued)
      return this.#startNext()
    })
  }

  close(): void {
    this.#isClosed = true
    const current = this.#current
    this.#current = undefined
    for (let queued = current ?? this.#queue.next(); queued !== undefined; queued = this.#queue.next())
      queued.reject(new WorkerError('closed'))
    this.#stopChild()
  }

  #startNext(): void {
    if (this.#current !== undefined || this.#exiting !== undefined) return
    clearTimeout(this.#timer)
    this.#current = this.#queue.next()
    this.#startedAt = this.#clock.uptime()
    if (this.#current === undefined) {
      this.#timer = setTimeout(() => this.#stopChild(), IDLE_TIMEOUT_MS).unref()
      return
    }
    const child = (this.#child ??= this.#forkChild())
    this.#timer = setTimeout(() => this.#fail(child, 'too-slow'), this.#options.timeoutMs)
    child.send(this.#current.job, (error) => {
      if (error !== null) this.#fail(child, 'crashed')
    })
  }

  #forkChild(): ChildProcess {
    const child = fork(this.#options.path, {
      // No secrets, few memory pools, and freed memory is returned to the system: see decision 0013.
      env: { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '1048576', UV_THREADPOOL_SIZE: '2' },
      execArgv: [`--max-old-space-size=${this.#options.maxHeap}`, '--max-semi-space-size=2'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    })
    child.on('message', (reply: Reply) => {
      if (child === this.#child) this.#complete(reply)
    })
    child.on('exit', () => {
      this.#fail(child, 'crashed')
      if (child !== this.#exiting) return
      this.#exiting = undefined
      this.#startNext()
    })
    child.on('error', () => this.#fail(child, 'crashed'))
    child.unref()
    child.channel?.unref()
    return child
  }

  #complete(reply: Reply): void {
    const current = this.#takeCurrent()
    if ('needsRestart' in reply && reply.needsRestart === true) this.#stopChild()
    current?.resolve(reply)
    this.#startNext()
  }

  #fail(child: ChildProcess, failure: 'too-slow' | 'crashed'): void {
    if (child !== this.#child) return
    const current = this.#takeCurrent()
    this.#stopChild()
    current?.reject(new WorkerError(failure))
    this.#startNext()
  }

  /** Ends the current job and charges its time to its key. */
  #takeCurrent(): QueuedJob<Job, Reply> | undefined {
    const current = this.#current
    this.#current = undefined
    if (current === undefined) return undefined
    const elapsedMs = this.#clock.uptime() - this.#startedAt
    this.#queue.charge(current.key, elapsedMs)
    this.#averageMs += (elapsedMs - this.#averageMs) * LATEST_WEIGHT
    return current
  }

  #stopChild(): void {
    clearTimeout(this.#timer)
    const child = this.#child
    this.#child = undefined
    // A process that never started or has already ended emits no `exit` event.
    if (child?.kill('SIGKILL') === true && child.exitCode === null && child.signalCode === null) this.#exiting = child
  }
}
