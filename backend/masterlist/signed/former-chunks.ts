/** Chunks of former heads: who has read a head still finds its chunks, for some time and up to some memory. */
import { LRUCache } from 'lru-cache'
import { type Clock, cacheTime } from '#backend/platform/clock.ts'
import type { Chunk } from './signed-file.ts'

const FORMER_MS = 120_000
const MAX_BYTES = 64 * 1024 * 1024

export class FormerChunks {
  readonly #chunks: LRUCache<string, Chunk>

  constructor(clock: Clock) {
    this.#chunks = new LRUCache({
      ttl: FORMER_MS,
      maxSize: MAX_BYTES,
      sizeCalculation: ({ memory }) => Math.min(Math.max(1, memory), MAX_BYTES),
      ...cacheTime(clock),
    })
  }

  /** Keeps what the next head no longer names. */
  retire(previous: readonly Chunk[], next: readonly Chunk[]): void {
    const current = new Set(next.map(({ sha256 }) => sha256))
    for (const chunk of previous) if (!current.has(chunk.sha256)) this.#chunks.set(chunk.sha256, chunk)
  }

  get(sha256: string): Chunk | undefined {
    return this.#chunks.get(sha256)
  }
}
