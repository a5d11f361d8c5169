/** Small compressed bodies use no more memory than their bytes. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressSmall } from './small-body.ts'

test.each([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
] as const)('a body compressed with %s uses exactly the memory of its bytes, and is compressed once', (encoding, expand) => {
  const body = JSON.stringify({ serversCount: 12, playersCount: 345, name: 'a'.repeat(300) })
  const compressed = compressSmall(body, '"tag"', encoding)
  expect(expand(compressed).toString()).toBe(body)
  expect(compressed.buffer.byteLength).toBe(compressed.length)
  expect(compressSmall(body, '"tag"', encoding)).toBe(compressed)
})
