/** Decodes uploaded images in a child process. */
import { join } from 'node:path'
import type { Clock } from '#backend/platform/clock.ts'
import { WorkerError, WorkerProcess } from '#backend/platform/concurrency/worker-process.ts'
import type { Log } from '#backend/platform/log.ts'
import { type AppError, invalid, invalidInput, unavailable } from '#backend/platform/errors.ts'
import type { Message } from '#backend/platform/messages/message.ts'
import type { ImageType, Size } from './image-header.ts'

export interface DecodeJob extends Size {
  /** Contains the uploaded image as `in`; receives the resized one as `out`. */
  readonly folder: string
  readonly maxPixels: number
}

export type DecodeReply = ({ readonly type: ImageType } | { readonly rejection: Message; readonly cause?: string }) & {
  /** The child does not release the memory of a large image, so it is restarted. */
  readonly needsRestart: boolean
}

/** The largest legitimate image takes about two seconds on one slow core. */
const DECODE_TIMEOUT_MS = 10_000
/** For all users together; each can upload eight at once. */
const MAX_QUEUED = 100
const MAX_HEAP = 64

export class ImageDecoder {
  readonly #log: Log
  readonly #process: WorkerProcess<DecodeJob, DecodeReply>

  constructor(log: Log, clock: Clock) {
    this.#log = log
    const path = join(import.meta.dirname, 'decode.worker.ts')
    this.#process = new WorkerProcess(clock, { path, maxQueued: MAX_QUEUED, timeoutMs: DECODE_TIMEOUT_MS, maxHeap: MAX_HEAP })
  }

  /**
   * Decodes the folder's `in` to `out` and returns its type. The queue is fair between users. Throws `invalid` for a rejected image and after
   * `signal` aborts, and `unavailable` if the queue is full.
   */
  async decode(job: DecodeJob, { userId, signal }: { readonly userId: string; readonly signal: AbortSignal }): Promise<ImageType> {
    const reply = await this.#process.run(job, userId, signal).catch((error: unknown) => {
      throw error instanceof WorkerError ? this.#rejectionOf(error) : error
    })
    if ('type' in reply) return reply.type
    if (reply.cause !== undefined) this.#log.debug({ cause: reply.cause }, 'image could not be decoded')
    throw invalidInput([reply.rejection])
  }

  close(): void {
    this.#process.close()
  }

  #rejectionOf({ failure, retryAfterSeconds }: WorkerError): AppError {
    if (failure === 'aborted') return invalid('UPLOAD_INTERRUPTED')
    if (failure === 'closed') return unavailable('RESTARTING', retryAfterSeconds)
    if (failure === 'full') return unavailable('TOO_MANY_IMAGES_WAITING', retryAfterSeconds)
    const code = failure === 'too-slow' ? 'IMAGE_TOO_SLOW' : 'IMAGE_UNREADABLE'
    this.#log.info({ code }, 'image decoder stopped because of an image')
    return invalid(code)
  }
}
