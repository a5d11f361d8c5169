/** Bodies that many readers get: immutable, in every encoding that readers ask for. */
import { createHash, hash } from 'node:crypto'
import { promisify } from 'node:util'
import { type Zlib, brotliCompress, brotliDecompress, constants, createBrotliCompress, createGzip, gunzip, gzip } from 'node:zlib'
import { BYTES_OF_A_ROW, piecesOf } from './list-text.ts'
import type { ShownRow } from './listed-row.ts'
import type { Encoding } from './negotiation.ts'

const compressGzip = promisify(gzip)
const compressBrotli = promisify(brotliCompress)
const expandGzip = promisify(gunzip)
const expandBrotli = promisify(brotliDecompress)

/** One body under one weak ETag: the encodings say the same. */
export interface Variants {
  readonly etag: string
  /** Lies ready, or is made once for all who ask. */
  body(encoding: Encoding): Buffer | Promise<Buffer>
}

/** The published list as it was at one moment. */
export interface Snapshot extends Variants {
  /** What has changed since is asked for by this. */
  readonly version: string
  /** The rows in the order of the list: what filters, pages and columns are made of. `rowJson` writes one. */
  readonly rows: readonly ShownRow[]
}

/** What lies ready of one body, one encoding at least; the rest is made of that. */
type Ready = Readonly<Partial<Record<Encoding, Buffer>>>

const KIB = 1024
/** How long a large body is kept as it was before compression: few ask for it so, and it takes more memory than all else. */
const IDENTITY_KEPT_MS = 10_000
const LARGE_BYTES = 64 * KIB

export class Body implements Variants {
  readonly etag: string
  readonly #made: Partial<Record<Encoding, Buffer | Promise<Buffer>>>
  #isForgetting = false

  constructor(etag: string, ready: Ready) {
    this.etag = etag
    this.#made = { ...ready }
  }

  body(encoding: Encoding): Buffer | Promise<Buffer> {
    const known = this.#made[encoding]
    if (known !== undefined) return known
    const making = this.#make(encoding)
    this.#made[encoding] = making
    making.then(
      (made) => {
        this.#made[encoding] = made
        this.#letIdentityGo()
      },
      // The next one who asks tries again.
      () => delete this.#made[encoding],
    )
    return making
  }

  async #make(encoding: Encoding): Promise<Buffer> {
    const raw = await this.#raw()
    if (encoding === 'identity') return raw
    const levels = levelsFor(raw.length)
    return encoding === 'gzip' ? compressGzip(raw, levels.gzip) : compressBrotli(raw, levels.br)
  }

  async #raw(): Promise<Buffer> {
    const { identity, gzip: zipped, br } = this.#made
    if (identity !== undefined) return identity
    return zipped === undefined ? expandBrotli((await br) ?? '') : expandGzip(await zipped)
  }

  /** Soon, where it is large: it can be made again of what is compressed. */
  #letIdentityGo(): void {
    const { identity, gzip: zipped, br } = this.#made
    if (!Buffer.isBuffer(identity) || identity.length < LARGE_BYTES || !(Buffer.isBuffer(zipped) || Buffer.isBuffer(br))) return
    if (this.#isForgetting) return
    this.#isForgetting = true
    // Nothing of a body whose place has been taken is kept by its timer.
    const reference = new WeakRef(this)
    setTimeout(() => {
      const body = reference.deref()
      if (body !== undefined) body.#forgetIdentity()
    }, IDENTITY_KEPT_MS).unref()
  }

  #forgetIdentity(): void {
    delete this.#made.identity
    this.#isForgetting = false
  }
}

/** A body of a text that lies ready; compressed when first asked for. */
export function bodyOf(text: string, etag = etagOf(text)): Variants {
  return new Body(etag, { identity: Buffer.from(text) })
}

export function etagOf(text: string | Buffer): string {
  return etagWith(hash('sha256', text, 'base64url'))
}

/** Bytes in these encodings; nothing holds on to what they were. The ETag is a hash of the content, so it is the same in every life and on every node. */
export async function compressed(bytes: Buffer, encodings: readonly ('gzip' | 'br')[]): Promise<Body> {
  const levels = levelsFor(bytes.length)
  const made = await Promise.all(
    encodings.map((encoding) => (encoding === 'gzip' ? compressGzip(bytes, levels.gzip) : compressBrotli(bytes, levels.br))),
  )
  return new Body(etagOf(bytes), Object.fromEntries(encodings.map((encoding, index) => [encoding, made[index]])))
}

/** Compresses the rows' text as it is written: what is not compressed exists only in pieces. */
export async function packed(rows: readonly ShownRow[]): Promise<Body> {
  const levels = levelsFor(rows.length * BYTES_OF_A_ROW)
  const [gzipped, br, digest] = [new Packing(createGzip(levels.gzip)), new Packing(createBrotliCompress(levels.br)), createHash('sha256')]
  for await (const piece of piecesOf(rows)) {
    digest.update(piece)
    await Promise.all([gzipped.write(piece), br.write(piece)])
  }
  const [asGzip, asBr] = await Promise.all([gzipped.end(), br.end()])
  return new Body(etagWith(digest.digest('base64url')), { gzip: asGzip, br: asBr })
}

/** One compression in the thread pool, fed slice by slice. */
class Packing {
  readonly #stream: Zlib & NodeJS.ReadWriteStream
  readonly #chunks: Buffer[] = []
  readonly #ended: Promise<Buffer>

  constructor(stream: Zlib & NodeJS.ReadWriteStream) {
    this.#stream = stream
    this.#ended = new Promise((resolve, reject) => {
      stream.on('data', (chunk: Buffer) => this.#chunks.push(chunk))
      stream.on('end', () => resolve(Buffer.concat(this.#chunks)))
      stream.on('error', reject)
    })
    // It is waited for only at the end; until then `write` rejects with the same.
    this.#ended.catch(() => undefined)
  }

  write(slice: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stream.write(slice, (error) => (error ? reject(error) : resolve()))
    })
  }

  end(): Promise<Buffer> {
    this.#stream.end()
    return this.#ended
  }
}

/**
 * Levels by size, measured on rows like ours (7.1 MB): gzip 1 takes 10 ms and leaves 6.3 %, gzip 6 20 ms and 5.7 %; brotli 1 takes 5 ms
 * and leaves 5.3 %, brotli 5 45 ms and 4.9 %. So big lists, which are made most often, stay with the quick ones, and small ones get
 * the small bodies.
 */
function levelsFor(bytes: number) {
  return {
    gzip: { level: bytes < 512 * KIB ? 6 : bytes < 2048 * KIB ? 4 : 1, chunkSize: bytes < 64 * KIB ? 16 * KIB : 128 * KIB },
    br: {
      chunkSize: bytes < 64 * KIB ? 16 * KIB : 128 * KIB,
      params: {
        [constants.BROTLI_PARAM_QUALITY]: bytes < 512 * KIB ? 5 : bytes < 2048 * KIB ? 4 : 1,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
      },
    },
  }
}

function etagWith(digest: string): string {
  return `W/"${digest.slice(0, 22)}"`
}
