import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressSmall } from './small-body.ts'

test.each([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
] as const)('a body that is kept as %s holds no more memory than its bytes', (encoding, expand) => {
  const body = JSON.stringify({ serversCount: 12, playersCount: 345, name: 'a'.repeat(300) })
  const kept = compressSmall(body, '"tag"', encoding)
  expect(expand(kept).toString()).toBe(body)
  expect(kept.buffer.byteLength).toBe(kept.length)
  expect(compressSmall(body, '"tag"', encoding)).toBe(kept)
})
