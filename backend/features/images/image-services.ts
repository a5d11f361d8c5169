/** The services that images need: storage, decoder, cache and limits. */
import type { Deps } from '#backend/platform/deps.ts'
import type { Env } from '#backend/platform/env.ts'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { Clock } from '#backend/platform/clock.ts'
import { KeyedConcurrencyLimit } from '#backend/platform/concurrency/keyed-concurrency-limit.ts'
import { ImageDecoder } from './image-decoder.ts'
import { imagesBase } from './image-urls.ts'
import { createStorage } from './storage.ts'

/** Per user. */
export const MAX_CONCURRENT_UPLOADS = 8
/** A stored image takes up to 8 MiB of memory. */
const MAX_STORING = 2
const CACHE_BYTES = 16 * 1024 * 1024
/** Larger files are rare, and a few of them would fill the cache. */
export const MAX_CACHED_FILE_BYTES = 512 * 1024
/** How long this node may serve a file after another node deleted it. */
const CACHE_TTL_MS = 5 * 60_000

export function createFileCache(clock: Pick<Clock, 'uptime'>): LRUCache<string, Buffer> {
  const perf = { now: () => clock.uptime() }
  return new LRUCache({ maxSize: CACHE_BYTES, sizeCalculation: (bytes) => bytes.length, ttl: CACHE_TTL_MS, ttlResolution: 0, perf })
}

export type ImageServices = ReturnType<typeof createImageServices>

export function createImageServices({ env, log, clock }: Pick<Deps, 'env' | 'log' | 'clock'>) {
  return {
    storage: createStorage(env),
    decoder: new ImageDecoder(log),
    cache: createFileCache(clock),
    activeUploads: new KeyedConcurrencyLimit(MAX_CONCURRENT_UPLOADS),
    storing: pLimit(MAX_STORING),
  }
}

/** The origins in the panel's `img-src` policy: of images, and of the list, which serves badges. A local setup has two names. */
export function imageOrigins(env: Env): string[] {
  const list = env.MASTERLIST_PUBLIC_URL ?? `http://localhost:${env.MASTERLIST_PORT}`
  const origins = [imagesBase(env), list].map((url) => new URL(url).origin)
  return [...new Set(origins.flatMap((origin) => [origin, origin.replace('http://localhost:', 'http://127.0.0.1:')]))]
}
