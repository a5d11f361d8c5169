/** One published state of the list: immutable, in every encoding that readers ask for. */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const compressGzip = promisify(gzip)
const compressBrotli = promisify(brotliCompress)

/** One body in each encoding, under one weak ETag: the encodings say the same. */
export interface Variants {
  readonly etag: string
  readonly identity: Buffer
  readonly gzip: Buffer
  readonly br: Buffer
}

export interface Snapshot extends Variants {
  readonly version: string
  readonly servers: number
  readonly players: number
  readonly info: string
  readonly infoEtag: string
  /** The rows in their order and the branch of each: what `?branch=` is made of. */
  readonly rows: readonly string[]
  readonly branches: readonly string[]
  readonly branchNames: ReadonlySet<string>
}

/** Rows written between two breaths of the event loop: well under a millisecond. */
const ROWS_IN_A_SLICE = 2000
const CHUNK = 256 * 1024
const KIB = 1024

const breathe = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Writes the rows as one JSON array, in slices, so that announces are answered in between. @param bytes of all rows together. */
export async function joinRows(rows: readonly string[], bytes: number): Promise<Buffer> {
  const body = Buffer.allocUnsafeSlow(bytes + Math.max(rows.length - 1, 0) + 2)
  let at = body.write('[', 0, 'latin1')
  for (let index = 0; index < rows.length; index += 1) {
    if (index > 0) at += body.write(',', at, 'latin1')
    at += body.write(rows[index] ?? '', at, 'utf8')
    if (index % ROWS_IN_A_SLICE === ROWS_IN_A_SLICE - 1) await breathe()
  }
  body.write(']', at, 'latin1')
  return body
}

/**
 * Compresses in the thread pool. Levels by size, measured on rows like ours (7.1 MB): gzip 1 takes 10 ms and leaves 6.3 %, gzip 6
 * 20 ms and 5.7 %; brotli 1 takes 5 ms and leaves 5.3 %, brotli 5 45 ms and 4.9 %. So big lists, which are made most often, stay
 * with the quick ones, and small ones get the small bodies.
 */
export async function encode(raw: Buffer): Promise<Variants> {
  const [zipped, br, digest] = await Promise.all([
    compressGzip(raw, { level: raw.length < 512 * KIB ? 6 : raw.length < 2048 * KIB ? 4 : 1, chunkSize: CHUNK }),
    compressBrotli(raw, {
      chunkSize: CHUNK,
      params: {
        [constants.BROTLI_PARAM_QUALITY]: raw.length < 512 * KIB ? 5 : raw.length < 2048 * KIB ? 4 : 1,
        [constants.BROTLI_PARAM_SIZE_HINT]: raw.length,
      },
    }),
    crypto.subtle.digest('SHA-256', raw as Buffer<ArrayBuffer>),
  ])
  return { etag: `W/"${Buffer.from(digest).toString('base64url', 0, 16)}"`, identity: raw, gzip: zipped, br }
}
