/** Decodes images in a child process, so that an image that hangs, crashes or exhausts memory affects nothing else. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { Clock } from '#backend/platform/clock.ts'
import type { Log } from '#backend/platform/log.ts'
import { invalid, invalidInput, unavailable } from '#backend/platform/errors.ts'
import type { Message } from '#backend/platform/messages/message.ts'
import type { ImageType, Size } from './image-header.ts'
import { FairQueue } from '#backend/platform/concurrency/fair-queue.ts'

export interface DecodeJob extends Size {
  /** Contains the uploaded image as `in`; receives the resized one as `out`. */
  readonly folder: string
  readonly maxPixels: number
}

export type DecodeReply = ({ readonly type: ImageType } | { readonly rejection: Message; readonly cause?: string }) & {
  /** The child does not release the memory of a large image, so it is restarted. */
  readonly needsRestart: boolean
}

interface QueuedJob {
  readonly job: DecodeJob
  readonly userId: string
  resolve(type: ImageType): void
  reject(error: Error): void
}

/** The largest legitimate image takes about two seconds on one slow core. */
const DECODE_TIMEOUT_MS = 10_000
/** For all users together; each can upload eight at once. */
const MAX_QUEUED = 100
const INITIAL_AVERAGE_MS = 150
/** The weight of the latest image in the moving average. */
const LATEST_WEIGHT = 0.2
const IDLE_TIMEOUT_MS = 20_000

/** Decodes one image at a time: a crash affects only that image, memory use doesn't add up, and one core stays free for the list. */
export class ImageDecoder {
  readonly #log: Log
  readonly #clock: Clock
  readonly #queue = new FairQueue<QueuedJob>()
  #child: ChildProcess | undefined
  /** Killed but still running. The next child waits for its exit, because two would use twice the memory. */
  #exiting: ChildProcess | undefined
  #current: QueuedJob | undefined
  #startedAt = 0
  #averageMs = INITIAL_AVERAGE_MS
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(log: Log, clock: Clock) {
    this.#log = log
    this.#clock = clock
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /**
   * Decodes the folder's `in` to `out` and returns its type. The queue is fair between users. Throws `invalid` for a rejected image and after
   * `signal` aborts, and `unavailable` if the queue is full.
   */
  decode(job: DecodeJob, { userId, signal }: { readonly userId: string; readonly signal: AbortSignal }): Promise<ImageType> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(invalid('UPLOAD_INTERRUPTED'))
      if (this.#isClosed || this.#queue.size >= MAX_QUEUED) {
        const seconds = Math.min(60, Math.max(2, Math.ceil((this.#queue.size * this.#averageMs) / 1000)))
        return reject(unavailable('TOO_MANY_IMAGES_WAITING', seconds))
      }
      const queued = { job, userId, resolve, reject }
      signal.addEventListener('abort', () => this.#queue.remove(userId, queued) && reject(invalid('UPLOAD_INTERRUPTED')), { once: true })
      this.#queue.add(userId, queued)
      return this.#startNext()
    })
  }

  close(): void {
    this.#isClosed = true
    const current = this.#current
    this.#current = undefined
    for (let queued = current ?? this.#queue.next(); queued !== undefined; queued = this.#queue.next())
      queued.reject(unavailable('RESTARTING', 5))
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
    this.#timer = setTimeout(() => this.#fail(child, 'IMAGE_TOO_SLOW'), DECODE_TIMEOUT_MS)
    child.send(this.#current.job, (error) => {
      if (error !== null) this.#fail(child, 'IMAGE_UNREADABLE')
    })
  }

  #forkChild(): ChildProcess {
    const child = fork(join(import.meta.dirname, 'decode.worker.ts'), {
      // No secrets, few memory pools, and freed memory is returned to the system: see decision 0013.
      env: { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '1048576', UV_THREADPOOL_SIZE: '2' },
      execArgv: ['--max-old-space-size=64', '--max-semi-space-size=2'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    })
    child.on('message', (reply: DecodeReply) => {
      if (child === this.#child) this.#complete(reply)
    })
    child.on('exit', () => {
      this.#fail(child, 'IMAGE_UNREADABLE')
      if (child !== this.#exiting) return
      this.#exiting = undefined
      this.#startNext()
    })
    child.on('error', () => this.#fail(child, 'IMAGE_UNREADABLE'))
    child.unref()
    child.channel?.unref()
    return child
  }

  #complete(reply: DecodeReply): void {
    const current = this.#takeCurrent()
    if (reply.needsRestart) this.#stopChild()
    if ('type' in reply) current?.resolve(reply.type)
    else {
      if (reply.cause !== undefined) this.#log.debug({ cause: reply.cause }, 'image could not be decoded')
      current?.reject(invalidInput([reply.rejection]))
    }
    this.#startNext()
  }

  #fail(child: ChildProcess, code: 'IMAGE_TOO_SLOW' | 'IMAGE_UNREADABLE'): void {
    if (child !== this.#child) return
    const current = this.#takeCurrent()
    this.#stopChild()
    if (current !== undefined) this.#log.info({ code }, 'image decoder stopped because of an image')
    current?.reject(invalid(code))
    this.#startNext()
  }

  /** Ends the current job and charges its time to the user. */
  #takeCurrent(): QueuedJob | undefined {
    const current = this.#current
    this.#current = undefined
    if (current === undefined) return undefined
    const elapsedMs = this.#clock.uptime() - this.#startedAt
    this.#queue.charge(current.userId, elapsedMs)
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
