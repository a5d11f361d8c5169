/** What pictures need of the running program. */
import type { Deps } from '#backend/platform/deps.ts'
import type { Env } from '#backend/platform/env.ts'
import { LRUCache } from 'lru-cache'
import type { Clock } from '#backend/platform/clock.ts'
import { KeyedConcurrencyLimit } from '#backend/platform/concurrency/keyed-concurrency-limit.ts'
import { Decoding } from './decoding.ts'
import { imagesBase } from './image-urls.ts'
import { WeightedSemaphore } from '#backend/platform/concurrency/weighted-semaphore.ts'
import { createStorage } from './storage.ts'

/** Per user. */
export const MAX_UNDER_WAY = 8
const MAX_STORING_BYTES = 12 * 1024 * 1024
const HOT_BYTES = 16 * 1024 * 1024
/** Larger files are rare, and a handful of them would evict all others. */
export const MAX_HOT_FILE_BYTES = 512 * 1024
/** How long a file may be served after another node deleted it. */
const HOT_MS = 5 * 60_000

export function createHotFiles(clock: Pick<Clock, 'uptime'>): LRUCache<string, Buffer> {
  const perf = { now: () => clock.uptime() }
  return new LRUCache({ maxSize: HOT_BYTES, sizeCalculation: (bytes) => bytes.length, ttl: HOT_MS, ttlResolution: 0, perf })
}

export type ImageParts = ReturnType<typeof createImageParts>

export function createImageParts({ env, log, clock }: Pick<Deps, 'env' | 'log' | 'clock'>) {
  return {
    storage: createStorage(env),
    decoding: new Decoding(log, clock),
    hot: createHotFiles(clock),
    underWay: new KeyedConcurrencyLimit(MAX_UNDER_WAY),
    storing: new WeightedSemaphore(MAX_STORING_BYTES),
  }
}

/** From where the panel's pages may show pictures. A newcomer's machine has two names for itself. */
export function imageOrigins(env: Env): string[] {
  const { origin } = new URL(imagesBase(env))
  return origin.startsWith('http://localhost:') ? [origin, origin.replace('localhost', '127.0.0.1')] : [origin]
}
