/** Publishes the signed list: chunks first, the head last, so that a reader of any head finds its chunks. Runs on the lease holder. */
import pLimit from 'p-limit'
import type { Lease } from '#backend/platform/cluster/leases.ts'
import type { Clock } from '#backend/platform/clock.ts'
import { type PublishedFiles, pathOf } from './published-files.ts'
import type { Chunk } from './signed-file.ts'

const MAX_WRITES = 8
/** Readers of a former head, and caches of it, still find its chunks for this long. */
const KEPT_MS = 600_000

/** The notes of a list, and its chunks. */
export interface PublishedNotes {
  readonly version: number
  readonly note: string
  readonly keyNotes: string
  readonly chunks: readonly Chunk[]
}

interface Source {
  notes(): Promise<PublishedNotes>
}

/** What this node has published since it holds the lease. */
interface Published {
  readonly term: number
  keys: string
  version: number
  readonly chunks: Set<string>
  /** When chunks that no head names any more were found, by their hash. */
  readonly unused: Map<string, number>
}

export class Publisher {
  readonly #files: PublishedFiles
  readonly #source: Source
  readonly #clock: Clock
  readonly #lease: Pick<Lease, 'term'>
  readonly #limit = pLimit(MAX_WRITES)
  #published: Published | undefined
  /** When it last succeeded, in wall milliseconds. */
  publishedAt: number | undefined
  /** By outcome. */
  readonly counts = { published: 0, failed: 0 }

  constructor(files: PublishedFiles, source: Source, clock: Clock, lease: Pick<Lease, 'term'>) {
    this.#files = files
    this.#source = source
    this.#clock = clock
    this.#lease = lease
  }

  /** Rejects if the store is unavailable; the next call then publishes what is missing. */
  async publish(): Promise<void> {
    try {
      await this.#publish(await this.#source.notes())
      this.counts.published += 1
      this.publishedAt = this.#clock.now()
    } catch (error) {
      this.counts.failed += 1
      // The error of a network or a disk alone would pass for one of the database.
      throw new Error('the signed list could not be published', { cause: error })
    }
  }

  async #publish({ version, note, keyNotes, chunks }: PublishedNotes): Promise<void> {
    const published = await this.#begin()
    if (version === published.version) return
    await this.#writeChunks(chunks, published)
    if (published.keys !== keyNotes) await this.#files.put(pathOf.keys, keyNotes)
    published.keys = keyNotes
    await this.#files.put(pathOf.head, note)
    published.version = version
    await this.#deleteUnused(chunks, published)
  }

  /** Other nodes, or a killed one, may have left other files. Their chunks may be incomplete after a crash of the machine, so all are rewritten. */
  async #begin(): Promise<Published> {
    const { term } = this.#lease
    if (this.#published?.term === term) return this.#published
    const now = this.#clock.uptime()
    const left = await this.#files.chunks()
    this.#published = { term, keys: '', version: 0, chunks: new Set(), unused: new Map(left.map((sha256) => [sha256, now])) }
    return this.#published
  }

  async #writeChunks(chunks: readonly Chunk[], { chunks: written, unused }: Published): Promise<void> {
    const missing = chunks.filter(({ sha256 }) => !written.has(sha256))
    let failure: { readonly error: unknown } | undefined
    await Promise.all(
      missing.map((chunk) =>
        this.#limit(async () => {
          // One failure is enough: the next call writes what is missing.
          if (failure !== undefined) return
          try {
            await this.#files.put(pathOf.chunk(chunk.sha256), await chunk.body('identity'))
            written.add(chunk.sha256)
          } catch (error) {
            failure ??= { error }
          }
        }),
      ),
    )
    if (failure !== undefined) throw (failure as { error: unknown }).error
    for (const { sha256 } of chunks) unused.delete(sha256)
  }

  async #deleteUnused(chunks: readonly Chunk[], { chunks: written, unused }: Published): Promise<void> {
    const now = this.#clock.uptime()
    const current = new Set(chunks.map(({ sha256 }) => sha256))
    for (const sha256 of written) if (!current.has(sha256) && !unused.has(sha256)) unused.set(sha256, now)
    const due = [...unused].filter(([, since]) => now - since >= KEPT_MS)
    await Promise.all(
      due.map(([sha256]) =>
        this.#limit(async () => {
          // A failed deletion is repeated, and the chunk is written again if it returns.
          written.delete(sha256)
          await this.#files.delete(pathOf.chunk(sha256))
          unused.delete(sha256)
        }),
      ),
    )
  }
}
