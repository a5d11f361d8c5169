/** Bodies that many readers get: immutable, in every encoding that readers ask for. */
import { createHash, hash } from 'node:crypto'
import type { ShownRow } from '#backend/masterlist/registry/listed-row.ts'
import type { Encoding } from '#backend/platform/http/negotiation.ts'
import { columnPieces } from './columns.ts'
import { BYTES_PER_ROW, rowPieces } from './list-text.ts'
import { type Compressed, expanded, expandedInPieces, packedOf } from './packing.ts'

/** One body under one weak ETag: the encodings say the same. */
export interface Variants {
  readonly etag: string
  /** Lies ready, or is made once for all who ask. */
  body(encoding: Encoding): Buffer | Promise<Buffer>
}

/** The published list as it was at one moment. */
export interface Snapshot {
  /** What has changed since is asked for by this. */
  readonly version: string
  /** The rows in the order of the list: what every body is made of. `rowJson` writes one. */
  readonly rows: readonly ShownRow[]
}

/** What lies ready of one body; the rest is made of that. */
type Ready = Readonly<Partial<Record<Encoding, Buffer>>>
type OneReady = readonly [Encoding, Buffer]

/** Writes the body anew, in pieces. Each holds until the next is asked for. */
type Anew = () => AsyncIterable<Buffer>

const KIB = 1024
/** How long after its last reader a large body is kept as it was before compression, up to twice that: few ask for it so, and it takes more memory than all else. */
const IDENTITY_KEPT_MS = 3000
const LARGE_BYTES = 64 * KIB

export class Body implements Variants {
  readonly etag: string
  readonly #made: Partial<Record<Encoding, Buffer | Promise<Buffer>>>
  /** How many bytes it has as identity. */
  readonly length: number
  readonly #anew: Anew | undefined
  #isForgetting = false
  /** Since it was last thought of forgetting identity. */
  #isIdentityRead = false

  /** @param length how many bytes its identity has, where that is not among what lies ready. @param anew where nothing may lie ready. */
  constructor(etag: string, ready: Ready, length = ready.identity?.length ?? 0, anew?: Anew) {
    this.etag = etag
    this.#made = { ...ready }
    this.length = length
    // What lies ready needs nothing that it was made of.
    this.#anew = Object.keys(ready).length === 0 ? anew : undefined
  }

  body(encoding: Encoding): Buffer | Promise<Buffer> {
    if (encoding === 'identity') this.#isIdentityRead = true
    const known = this.#made[encoding]
    if (known !== undefined) return known
    const making = this.#make(encoding, this.#ready() === undefined ? this.#beingMade() : undefined)
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

  /**
   * Of what is compressed otherwise, where it lies nowhere as identity: for another compression that is not made whole.
   * @param first is waited for, so that of what nothing lies ready yet is written anew only once.
   */
  async #make(encoding: Encoding, first: Promise<Buffer> | undefined): Promise<Buffer> {
    await first?.catch(() => undefined)
    const ready = this.#ready()
    if (encoding !== 'identity') {
      const { made } = await packedOf(this.#pieces(ready), this.length, [encoding])
      return made[encoding]
    }
    if (ready === undefined) return this.#joined()
    const [from, bytes] = ready
    return from === 'identity' ? bytes : expanded(bytes, from, this.length)
  }

  /** Who was asked for before, if anybody: nobody waits for who waits for him. */
  #beingMade(): Promise<Buffer> | undefined {
    return Object.values(this.#made).find((made) => made instanceof Promise)
  }

  #pieces(ready: OneReady | undefined): AsyncIterable<Buffer> | Iterable<Buffer> {
    if (ready === undefined) return this.#written()
    const [from, bytes] = ready
    return from === 'identity' ? [bytes] : expandedInPieces(bytes, from, this.length)
  }

  async #joined(): Promise<Buffer> {
    const whole = Buffer.allocUnsafeSlow(this.length)
    let at = 0
    for await (const piece of this.#written()) at += piece.copy(whole, at)
    return whole
  }

  #written(): AsyncIterable<Buffer> {
    if (this.#anew === undefined) throw new Error('Nothing of the body lies ready.')
    return this.#anew()
  }

  #ready(): OneReady | undefined {
    const { identity, gzip, br } = this.#made
    if (Buffer.isBuffer(identity)) return ['identity', identity]
    if (Buffer.isBuffer(gzip)) return ['gzip', gzip]
    if (Buffer.isBuffer(br)) return ['br', br]
    return undefined
  }

  /** Soon, where it is large and can be made again. */
  #letIdentityGo(): void {
    const { identity, gzip: zipped, br } = this.#made
    if (!Buffer.isBuffer(identity) || identity.length < LARGE_BYTES) return
    if (this.#anew === undefined && !Buffer.isBuffer(zipped) && !Buffer.isBuffer(br)) return
    if (this.#isForgetting) return
    this.#isForgetting = true
    this.#isIdentityRead = false
    // Nothing of a body whose place has been taken is kept by its timer.
    const reference = new WeakRef(this)
    setTimeout(() => {
      const body = reference.deref()
      if (body !== undefined) body.#forgetIdentity()
    }, IDENTITY_KEPT_MS).unref()
  }

  #forgetIdentity(): void {
    this.#isForgetting = false
    if (this.#isIdentityRead) this.#letIdentityGo()
    else delete this.#made.identity
  }
}

/** A body of a text that lies ready; compressed when first asked for. */
export function bodyOf(text: string, etag = etagOf(text)): Body {
  return new Body(etag, { identity: Buffer.from(text) })
}

/** Of nothing but the content, so it is the same in every life and on every node. */
export function etagOf(text: string | Buffer): string {
  return etagWith(hash('sha256', text, 'base64url'))
}

/** Bytes in these encodings; nothing holds on to what they were. @param anew for more encodings, where there may be none of these. */
export async function compressed(bytes: Buffer, etag: string, encodings: readonly Compressed[], anew?: Anew): Promise<Body> {
  const { made, length } = await packedOf([bytes], bytes.length, encodings)
  return new Body(etag, made, length, anew)
}

/** The rows' text in pieces. */
export const rowsAnew =
  (rows: readonly ShownRow[]): Anew =>
  () =>
    rowPieces(rows)

/** Compresses the rows' text as it is written: what is not compressed exists only in pieces. */
export function packed(rows: readonly ShownRow[], encodings: readonly Compressed[]): Promise<Body> {
  return bodyInPieces(rowPieces(rows), rows.length * BYTES_PER_ROW, encodings, rowsAnew(rows))
}

/** The same of the rows' columns. */
export function packedColumns(rows: readonly ShownRow[], encodings: readonly Compressed[]): Promise<Body> {
  return bodyInPieces(columnPieces(rows), (rows.length * BYTES_PER_ROW) / 2, encodings)
}

async function bodyInPieces(pieces: AsyncIterable<Buffer>, about: number, encodings: readonly Compressed[], anew?: Anew): Promise<Body> {
  const digest = createHash('sha256')
  const { made, length } = await packedOf(pieces, about, encodings, (piece) => digest.update(piece))
  return new Body(etagWith(digest.digest('base64url')), made, length, anew)
}

function etagWith(digest: string): string {
  return `W/"${digest.slice(0, 22)}"`
}
