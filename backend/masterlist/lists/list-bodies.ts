/**
 * Lists that are not the plain one: filtered, pages, columns. Each is made once a version, when first asked for, and kept until the next
 * one.
 */
import type { Encoding } from '#backend/masterlist/wire/negotiation.ts'
import type { InTurn } from './changes.ts'
import { select } from './filtering.ts'
import { cursorOf } from './list-cursor.ts'
import type { RowsAsked } from './list-query.ts'
import { keptFor } from './packing.ts'
import { type Snapshot, type Variants, packed, packedColumns } from './snapshot.ts'

export interface ListBody {
  readonly version: string
  readonly variants: Variants
  /** The cursor of the next page; undefined where nothing follows. */
  readonly next: string | undefined
}

/** What is kept, counted as if nothing were compressed: who asks for it plain makes it so. */
const MOST_KEPT = 500
const MOST_ROWS = 100_000

interface Kept {
  readonly made: Promise<ListBody>
  body: ListBody | undefined
  rows: number
  /** The higher, the later it was asked for last. */
  lastUse: number
}

export class ListBodies {
  /** Of one version. */
  readonly #kept = new Map<string, Kept>()
  #version = ''
  #rows = 0
  #uses = 0

  /** What lies ready, or is being made for somebody else. */
  find({ key }: RowsAsked, { version }: Snapshot): ListBody | Promise<ListBody> | undefined {
    if (version !== this.#version) {
      this.#kept.clear()
      this.#rows = 0
      this.#version = version
    }
    const kept = this.#kept.get(key)
    if (kept === undefined) return undefined
    kept.lastUse = this.#uses += 1
    return kept.body ?? kept.made
  }

  /** Makes what `find` has not. Undefined where that was refused. @param encoding is made with it. */
  make(asked: RowsAsked, snapshot: Snapshot, encoding: Encoding, inTurn: InTurn): Promise<ListBody> | undefined {
    const made = inTurn(() => bodyOf(asked, snapshot, encoding))
    if (made === undefined) return undefined
    const kept: Kept = { made: made.then(({ body }) => body), body: undefined, rows: 0, lastUse: (this.#uses += 1) }
    this.#kept.set(asked.key, kept)
    made.then(
      ({ body, rows }) => {
        kept.body = body
        if (this.#kept.get(asked.key) !== kept) return
        kept.rows = rows
        this.#rows += rows
        this.#makeRoom()
      },
      () => {
        if (this.#kept.get(asked.key) === kept) this.#kept.delete(asked.key)
      },
    )
    return kept.made
  }

  /** The longest unused go, never the last; what is still being made reaches those who wait for it all the same. */
  #makeRoom(): void {
    if (this.#hasRoom) return
    for (const [key, { rows }] of [...this.#kept].toSorted(([, one], [, other]) => one.lastUse - other.lastUse)) {
      if (this.#hasRoom) return
      this.#kept.delete(key)
      this.#rows -= rows
    }
  }

  get #hasRoom(): boolean {
    return this.#kept.size === 1 || (this.#kept.size <= MOST_KEPT && this.#rows <= MOST_ROWS)
  }
}

type Made = Readonly<{ body: ListBody; rows: number }>

async function bodyOf(asked: RowsAsked, snapshot: Snapshot, encoding: Encoding): Promise<Made> {
  const { filters, after, limit = Infinity, isColumns } = asked
  const { version } = snapshot
  const { rows, next } = await select(snapshot.rows, filters, after, limit)
  const variants = await (isColumns ? packedColumns : packed)(rows, [keptFor(encoding)])
  await variants.body(encoding)
  if (next === undefined) return { rows: rows.length, body: { version, variants, next } }
  // Who has the same rows and took them for the last ones is to learn that more follow.
  const etag = `${variants.etag.slice(0, -1)}."`
  return { rows: rows.length, body: { version, variants: { etag, body: variants.body.bind(variants) }, next: cursorOf(next) } }
}
