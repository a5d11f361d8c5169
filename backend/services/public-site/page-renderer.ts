/** Renders public pages in a child process. */
import { join } from 'node:path'
import type { Language } from '#contract/text/panel-languages.ts'
import type { PublicPage, PublicSite } from '#contract/public-site/public-site.ts'
import { etagOf } from '#backend/masterlist/lists/encoded-body.ts'
import { WorkerError, WorkerProcess } from '#backend/platform/concurrency/worker-process.ts'
import { unavailable } from '#backend/platform/errors.ts'
import type { Encoding } from '#backend/platform/http/negotiation.ts'
import type { Log } from '#backend/platform/log.ts'

export interface PageJob {
  readonly page: PublicPage
  readonly language: Language
  readonly site: PublicSite
  readonly encoding: Encoding
}

/** The digest is of the page before it is compressed. */
export interface PageReply {
  readonly digest: string
  readonly bytes: Uint8Array
}

/** A body in one encoding. The tag is the same in all encodings. */
export interface PageBody {
  readonly etag: string
  readonly bytes: Buffer
}

const RENDER_TIMEOUT_MS = 10_000
const MAX_HEAP = 128
/** So that it never waits for the next page. */
const CONCURRENCY = 8
/** Visitors come at any time, and the process takes 0.3 s to start. */
const IDLE_TIMEOUT_MS = 15 * 60_000
const BUSY_SECONDS = 1

export class PageRenderer {
  readonly #log: Log
  readonly #process = new WorkerProcess<PageJob, PageReply>({
    path: join(import.meta.dirname, 'page.worker.ts'),
    timeoutMs: RENDER_TIMEOUT_MS,
    maxHeap: MAX_HEAP,
    concurrency: CONCURRENCY,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
  })

  constructor(log: Log) {
    this.#log = log
  }

  /** Throws `unavailable` if the process stops. Callers limit how many pages wait. */
  async render(job: PageJob): Promise<PageBody> {
    try {
      const { digest, bytes } = await this.#process.run(job)
      return { etag: etagOf(digest), bytes: Buffer.from(bytes) }
    } catch (error) {
      const isClosed = error instanceof WorkerError && error.failure === 'closed'
      if (!isClosed) this.#log.warn({ err: error }, 'public page could not be rendered')
      throw unavailable('PAGES_BUSY', BUSY_SECONDS)
    }
  }

  close(): void {
    this.#process.close()
  }
}
