/** Filtered lists, pages and columns: each is made once per version, when first asked for. */
import { LRUCache } from 'lru-cache'
import type { Encoding } from '#backend/platform/http/negotiation.ts'
import type { InTurn } from './changes.ts'
import { select } from './filtering.ts'
import { type RowsAsked, cursorOf } from './list-query.ts'
import { keptFor } from './packing.ts'
import { type Snapshot, type Variants, packed, packedColumns } from './snapshot.ts'

export interface ListBody {
  readonly version: string
  readonly variants: Variants
  /** The cursor of the next page; undefined where no row follows. */
  readonly next: string | undefined
}

const MAX_BODIES = 500
/** In all bodies, as if nothing were compressed: a reader may ask for identity. */
const MAX_ROWS = 100_000

export class ListBodies {
  /** Of one version. */
  readonly #bodies = new LRUCache<string, ListBody | Promise<ListBody>>({ max: MAX_BODIES, maxSize: MAX_ROWS })
  #version = ''

  /** A body that is ready, or is being made for another reader. */
  find({ key }: RowsAsked, { version }: Snapshot): ListBody | Promise<ListBody> | undefined {
    if (version !== this.#version) {
      this.#bodies.clear()
      this.#version = version
    }
    return this.#bodies.get(key)
  }

  /** Makes what `find` has not; undefined where that was rejected. @param encoding is made with it. */
  make(asked: RowsAsked, snapshot: Snapshot, encoding: Encoding, inTurn: InTurn): Promise<ListBody> | undefined {
    const made = inTurn(() => bodyOf(asked, snapshot, encoding))
    if (made === undefined) return undefined
    const { key } = asked
    const making = made.then(({ body }) => body)
    this.#bodies.set(key, making, { size: 1 })
    made.then(
      ({ body, rows }) => {
        if (this.#bodies.peek(key) === making) this.#bodies.set(key, body, { size: Math.min(Math.max(rows, 1), MAX_ROWS) })
      },
      () => {
        if (this.#bodies.peek(key) === making) this.#bodies.delete(key)
      },
    )
    return making
  }
}

async function bodyOf(
  { filters, after, limit = Infinity, isColumns }: RowsAsked,
  { version, rows: all }: Snapshot,
  encoding: Encoding,
): Promise<{ readonly body: ListBody; readonly rows: number }> {
  const { rows, next } = await select(all, filters, after, limit)
  const variants = await (isColumns ? packedColumns : packed)(rows, [keptFor(encoding)])
  await variants.body(encoding)
  if (next === undefined) return { rows: rows.length, body: { version, variants, next } }
  // Another tag than the last page's with the same rows: its reader must learn that more follow.
  const etag = `${variants.etag.slice(0, -1)}."`
  return { rows: rows.length, body: { version, variants: { etag, body: variants.body.bind(variants) }, next: cursorOf(next) } }
}
