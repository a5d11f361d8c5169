/** Bodies that many readers get: immutable, in every encoding that readers ask for. */
import { createHash, hash } from 'node:crypto'
import type { ShownRow } from '#backend/masterlist/registry/listed-row.ts'
import type { Encoding } from '#backend/platform/http/negotiation.ts'
import { columnPieces } from './columns.ts'
import { BYTES_PER_ROW, rowPieces } from './list-text.ts'
import { type Compressed, expanded, expandedInPieces, packedOf } from './packing.ts'

/** One body under one weak ETag, which is the same for all encodings. */
export interface Variants {
  readonly etag: string
  /** A buffer that is ready, or one that is made once for all who ask. */
  body(encoding: Encoding): Buffer | Promise<Buffer>
}

/** The published list at one moment. */
export interface Snapshot {
  /** Readers ask with it for what has changed since. */
  readonly version: string
  /** In the order of the list: every body is made of them. */
  readonly rows: readonly ShownRow[]
}

type Ready = Readonly<Partial<Record<Encoding, Buffer>>>
type ReadyBody = { readonly from: Encoding; readonly bytes: Buffer }

/** Writes the body again, in pieces. Each is valid until the next is asked for. */
type Rewrite = () => AsyncIterable<Buffer>

/** How long a large identity body is kept after its last reader: few ask for it, and it takes more memory than everything else. */
const IDENTITY_KEPT_MS = 3000
const LARGE_BYTES = 64 * 1024

export class Body implements Variants {
  readonly etag: string
  readonly #made: Partial<Record<Encoding, Buffer | Promise<Buffer>>>
  /** The size of its identity. */
  readonly length: number
  readonly #rewrite: Rewrite | undefined
  #identityTimer: NodeJS.Timeout | undefined

  /** @param length of its identity. @param rewrite is needed only where nothing is ready. */
  constructor(etag: string, ready: Ready, length = ready.identity?.length ?? 0, rewrite?: Rewrite) {
    this.etag = etag
    this.#made = { ...ready }
    this.length = length
    this.#rewrite = Object.keys(ready).length === 0 ? rewrite : undefined
  }

  body(encoding: Encoding): Buffer | Promise<Buffer> {
    if (encoding === 'identity') this.#identityTimer?.refresh()
    const known = this.#made[encoding]
    if (known !== undefined) return known
    const making = this.#make(encoding, this.#ready() === undefined ? this.#beingMade() : undefined)
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

  /** @param first is waited for, so that a body of which nothing is ready is rewritten only once. */
  async #make(encoding: Encoding, first: Promise<Buffer> | undefined): Promise<Buffer> {
    await first?.catch(() => undefined)
    const ready = this.#ready()
    if (encoding !== 'identity') return (await packedOf(this.#pieces(ready), this.length, [encoding])).made[encoding]
    if (ready !== undefined) return ready.from === 'identity' ? ready.bytes : expanded(ready.bytes, ready.from, this.length)
    const whole = Buffer.allocUnsafeSlow(this.length)
    let at = 0
    for await (const piece of this.#pieces(undefined)) at += piece.copy(whole, at)
    return whole
  }

  /** The encoding that was asked for first, so that no two wait for each other. */
  #beingMade(): Promise<Buffer> | undefined {
    return Object.values(this.#made).find((made) => made instanceof Promise)
  }

  #pieces(ready: ReadyBody | undefined): AsyncIterable<Buffer> | Iterable<Buffer> {
    if (ready !== undefined) return ready.from === 'identity' ? [ready.bytes] : expandedInPieces(ready.bytes, ready.from, this.length)
    if (this.#rewrite === undefined) throw new Error('Nothing of the body is ready.')
    return this.#rewrite()
  }

  #ready(): ReadyBody | undefined {
    for (const from of ['identity', 'gzip', 'br'] as const) {
      const bytes = this.#made[from]
      if (Buffer.isBuffer(bytes)) return { from, bytes }
    }
    return undefined
  }

  /** Drops a large identity after its last reader, where it can be made again. */
  #expireIdentity(): void {
    const { identity, gzip, br } = this.#made
    if (!Buffer.isBuffer(identity) || identity.length < LARGE_BYTES || this.#identityTimer !== undefined) return
    if (this.#rewrite === undefined && !Buffer.isBuffer(gzip) && !Buffer.isBuffer(br)) return
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

/** A body of a text; compressed when first asked for. */
export function bodyOf(text: string, etag = etagOf(text)): Body {
  return new Body(etag, { identity: Buffer.from(text) })
}

/** Depends on the content only, so it is the same on every node and after a restart. */
export function etagOf(text: string | Buffer): string {
  return etagWith(hash('sha256', text, 'base64url'))
}

/** Bytes in these encodings; the bytes themselves are not kept. @param rewrite for other encodings, where there may be none of these. */
export async function compressed(bytes: Buffer, etag: string, encodings: readonly Compressed[], rewrite?: Rewrite): Promise<Body> {
  const { made, length } = await packedOf([bytes], bytes.length, encodings)
  return new Body(etag, made, length, rewrite)
}

/** Compresses rows as they are written, so the text exists only in pieces. */
export function packed(rows: readonly ShownRow[], encodings: readonly Compressed[]): Promise<Body> {
  return bodyInPieces(rowPieces(rows), rows.length * BYTES_PER_ROW, encodings, () => rowPieces(rows))
}

/** The same of the rows' columns. */
export function packedColumns(rows: readonly ShownRow[], encodings: readonly Compressed[]): Promise<Body> {
  return bodyInPieces(columnPieces(rows), (rows.length * BYTES_PER_ROW) / 2, encodings)
}

async function bodyInPieces(
  pieces: AsyncIterable<Buffer>,
  about: number,
  encodings: readonly Compressed[],
  rewrite?: Rewrite,
): Promise<Body> {
  const digest = createHash('sha256')
  const { made, length } = await packedOf(pieces, about, encodings, (piece) => digest.update(piece))
  return new Body(etagWith(digest.digest('base64url')), made, length, rewrite)
}

const etagWith = (digest: string) => `W/"${digest.slice(0, 22)}"`
