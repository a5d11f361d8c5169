/**
 * Lists that are not the plain one: filtered, pages, columns. Each is made once a version, when first asked for, and kept until the next
 * one.
 */
import type { InTurn } from './changes.ts'
import { writeColumns } from './columns.ts'
import { select } from './filtering.ts'
import { cursorOf } from './list-cursor.ts'
import type { RowsAsked } from './list-query.ts'
import type { ShownRow } from './listed-row.ts'
import type { Encoding } from './negotiation.ts'
import { Body, type Snapshot, type Variants, packed } from './snapshot.ts'

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
}

export class ListBodies {
  /** Of one version. */
  readonly #kept = new Map<string, Kept>()
  #version = ''
  #rows = 0

  /** What lies ready, or is being made for somebody else. */
  find({ key }: RowsAsked, { version }: Snapshot): ListBody | Promise<ListBody> | undefined {
    if (version !== this.#version) {
      this.#kept.clear()
      this.#rows = 0
      this.#version = version
    }
    const kept = this.#kept.get(key)
    if (kept === undefined) return undefined
    // Last used is last in the map's order.
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    return kept.body ?? kept.made
  }

  /** Makes what `find` has not. Undefined where that was refused. @param encoding is made with it. */
  make(asked: RowsAsked, snapshot: Snapshot, encoding: Encoding, inTurn: InTurn): Promise<ListBody> | undefined {
    const made = inTurn(() => bodyOf(asked, snapshot, encoding))
    if (made === undefined) return undefined
    const kept: Kept = { made: made.then(({ body }) => body), body: undefined, rows: 0 }
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
    for (const [key, { rows }] of this.#kept) {
      if (this.#kept.size === 1 || (this.#kept.size <= MOST_KEPT && this.#rows <= MOST_ROWS)) return
      this.#kept.delete(key)
      this.#rows -= rows
    }
  }
}

async function bodyOf(asked: RowsAsked, snapshot: Snapshot, encoding: Encoding): Promise<{ body: ListBody; rows: number }> {
  const { filters, after, limit = Infinity, isColumns } = asked
  const { rows, next } = asked.isWhole ? { ...snapshot, next: undefined } : await select(snapshot.rows, filters, after, limit)
  const variants = isColumns ? await columnsOf(rows, asked, snapshot) : await packed(rows)
  await variants.body(encoding)
  const { version } = snapshot
  if (next === undefined) return { rows: rows.length, body: { version, variants, next } }
  // Who has the same rows and took them for the last ones is to learn that more follow.
  const etag = `${variants.etag.slice(0, -1)}."`
  return { rows: rows.length, body: { version, variants: { etag, body: variants.body.bind(variants) }, next: cursorOf(next) } }
}

async function columnsOf(rows: readonly ShownRow[], { isWhole }: RowsAsked, snapshot: Snapshot): Promise<Variants> {
  const identity = await writeColumns(rows)
  // Columns of the same rows are the same.
  if (isWhole) return new Body(`${snapshot.etag.slice(0, -1)}-columns"`, { identity })
  const digest = await crypto.subtle.digest('SHA-256', identity as Buffer<ArrayBuffer>)
  return new Body(`W/"${Buffer.from(digest).toString('base64url').slice(0, 22)}"`, { identity })
}
