/** Bodies that many readers get: immutable, in every encoding that readers ask for. */
import { createHash, hash } from 'node:crypto'
import type { PublishedRow } from '#backend/masterlist/registry/listed-row.ts'
import type { Encoding } from '#backend/platform/http/negotiation.ts'
import { columnPieces } from './columns.ts'
import { BYTES_PER_ROW, rowPieces } from './list-text.ts'
import { type Compressed, decompress, decompressInPieces, compressPieces } from './compression.ts'

/** One body under one weak ETag, which is the same for all encodings. */
export interface Variants {
  readonly etag: string
  /** A buffer that is ready, or one that is made once for all who ask. */
  body(encoding: Encoding): Buffer | Promise<Buffer>
}

export interface Snapshot {
  /** Readers ask with it for what has changed since. */
  readonly version: string
  /** In the order of the list: every body is made of them. */
  readonly rows: readonly PublishedRow[]
}

/** How long a large identity body is kept after its last reader: few ask for it, and it takes more memory than everything else. */
const IDENTITY_KEPT_MS = 3000
const LARGE_BYTES = 64 * 1024

export class EncodedBody implements Variants {
  readonly etag: string
  readonly #made: Partial<Record<Encoding, Buffer | Promise<Buffer>>>
  /** The size of its identity. */
  readonly length: number
  #identityTimer: NodeJS.Timeout | undefined

  /** @param ready at least one; the others are made of it. @param length of its identity. */
  constructor(etag: string, ready: Readonly<Partial<Record<Encoding, Buffer>>>, length = ready.identity?.length ?? 0) {
    this.etag = etag
    this.#made = { ...ready }
    this.length = length
  }

  body(encoding: Encoding): Buffer | Promise<Buffer> {
    if (encoding === 'identity') this.#identityTimer?.refresh()
    const known = this.#made[encoding]
    if (known !== undefined) return known
    const making = this.#make(encoding)
    this.#made[encoding] = making
    making.then(
      (made) => {
        this.#made[encoding] = made
        this.#expireIdentity()
      },
      // The next reader tries again.
      () => delete this.#made[encoding],
    )
    return making
  }

  async #make(encoding: Encoding): Promise<Buffer> {
    const { from, bytes } = this.#ready()
    if (encoding === 'identity') return from === 'identity' ? bytes : decompress(bytes, from, this.length)
    const pieces = from === 'identity' ? [bytes] : decompressInPieces(bytes, from, this.length)
    return (await compressPieces(pieces, this.length, [encoding])).made[encoding]
  }

  #ready(): { readonly from: Encoding; readonly bytes: Buffer } {
    for (const from of ['identity', 'gzip', 'br'] as const) {
      const bytes = this.#made[from]
      if (Buffer.isBuffer(bytes)) return { from, bytes }
    }
    throw new Error('Nothing of the body is ready.')
  }

  /** Drops a large identity after its last reader, where it can be made again. */
  #expireIdentity(): void {
    const { identity, gzip, br } = this.#made
    if (!Buffer.isBuffer(identity) || identity.length < LARGE_BYTES || this.#identityTimer !== undefined) return
    if (!Buffer.isBuffer(gzip) && !Buffer.isBuffer(br)) return
    // The timer must not keep a replaced body in memory.
    const reference = new WeakRef(this)
    this.#identityTimer = setTimeout(() => {
      const body = reference.deref()
      if (body === undefined) return
      body.#identityTimer = undefined
      delete body.#made.identity
    }, IDENTITY_KEPT_MS).unref()
  }
}

/** Depends on the content only, so it is the same on every node and after a restart. */
export function etagOf(text: string | Buffer): string {
  return etagWith(hash('sha256', text, 'base64url'))
}

/** Compresses rows as they are written, so the text exists only in pieces. */
export function compressRows(rows: readonly PublishedRow[], encodings: readonly Compressed[]): Promise<EncodedBody> {
  return bodyInPieces(rowPieces(rows), rows.length * BYTES_PER_ROW, encodings)
}

export function compressColumns(rows: readonly PublishedRow[], encodings: readonly Compressed[]): Promise<EncodedBody> {
  return bodyInPieces(columnPieces(rows), (rows.length * BYTES_PER_ROW) / 2, encodings)
}

async function bodyInPieces(pieces: AsyncIterable<Buffer>, about: number, encodings: readonly Compressed[]): Promise<EncodedBody> {
  const digest = createHash('sha256')
  const { made, length } = await compressPieces(pieces, about, encodings, (piece) => digest.update(piece))
  return new EncodedBody(etagWith(digest.digest('base64url')), made, length)
}

const etagWith = (digest: string) => `W/"${digest.slice(0, 22)}"`
