/** A file of the signed list, and how the list and mirrors send it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { EncodedBody, etagOf } from '#backend/masterlist/lists/encoded-body.ts'
import type { InFlightResponses } from '#backend/masterlist/lists/in-flight-responses.ts'
import { REVALIDATED, SHARED_FOR_A_SECOND } from '#backend/masterlist/wire/list-heads.ts'
import { type Encoding, encodingFor, matchesEtag } from '#backend/platform/http/negotiation.ts'
import { nextRequestId } from '#backend/platform/http/request-id.ts'

export const SHA256 = /^[0-9a-f]{64}$/

const IMMUTABLE = 'public, max-age=31536000, immutable'
const TEXT = 'text/plain; charset=utf-8'

/** By what the file is. A cache that keeps key notes too long would make readers reject a head of a new key. */
const KINDS = {
  head: { type: TEXT, cacheControl: SHARED_FOR_A_SECOND },
  keys: { type: TEXT, cacheControl: REVALIDATED },
  chunk: { type: 'application/json', cacheControl: IMMUTABLE },
} as const

export interface SignedFile {
  readonly kind: keyof typeof KINDS
  readonly etag: string
  body(encoding: Encoding): Promise<Buffer>
}

/** A head or key notes. */
export function textFile(kind: 'head' | 'keys', text: string): SignedFile {
  const body = new EncodedBody(etagOf(text), Buffer.byteLength(text), () => [text])
  return { kind, etag: body.etag, body: (encoding) => body.body(encoding) }
}

/** A chunk, which is kept compressed. Other encodings are made when a reader requests them. */
export class Chunk implements SignedFile {
  readonly kind = 'chunk'
  readonly sha256: string
  /** Uncompressed. */
  readonly bytes: number
  readonly etag: string
  readonly #brotli: Buffer
  readonly #others: EncodedBody

  private constructor(sha256: string, bytes: number, brotli: Buffer) {
    this.sha256 = sha256
    this.bytes = bytes
    this.etag = `W/"${sha256.slice(0, 22)}"`
    this.#brotli = brotli
    this.#others = new EncodedBody(this.etag, bytes, () => this.#pieces())
  }

  /** @param sha256 of the raw bytes. */
  static async compress(sha256: string, raw: Buffer): Promise<Chunk> {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length }
    return new Chunk(sha256, raw.length, await promisify(brotliCompress)(raw, { params }))
  }

  /** What it takes in memory, with its gzip. */
  get memory(): number {
    return 2 * this.#brotli.length
  }

  async body(encoding: Encoding): Promise<Buffer> {
    return encoding === 'br' ? this.#brotli : this.#others.body(encoding)
  }

  async *#pieces(): AsyncGenerator<Buffer> {
    yield await promisify(brotliDecompress)(this.#brotli)
  }
}

/** Sends a file, or 304. Returns false, and sends nothing, if the reader has too many unread replies. */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: SignedFile,
  inFlight: InFlightResponses,
  readerKey: string,
): Promise<boolean> {
  const { type, cacheControl } = KINDS[file.kind]
  const headers: Record<string, string | number> = {
    ETag: file.etag,
    Vary: 'Accept-Encoding',
    'Cache-Control': cacheControl,
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'ETag, X-Request-Id',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': nextRequestId(),
  }
  if (matchesEtag(request.headers['if-none-match'], file.etag)) {
    response.writeHead(304, headers).end()
    return true
  }
  const encoding = encodingFor(request.headers['accept-encoding'])
  const body = await file.body(encoding)
  headers['Content-Type'] = type
  headers['Content-Length'] = body.length
  if (encoding !== 'identity') headers['Content-Encoding'] = encoding
  const writeHead = () => response.writeHead(200, headers)
  if (request.method !== 'HEAD') return inFlight.end(response, readerKey, body, writeHead)
  writeHead().end()
  return true
}
