/** Compresses small bodies (one server, the totals) on first use, and caches the results. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { Encoding } from '#backend/platform/http/negotiation.ts'

/** Each has a few hundred bytes and takes about 30 µs to compress. */
const cache = new LRUCache<string, Buffer>({ max: 2000 })

/** @param etag identifies the body: equal tags mean equal bytes. */
export function compressSmall(body: string, etag: string, encoding: Exclude<Encoding, 'identity'>): Buffer {
  const key = `${encoding} ${etag}`
  const cached = cache.get(key)
  if (cached !== undefined) return cached
  const raw = Buffer.from(body)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length }
  const compressed = encoding === 'gzip' ? gzipSync(raw) : brotliCompressSync(raw, { params })
  // Copied, because zlib returns a small slice that would retain a block of 64 KiB.
  const copy = Buffer.allocUnsafeSlow(compressed.length)
  compressed.copy(copy)
  cache.set(key, copy)
  return copy
}
