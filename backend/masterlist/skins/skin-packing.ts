/** Compresses a skin: nearly all of it are pictures, so what can be gained is the quarter that base64 has added to them. */
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { Encoding } from '#backend/platform/http/negotiation.ts'

/** Beyond it most are pictures, in which looking for repetitions costs four times as much and finds none. */
const MOSTLY_PICTURES_BYTES = 64 * 1024
const CHUNK_BYTES = 64 * 1024

/** Beside the main thread: 4 MB take some 20 ms. @param bytes of all parts together. */
export async function packSkin(parts: readonly Buffer[], bytes: number, encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
  const isPictures = bytes > MOSTLY_PICTURES_BYTES
  const packing =
    encoding === 'gzip'
      ? createGzip({ chunkSize: CHUNK_BYTES, strategy: isPictures ? constants.Z_HUFFMAN_ONLY : constants.Z_DEFAULT_STRATEGY })
      : createBrotliCompress({
          chunkSize: CHUNK_BYTES,
          params: { [constants.BROTLI_PARAM_QUALITY]: isPictures ? 1 : 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes },
        })
  const chunks: Buffer[] = []
  await pipeline(parts, packing, async (made: AsyncIterable<Buffer>) => {
    for await (const chunk of made) chunks.push(chunk)
  })
  return Buffer.concat(chunks)
}
