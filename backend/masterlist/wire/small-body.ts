/** Compressed forms of small bodies (one server, the sums), made when first asked for. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { Encoding } from '#backend/platform/http/negotiation.ts'

/** A few hundred bytes each, which take some 30 µs to compress. */
const kept = new LRUCache<string, Buffer>({ max: 2000 })

/** @param etag names the body: equal tags, equal bytes. */
export function compressSmall(body: string, etag: string, encoding: Exclude<Encoding, 'identity'>): Buffer {
  const key = `${encoding} ${etag}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const raw = Buffer.from(body)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length }
  const made = encoding === 'gzip' ? gzipSync(raw) : brotliCompressSync(raw, { params })
  // What zlib returns is a small part of a block of 64 KiB, and would keep all of it.
  const copy = Buffer.allocUnsafeSlow(made.length)
  made.copy(copy)
  kept.set(key, copy)
  return copy
}
