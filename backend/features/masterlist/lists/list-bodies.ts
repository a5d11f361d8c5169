/**
 * Lists that are not the plain one: filtered, pages, columns. Each is made once a version, when first asked for, and kept until the next
 * one.
 */
import type { ShownRow } from '#backend/features/masterlist/registry/listed-row.ts'
import type { Encoding } from '#backend/features/masterlist/wire/negotiation.ts'
import type { InTurn } from './changes.ts'
import { ColumnsText } from './columns-text.ts'
import { select } from './filtering.ts'
import { cursorOf } from './list-cursor.ts'
import type { RowsAsked } from './list-query.ts'
import { COMPRESSED, type Compressed } from './packing.ts'
import { PROMPT_SERVERS } from './publisher.ts'
import { Body, type Snapshot, type Variants, compressed, packed, packedColumns } from './snapshot.ts'

export interface ListBody {
  readonly version: string
  readonly variants: Variants
  /** The cursor of the next page; undefined where nothing follows. */
  readonly next: string | undefined
}

/** What is kept, counted as if nothing were compressed: who asks for it plain makes it so. */
const MOST_KEPT = 500
const MOST_ROWS = 100_000
/** How long the whole prompt list's columns are kept as text, to copy the next ones from: some 11 MB at its largest. */
const TEXT_KEPT_MS = 10_000

interface Kept {
  readonly made: Promise<ListBody>
  body: ListBody | undefined
  rows: number
}

export class ListBodies {
  /** Of one version. */
  readonly #kept = new Map<string, Kept>()
  readonly #columns = new WholeColumns()
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
    const made = inTurn(() => bodyOf(asked, snapshot, encoding, this.#columns))
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

type Made = Readonly<{ body: ListBody; rows: number }>

async function bodyOf(asked: RowsAsked, snapshot: Snapshot, encoding: Encoding, columns: WholeColumns): Promise<Made> {
  const { filters, after, limit = Infinity, isColumns, isWhole } = asked
  const { version } = snapshot
  if (isColumns && isWhole) {
    const variants = await columns.of(snapshot, encoding)
    return { rows: snapshot.rows.length, body: { version, variants, next: undefined } }
  }
  const { rows, next } = await select(snapshot.rows, filters, after, limit)
  const variants = await (isColumns ? packedColumns : packed)(rows, [keptFor(encoding)])
  await variants.body(encoding)
  if (next === undefined) return { rows: rows.length, body: { version, variants, next } }
  // Who has the same rows and took them for the last ones is to learn that more follow.
  const etag = `${variants.etag.slice(0, -1)}."`
  return { rows: rows.length, body: { version, variants: { etag, body: variants.body.bind(variants) }, next: cursorOf(next) } }
}

/** What is made as the rows are written; identity is made of it. */
const keptFor = (encoding: Encoding): Compressed => (encoding === 'identity' ? 'gzip' : encoding)

/** The columns of the whole list, which many read again and again. */
class WholeColumns {
  #text: ColumnsText | undefined
  #lettingGo: NodeJS.Timeout | undefined
  /** Settled when the last ones that were asked for are done with the text. */
  #last: Promise<unknown> = Promise.resolve()
  /** What the last ones were read in: it is made at once, because what they are made of is written over. */
  #read = new Set<Encoding>()

  of({ rows, etag: ofRows }: Snapshot, encoding: Encoding): Promise<Variants> {
    // Columns of the same rows are the same.
    const etag = `${ofRows.slice(0, -1)}-columns"`
    if (rows.length > PROMPT_SERVERS) return this.#large(rows, etag, encoding)
    // One after the other, for they share the text.
    const made = this.#last.then(() => this.#small(rows, etag, encoding))
    this.#last = made.then(nothing, nothing)
    return made
  }

  async #large(rows: readonly ShownRow[], etag: string, encoding: Encoding): Promise<Variants> {
    this.#text = undefined
    const body = await packedColumns(rows, [keptFor(encoding)], etag)
    await body.body(encoding)
    return body
  }

  async #small(rows: readonly ShownRow[], etag: string, encoding: Encoding): Promise<Variants> {
    clearTimeout(this.#lettingGo)
    try {
      const body = await this.#bodyOf(rows, etag, encoding)
      const read = (this.#read = new Set([encoding]))
      const noting = (asked: Encoding) => {
        read.add(asked)
        return body.body(asked)
      }
      return { etag, body: noting }
    } finally {
      this.#lettingGo = setTimeout(() => (this.#text = undefined), TEXT_KEPT_MS).unref()
    }
  }

  /** Nothing of it lies in the text any more. */
  async #bodyOf(rows: readonly ShownRow[], etag: string, encoding: Encoding): Promise<Body> {
    this.#text ??= new ColumnsText()
    const bytes = await this.#text.write(rows)
    if (encoding === 'identity') return new Body(etag, { identity: Buffer.from(bytes) })
    const encodings = COMPRESSED.filter((one) => one === encoding || this.#read.has(one))
    return compressed(bytes, etag, encodings)
  }
}

const nothing = () => undefined
