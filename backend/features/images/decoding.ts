/** Decodes pictures in a separate process, so that one that hangs, crashes or runs out of memory takes nothing else along. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { Clock } from '#backend/platform/clock.ts'
import type { Log } from '#backend/platform/log.ts'
import { invalid, unavailable } from '#backend/platform/errors.ts'
import type { ImageType, Size } from './picture.ts'
import { FairQueue } from '#backend/platform/concurrency/fair-queue.ts'

export interface DecodeJob extends Size {
  /** Holds the picture as `in`; gets the new one as `out`. */
  readonly folder: string
  readonly mostPixels: number
}

export type DecodeReply = ({ readonly type: ImageType } | { readonly refusal: string; readonly cause?: string }) & {
  /** The process keeps much memory until it ends. */
  readonly isSpent: boolean
}

interface Waiting {
  readonly job: DecodeJob
  readonly userId: string
  resolve(type: ImageType): void
  reject(error: Error): void
}

/** The largest honest picture takes about two seconds on one slow core. */
const WITHIN_MS = 10_000
/** Of all people together, who can each upload eight at once. */
const MAX_WAITING = 100
const USUAL_MS = 150
/** The weight of the latest picture in the moving average. */
const LATEST_SHARE = 0.2
const IDLE_MS = 20_000

const TOO_LONG = 'This picture takes too long to read. Save it anew, or make it smaller.'
const NOBODY_WAITS = 'The upload broke off. Send it again.'
const UNREADABLE = 'This picture could not be read. Save it anew as a PNG or JPEG, then upload it again.'

/** One picture at a time: so a crash is that picture's, two large ones never add up, and one core stays free for the list. */
export class Decoding {
  readonly #log: Log
  readonly #clock: Clock
  readonly #queue = new FairQueue<Waiting>()
  #child: ChildProcess | undefined
  /** Killed, but not ended yet: two processes at once would hold twice the memory. */
  #ending: ChildProcess | undefined
  #current: Waiting | undefined
  #since = 0
  #averageMs = USUAL_MS
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
   * Decodes `in` of the folder to `out`, and returns its type. Users take turns. Throws `invalid` for a picture that is refused and after
   * `gone` aborts, which says that nobody waits any more, and `unavailable` where too many wait.
   */
  decode(job: DecodeJob, { userId, gone }: { readonly userId: string; readonly gone: AbortSignal }): Promise<ImageType> {
    return new Promise((resolve, reject) => {
      if (gone.aborted) return reject(invalid(NOBODY_WAITS))
      if (this.#isClosed || this.#queue.size >= MAX_WAITING) {
        const seconds = Math.min(60, Math.max(2, Math.ceil((this.#queue.size * this.#averageMs) / 1000)))
        return reject(unavailable('Many pictures are being uploaded just now. Try again in a few seconds.', seconds))
      }
      const one = { job, userId, resolve, reject }
      gone.addEventListener('abort', () => this.#queue.remove(userId, one) && reject(invalid(NOBODY_WAITS)), { once: true })
      this.#queue.add(userId, one)
      return this.#next()
    })
  }

  close(): void {
    this.#isClosed = true
    const current = this.#current
    this.#current = undefined
    for (let one = current ?? this.#queue.next(); one !== undefined; one = this.#queue.next())
      one.reject(unavailable('The program is being restarted. Try again in a few seconds.', 5))
    this.#end()
  }

  #next(): void {
    if (this.#current !== undefined || this.#ending !== undefined) return
    clearTimeout(this.#timer)
    this.#current = this.#queue.next()
    this.#since = this.#clock.uptime()
    if (this.#current === undefined) {
      this.#timer = setTimeout(() => this.#end(), IDLE_MS).unref()
      return
    }
    const child = (this.#child ??= this.#start())
    this.#timer = setTimeout(() => this.#fail(child, TOO_LONG), WITHIN_MS)
    child.send(this.#current.job, (error) => {
      if (error !== null) this.#fail(child, UNREADABLE)
    })
  }

  #start(): ChildProcess {
    const child = fork(join(import.meta.dirname, 'decode.worker.ts'), {
      // No secrets, few memory pools, and freed memory given back: see decision 0014.
      env: { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '1048576', UV_THREADPOOL_SIZE: '2' },
      execArgv: ['--max-old-space-size=64', '--max-semi-space-size=2'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    })
    child.on('message', (reply: DecodeReply) => {
      if (child === this.#child) this.#done(reply)
    })
    child.on('exit', () => {
      this.#fail(child, UNREADABLE)
      if (child !== this.#ending) return
      this.#ending = undefined
      this.#next()
    })
    child.on('error', () => this.#fail(child, UNREADABLE))
    child.unref()
    child.channel?.unref()
    return child
  }

  #done(reply: DecodeReply): void {
    const current = this.#finish()
    if (reply.isSpent) this.#end()
    if ('type' in reply) current?.resolve(reply.type)
    else {
      if (reply.cause !== undefined) this.#log.debug({ cause: reply.cause }, 'A picture could not be decoded.')
      current?.reject(invalid(reply.refusal))
    }
    this.#next()
  }

  #fail(child: ChildProcess, refusal: string): void {
    if (child !== this.#child) return
    const current = this.#finish()
    this.#end()
    if (current !== undefined) this.#log.info({ refusal }, 'The decoder was ended over a picture.')
    current?.reject(invalid(refusal))
    this.#next()
  }

  /** Charges the current picture's time to its user. */
  #finish(): Waiting | undefined {
    const current = this.#current
    this.#current = undefined
    if (current === undefined) return undefined
    const took = this.#clock.uptime() - this.#since
    this.#queue.charge(current.userId, took)
    this.#averageMs += (took - this.#averageMs) * LATEST_SHARE
    return current
  }

  #end(): void {
    clearTimeout(this.#timer)
    const child = this.#child
    this.#child = undefined
    // A process that never ran or has ended emits no `exit` event.
    if (child?.kill('SIGKILL') === true && child.exitCode === null && child.signalCode === null) this.#ending = child
  }
}
