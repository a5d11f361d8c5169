/** The services that images need: storage, decoder, cache and limits. */
import { addAbortSignal } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { CONCURRENCY } from '#contract/api/limits.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Env } from '#backend/platform/env.ts'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { type Clock, cacheTime } from '#backend/platform/clock.ts'
import { KeyedConcurrencyLimit } from '#backend/platform/concurrency/keyed-concurrency-limit.ts'
import { ImageDecoder } from './image-decoder.ts'
import { imagesBase } from './image-urls.ts'
import { type ImageStorage, createStorage } from './storage.ts'

/** A stored image takes up to 8 MiB of memory. */
const MAX_STORING = 2
const CACHE_BYTES = 16 * 1024 * 1024
/** Larger files are rare, and a few of them would fill the cache. */
const MAX_CACHED_FILE_BYTES = 512 * 1024
/** How long this node may serve a file after another node deleted it. */
const CACHE_TTL_MS = 5 * 60_000
const READ_TIMEOUT_MS = 20_000

/** Reads files from the storage. Concurrent reads of a file share one buffer. Has no file that is missing or too large. */
export function createFileCache(clock: Pick<Clock, 'uptime'>, storage: Pick<ImageStorage, 'open'>): LRUCache<string, Buffer> {
  return new LRUCache<string, Buffer>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (bytes) => bytes.length,
    ttl: CACHE_TTL_MS,
    ...cacheTime(clock),
    ignoreFetchAbort: true,
    fetchMethod: async (file) => {
      const stored = await storage.open(file)
      if (stored !== undefined && stored.bytes <= MAX_CACHED_FILE_BYTES)
        return await buffer(addAbortSignal(AbortSignal.timeout(READ_TIMEOUT_MS), stored.body))
      stored?.body.destroy()
      return undefined
    },
  })
}

export type ImageServices = ReturnType<typeof createImageServices>

export function createImageServices({ env, log, clock }: Pick<Deps, 'env' | 'log' | 'clock'>) {
  const storage = createStorage(env)
  return {
    storage,
    decoder: new ImageDecoder(log),
    cache: createFileCache(clock, storage),
    activeUploads: new KeyedConcurrencyLimit(CONCURRENCY.uploads.max),
    storing: pLimit(MAX_STORING),
  }
}

/** The origins in the panel's `img-src` policy: of images, and of the list, which serves badges. A local setup has two names. */
export function imageOrigins(env: Env): string[] {
  const list = env.MASTERLIST_PUBLIC_URL ?? `http://localhost:${env.MASTERLIST_PORT}`
  const origins = [imagesBase(env), list].map((url) => new URL(url).origin)
  return [...new Set(origins.flatMap((origin) => [origin, origin.replace('http://localhost:', 'http://127.0.0.1:')]))]
}
