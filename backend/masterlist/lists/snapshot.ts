/** Bodies for many readers: immutable, in every requested encoding. */
import { createHash, hash } from 'node:crypto'
import type { PublishedRow } from '#backend/masterlist/registry/listed-row.ts'
import type { Encoding } from '#backend/platform/http/negotiation.ts'
import { columnPieces } from './columns.ts'
import { legacyJson } from './legacy-server.ts'
import { BYTES_PER_ROW, rowPieces } from './list-text.ts'
import { type Compressed, decompress, decompressInPieces, compressPieces } from './compression.ts'

/** One body in several encodings, under one weak ETag. */
export interface Variants {
  readonly etag: string
  /** Returns the buffer, or a promise of it that concurrent readers share. */
  body(encoding: Encoding): Buffer | Promise<Buffer>
}

export interface Snapshot {
  /** Readers request the changes since this version. */
  readonly version: string
  /** In list order. All bodies are built from these rows. */
  readonly rows: readonly PublishedRow[]
}

/** How long a large identity body is kept after its last reader. Few request it, and it takes more memory than everything else. */
const IDENTITY_TTL_MS = 3000
const LARGE_BYTES = 64 * 1024

export class EncodedBody implements Variants {
  readonly etag: string
  readonly #bodies: Partial<Record<Encoding, Buffer | Promise<Buffer>>>
  /** Size of the identity encoding. */
  readonly length: number
  #identityTimer: NodeJS.Timeout | undefined

  /** @param ready at least one encoding, from which the others are encoded. @param length size of the identity encoding. */
  constructor(etag: string, ready: Readonly<Partial<Record<Encoding, Buffer>>>, length = ready.identity?.length ?? 0) {
    this.etag = etag
    this.#bodies = { ...ready }
    this.length = length
  }

  body(encoding: Encoding): Buffer | Promise<Buffer> {
    if (encoding === 'identity') this.#identityTimer?.refresh()
    const existing = this.#bodies[encoding]
    if (existing !== undefined) return existing
    const pending = this.#encode(encoding)
    this.#bodies[encoding] = pending
    pending.then(
      (body) => {
        this.#bodies[encoding] = body
        this.#expireIdentity()
      },
      // The next reader tries again.
      () => delete this.#bodies[encoding],
    )
    return pending
  }

  async #encode(encoding: Encoding): Promise<Buffer> {
    const { from, bytes } = this.#ready()
    if (encoding === 'identity') return from === 'identity' ? bytes : decompress(bytes, from, this.length)
    const pieces = from === 'identity' ? [bytes] : decompressInPieces(bytes, from, this.length)
    return (await compressPieces(pieces, this.length, [encoding])).bodies[encoding]
  }

  #ready(): { readonly from: Encoding; readonly bytes: Buffer } {
    for (const from of ['identity', 'gzip', 'br'] as const) {
      const bytes = this.#bodies[from]
      if (Buffer.isBuffer(bytes)) return { from, bytes }
    }
    throw new Error('No encoding of the body is ready.')
  }

  /** Drops a large identity encoding some time after its last reader, if it can be decompressed again. */
  #expireIdentity(): void {
    const { identity, gzip, br } = this.#bodies
    if (!Buffer.isBuffer(identity) || identity.length < LARGE_BYTES || this.#identityTimer !== undefined) return
    if (!Buffer.isBuffer(gzip) && !Buffer.isBuffer(br)) return
    // The timer must not retain a replaced body.
    const reference = new WeakRef(this)
    this.#identityTimer = setTimeout(() => {
      const body = reference.deref()
      if (body === undefined) return
      body.#identityTimer = undefined
      delete body.#bodies.identity
    }, IDENTITY_TTL_MS).unref()
  }
}

/** Depends only on the content, so it is equal on all nodes and after a restart. */
export function etagOf(text: string | Buffer): string {
  return etagWith(hash('sha256', text, 'base64url'))
}

/** Compresses rows while they are serialized, so that the text exists only in pieces. */
export function compressRows(rows: readonly PublishedRow[], encodings: readonly Compressed[]): Promise<EncodedBody> {
  return bodyInPieces(rowPieces(rows), rows.length * BYTES_PER_ROW, encodings)
}

export function compressLegacyRows(rows: readonly PublishedRow[], encodings: readonly Compressed[]): Promise<EncodedBody> {
  return bodyInPieces(rowPieces(rows, legacyJson), rows.length * BYTES_PER_ROW, encodings)
}

export function compressColumns(rows: readonly PublishedRow[], encodings: readonly Compressed[]): Promise<EncodedBody> {
  return bodyInPieces(columnPieces(rows), (rows.length * BYTES_PER_ROW) / 2, encodings)
}

async function bodyInPieces(pieces: AsyncIterable<Buffer>, expectedBytes: number, encodings: readonly Compressed[]): Promise<EncodedBody> {
  const digest = createHash('sha256')
  const { bodies, length } = await compressPieces(pieces, expectedBytes, encodings, (piece) => digest.update(piece))
  return new EncodedBody(etagWith(digest.digest('base64url')), bodies, length)
}

const etagWith = (digest: string) => `W/"${digest.slice(0, 22)}"`
