/** Decodes uploaded images in a child process. */
import { join } from 'node:path'
import { BoundedQueue } from '#backend/platform/concurrency/bounded-queue.ts'
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
/** A usual image takes 150 ms. */
const RETRY_SECONDS = 15
const MAX_HEAP = 64

export class ImageDecoder {
  readonly #log: Log
  readonly #queue = new BoundedQueue({ concurrency: 1, maxQueued: MAX_QUEUED })
  readonly #process = new WorkerProcess<DecodeJob, DecodeReply>({
    path: join(import.meta.dirname, 'decode.worker.ts'),
    timeoutMs: DECODE_TIMEOUT_MS,
    maxHeap: MAX_HEAP,
  })

  constructor(log: Log) {
    this.#log = log
  }

  /**
   * Decodes the folder's `in` to `out` and returns its type. The queue is fair between users. Throws `invalid` for a rejected image and after
   * `signal` aborts, and `unavailable` if the queue is full.
   */
  async decode(job: DecodeJob, { userId, signal }: { readonly userId: string; readonly signal: AbortSignal }): Promise<ImageType> {
    const decoding = this.#queue.run(userId, async () => {
      if (signal.aborted) throw invalid('UPLOAD_INTERRUPTED')
      return await this.#process.run(job)
    })
    if (typeof decoding === 'string') throw unavailable('TOO_MANY_IMAGES_WAITING', RETRY_SECONDS)
    const reply = await decoding.catch((error: unknown) => {
      throw error instanceof WorkerError ? this.#rejectionOf(error) : error
    })
    if ('type' in reply) return reply.type
    if (reply.cause !== undefined) this.#log.debug({ cause: reply.cause }, 'image could not be decoded')
    throw invalidInput([reply.rejection]).inField('file')
  }

  close(): void {
    this.#process.close()
  }

  #rejectionOf({ failure }: WorkerError): AppError {
    if (failure === 'closed') return unavailable('RESTARTING', RETRY_SECONDS)
    const code = failure === 'too-slow' ? 'IMAGE_TOO_SLOW' : 'IMAGE_UNREADABLE'
    this.#log.info({ code }, 'image decoder failed because of an image')
    return invalid(code).inField('file')
  }
}
