/** Compressed forms of small bodies (one server, the sums), made when first asked for and kept for as long as many ask. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Encoding } from '#backend/platform/http/negotiation.ts'

/** A body of a few hundred bytes compresses in some 30 µs; so many results are kept by their ETag. */
const MOST_KEPT = 2000
const kept = new Map<string, Buffer>()

/** @param etag names the body: equal tags, equal bytes. */
export function encoded(body: string, etag: string, encoding: Exclude<Encoding, 'identity'>): Buffer {
  const key = `${encoding} ${etag}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const raw = Buffer.from(body)
  const made =
    encoding === 'gzip'
      ? gzipSync(raw)
      : brotliCompressSync(raw, { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length } })
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value ?? '')
  // What zlib returns is a small part of a block of 64 KiB, and would keep all of it.
  const copy = Buffer.allocUnsafeSlow(made.length)
  made.copy(copy)
  kept.set(key, copy)
  return copy
}
