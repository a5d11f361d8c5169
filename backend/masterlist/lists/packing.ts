/** Compression and its opposite in the thread pool, in chunks that are given back as soon as they are used: what is kept is exactly as large as it says. */
import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import {
  type Zlib,
  brotliDecompress,
  constants,
  createBrotliCompress,
  createBrotliDecompress,
  createGunzip,
  createGzip,
  gunzip,
} from 'node:zlib'
import type { Encoding } from '#backend/platform/http/negotiation.ts'

/** What bodies are kept as. */
export type Compressed = Exclude<Encoding, 'identity'>

export const COMPRESSED: readonly Compressed[] = ['gzip', 'br']

/** What is made for who asks for it; identity is made of that. */
export const keptFor = (encoding: Encoding): Compressed => (encoding === 'identity' ? 'gzip' : encoding)

type ZlibStream = Zlib & Transform

const KIB = 1024
/** What is expanded only to be compressed anew exists in pieces of this size. Of 256 KiB brotli makes 3 % more bytes than of the whole. */
const EXPANDED_PIECE_BYTES = 1024 * KIB
/** The least that zlib takes. */
const LEAST_CHUNK_BYTES = 64
const EXPAND = { gzip: promisify(gunzip), br: promisify(brotliDecompress) }

/**
 * Frees a buffer's memory at once instead of at the engine's next collection. Nothing may use it any more.
 * @param size which it was allocated with, where this is a part of it. A buffer from the pool stays as it is.
 */
export function release({ buffer, length }: Buffer, size = length): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === size) buffer.transfer(0)
}

/** One compression, fed slice by slice. */
export class Packing {
  readonly #stream: ZlibStream
  readonly #chunks: Buffer[] = []
  readonly #chunkSize: number
  readonly #ended: Promise<Buffer>

  /** @param about how many bytes there will be: it decides how well they are compressed. */
  constructor(encoding: Compressed, about: number) {
    const levels = levelsFor(about)
    const stream = encoding === 'gzip' ? createGzip(levels.gzip) : createBrotliCompress(levels.br)
    this.#stream = stream
    this.#chunkSize = levels.gzip.chunkSize
    this.#ended = new Promise((resolve, reject) => {
      stream.on('data', (chunk: Buffer) => this.#chunks.push(chunk))
      stream.on('end', () => resolve(this.#joined()))
      stream.on('error', reject)
    })
    // It is waited for only at the end; until then `write` rejects with the same.
    this.#ended.catch(() => undefined)
  }

  /** Resolves once nothing of the slice is needed any more. */
  write(slice: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      // Of a slice that is under way as the stream fails nothing is said any more.
      this.#ended.catch(reject)
      this.#stream.write(slice, (error) => (error ? reject(error) : resolve()))
    })
  }

  end(): Promise<Buffer> {
    this.#stream.end()
    return this.#ended
  }

  /** It is not wanted any more: its memory is given back. */
  drop(): void {
    this.#stream.destroy(new Error('The compression was given up.'))
  }

  /** In a buffer of its own: `Buffer.concat` takes a small one from the pool, and one chunk alone keeps all that it has room for. */
  #joined(): Buffer {
    const whole = Buffer.allocUnsafeSlow(this.#chunks.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const chunk of this.#chunks) at += chunk.copy(whole, at)
    for (const chunk of this.#chunks) release(chunk, this.#chunkSize)
    return whole
  }
}

/** Compresses pieces as they come. Each is needed until the next is asked for. @param seen is shown each of them. */
export async function packedOf<E extends Compressed>(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  about: number,
  encodings: readonly E[],
  seen?: (piece: Buffer) => void,
): Promise<{ readonly made: Readonly<Record<E, Buffer>>; readonly length: number }> {
  const packings = encodings.map((encoding) => new Packing(encoding, about))
  let length = 0
  try {
    for await (const piece of pieces) {
      length += piece.length
      seen?.(piece)
      await Promise.all(packings.map((packing) => packing.write(piece)))
    }
    const made = await Promise.all(packings.map((packing) => packing.end()))
    return { made: Object.fromEntries(encodings.map((encoding, index) => [encoding, made[index]])) as Record<E, Buffer>, length }
  } catch (error) {
    for (const packing of packings) packing.drop()
    throw error
  }
}

/** All of it in one buffer, where chunks of the usual size would take the same again. @param length how many bytes it has. */
export function expanded(bytes: Buffer, encoding: Compressed, length: number): Promise<Buffer> {
  // A chunk that is full to its last byte makes zlib begin another one.
  return EXPAND[encoding](bytes, { chunkSize: Math.max(length + 1, LEAST_CHUNK_BYTES) })
}

/** The same in pieces. Each holds until the next is asked for. */
export async function* expandedInPieces(bytes: Buffer, encoding: Compressed, length: number): AsyncGenerator<Buffer> {
  const chunkSize = Math.max(Math.min(length + 1, EXPANDED_PIECE_BYTES), LEAST_CHUNK_BYTES)
  const stream: ZlibStream = encoding === 'gzip' ? createGunzip({ chunkSize }) : createBrotliDecompress({ chunkSize })
  stream.end(bytes)
  let last: Buffer | undefined
  for await (const piece of stream as AsyncIterable<Buffer>) {
    yield piece
    release(piece)
    last = piece
  }
  // It was not filled, but will not be any more.
  if (last !== undefined) release(last, chunkSize)
}

/**
 * Levels by size, measured on rows like ours (7.8 MB): gzip 1 and 2 take 13 ms and leave 7.7 and 7.0 %, gzip 3 takes 14 and leaves 6.7 %
 * (of columns, two thirds more than 2), gzip 6 35 and 5.0 %; brotli 1 takes 7 ms and leaves 7.0 %, brotli 2 17 and 6.4 %. So big lists,
 * which are made most often, stay with the quick ones, and small ones get the small bodies.
 */
function levelsFor(bytes: number) {
  const chunkSize = bytes < 64 * KIB ? 16 * KIB : 128 * KIB
  return {
    gzip: { level: bytes < 512 * KIB ? 6 : bytes < 2048 * KIB ? 4 : 2, chunkSize },
    br: {
      chunkSize,
      params: {
        [constants.BROTLI_PARAM_QUALITY]: bytes < 512 * KIB ? 5 : bytes < 2048 * KIB ? 4 : 1,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
      },
    },
  }
}
