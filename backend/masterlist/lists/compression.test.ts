/** Compression of the list: whole bodies, pieces, and buffers of exact size. */
import { randomBytes } from 'node:crypto'
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { COMPRESSED, Compressor, decompress, decompressInPieces, compressPieces, freeBuffer } from './compression.ts'
import { EncodedBody } from './snapshot.ts'

const EXPAND = { gzip: gunzipSync, br: brotliDecompressSync }
const FAST_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const COMPRESS = { gzip: (bytes: Buffer) => gzipSync(bytes), br: (bytes: Buffer) => brotliCompressSync(bytes, FAST_BROTLI) }

const KIB = 1024
/** Random, so that they compress to many chunks. The lengths are near the sizes of chunks and pieces. */
const texts = [0, 1, 63, 64, 3000, 16 * KIB, 128 * KIB, 1024 * KIB - 1, 1024 * KIB, 5000 * KIB].map((length) =>
  randomBytes(length / 2 + 1)
    .toString('hex')
    .slice(0, length),
)

test.each(texts.map((text) => [text.length, Buffer.from(text)] as const))(
  '%i bytes survive compression and decompression, whole or in pieces, in exact-size buffers',
  async (length, bytes) => {
    for (const piece of [Math.ceil(length / 100), 100 * KIB, length]) {
      const pieces = Array.from({ length: Math.ceil(length / piece) }, (_, index) => bytes.subarray(index * piece, (index + 1) * piece))
      const seen: Buffer[] = []
      const compressed = await compressPieces(pieces, length, COMPRESSED, (part) => seen.push(part))
      expect([compressed.length, Buffer.concat(seen).equals(bytes)]).toEqual([length, true])
      for (const encoding of COMPRESSED) {
        expect(EXPAND[encoding](compressed.bodies[encoding]).equals(bytes)).toBe(true)
        expect(compressed.bodies[encoding].buffer.byteLength).toBe(compressed.bodies[encoding].length)
      }
    }
    for (const encoding of COMPRESSED) {
      const whole = await decompress(COMPRESS[encoding](bytes), encoding, length)
      expect(whole.equals(bytes)).toBe(true)
      if (length >= 64 * KIB) expect(whole.buffer.byteLength).toBe(length + 1)
      const parts: Buffer[] = []
      for await (const part of decompressInPieces(COMPRESS[encoding](bytes), encoding, length)) parts.push(Buffer.from(part))
      expect(Buffer.concat(parts).equals(bytes)).toBe(true)
    }
  },
)

test.each(['identity', ...COMPRESSED] as const)(
  'a body made from %s has the same content in all encodings for concurrent readers',
  async (from) => {
    const bytes = Buffer.from('[1,2,3]'.repeat(100_000))
    const ready = from === 'identity' ? bytes : COMPRESS[from](bytes)
    const body = new EncodedBody('W/"a"', { [from]: ready }, bytes.length)
    const [identity, gzip, br] = await Promise.all([body.body('identity'), body.body('gzip'), body.body('br')])
    for (const made of [identity, gunzipSync(gzip), brotliDecompressSync(br)]) expect(made.equals(bytes)).toBe(true)
  },
)

test('a large identity body stays in memory while it is read, is dropped afterwards, and is the same when decompressed again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const bytes = Buffer.from('[1,2,3]'.repeat(100_000))
  const body = new EncodedBody('W/"a"', { gzip: COMPRESS.gzip(bytes) }, bytes.length)
  const first = await body.body('identity')
  for (let second = 0; second < 20; second += 1) {
    vi.advanceTimersByTime(1000)
    expect(body.body('identity')).toBe(first)
  }
  vi.advanceTimersByTime(6000)
  const again = body.body('identity')
  expect(again).toBeInstanceOf(Promise)
  vi.useRealTimers()
  expect((await again).equals(bytes)).toBe(true)
})

test('every read of an invalid body rejects with the decompression error', async () => {
  const body = new EncodedBody('W/"a"', { gzip: Buffer.from('no gzip') }, 100)
  for (const encoding of ['identity', 'br', 'br'] as const) {
    await expect(body.body(encoding)).rejects.toThrow(/incorrect header/)
  }
})

test.each(COMPRESSED)('a failure while %s compresses a slice rejects at once', async (encoding) => {
  const compressor = new Compressor(encoding, 1)
  const written = compressor.write(randomBytes(5000 * KIB))
  compressor.abort()
  await expect(written).rejects.toThrow('aborted')
  async function* pieces() {
    yield Buffer.from('[1')
    await Promise.reject(new Error('The second row cannot be serialized.'))
  }
  await expect(compressPieces(pieces(), 10, [encoding])).rejects.toThrow('The second row')
})

test('freeing empties a whole buffer, and leaves slices and pooled buffers unchanged', () => {
  const [whole, slice] = [Buffer.allocUnsafeSlow(1 << 20), Buffer.allocUnsafeSlow(100).subarray(0, 99)]
  const pooled = Buffer.from('pooled')
  for (const bytes of [whole, slice, pooled]) freeBuffer(bytes)
  expect([whole.length, slice.length, pooled.toString()]).toEqual([0, 99, 'pooled'])
})
