/** Has pictures decoded in a process of its own: one that hangs, crashes or runs out of memory there takes nothing else along. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { Log } from '#backend/log.ts'
import { invalid, unavailable } from '#backend/errors.ts'
import type { ImageType, Size } from './picture.ts'

export interface DecodeJob extends Size {
  /** Holds the picture as `in`; gets the new one as `out`. */
  readonly folder: string
  readonly mostPixels: number
}

export type DecodeReply = ({ readonly type: ImageType } | { readonly refusal: string; readonly cause?: string }) & {
  /** It was a large one: the process keeps much of the memory that it took, until it ends. */
  readonly isSpent: boolean
}

interface Waiting {
  readonly job: DecodeJob
  resolve(type: ImageType): void
  reject(error: Error): void
}

/** The largest honest picture takes about two seconds on one slow core. */
const WITHIN_MS = 10_000
/** So many wait for their turn; at a tenth of a second for a usual picture the last of them waits two seconds. */
const MOST_WAITING = 20
/** Somebody who uploads one picture often uploads another. Afterwards the process and its memory go. */
const IDLE_MS = 20_000

const TOO_LONG = 'This picture takes too long to read. Save it anew, or make it smaller.'
const UNREADABLE = 'This picture could not be read. Save it anew as a PNG or JPEG, then upload it again.'

/** One picture at a time: so a crash is that picture's, two large ones never add up, and one core stays free for the list. */
export class Decoding {
  readonly #log: Log
  readonly #waiting: Waiting[] = []
  #child: ChildProcess | undefined
  #current: Waiting | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(log: Log) {
    this.#log = log
  }

  /** The decoder's process, while there is one. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /**
   * Decodes `in` of the folder and writes `out`, of the wanted size; answers its type. Throws `invalid` with a sentence for every
   * picture that is not taken, and `unavailable` where too many wait.
   */
  decode(job: DecodeJob): Promise<ImageType> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed || this.#waiting.length >= MOST_WAITING) {
        reject(unavailable('Many pictures are being uploaded just now. Try again in a few seconds.', 5))
        return
      }
      this.#waiting.push({ job, resolve, reject })
      this.#next()
    })
  }

  /** Ends the process; whoever waits is told to come again. */
  close(): void {
    this.#isClosed = true
    const all = this.#current === undefined ? [] : [this.#current]
    this.#current = undefined
    for (const one of [...all, ...this.#waiting.splice(0)])
      one.reject(unavailable('The program is being restarted. Try again in a few seconds.', 5))
    this.#end()
  }

  #next(): void {
    if (this.#current !== undefined) return
    clearTimeout(this.#timer)
    this.#current = this.#waiting.shift()
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
      // Nothing of ours is in its environment. Few memory pools, and freed memory given back: the figures of decision 0014.
      env: { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '1048576', UV_THREADPOOL_SIZE: '2' },
      execArgv: ['--max-old-space-size=64', '--max-semi-space-size=2'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    })
    child.on('message', (reply: DecodeReply) => {
      if (child === this.#child) this.#done(reply)
    })
    child.on('exit', () => this.#fail(child, UNREADABLE))
    child.on('error', () => this.#fail(child, UNREADABLE))
    child.unref()
    child.channel?.unref()
    return child
  }

  #done(reply: DecodeReply): void {
    const current = this.#current
    this.#current = undefined
    if (reply.isSpent) this.#end()
    if ('type' in reply) current?.resolve(reply.type)
    else {
      if (reply.cause !== undefined) this.#log.debug({ cause: reply.cause }, 'A picture could not be decoded.')
      current?.reject(invalid(reply.refusal))
    }
    this.#next()
  }

  /** The process hangs or is dead: the next picture gets a new one. */
  #fail(child: ChildProcess, refusal: string): void {
    if (child !== this.#child) return
    const current = this.#current
    this.#current = undefined
    this.#end()
    if (current !== undefined) this.#log.info({ refusal }, 'The decoder was ended over a picture.')
    current?.reject(invalid(refusal))
    this.#next()
  }

  #end(): void {
    clearTimeout(this.#timer)
    const child = this.#child
    this.#child = undefined
    child?.kill('SIGKILL')
  }
}
