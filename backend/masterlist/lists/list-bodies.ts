/** Filtered lists, pages and columns: each is made once per version, when first asked for. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { PublishedRow } from '#backend/masterlist/registry/listed-row.ts'
import type { Encoding } from '#backend/platform/http/negotiation.ts'
import type { Labels } from '#backend/masterlist/wire/list-heads.ts'
import type { RunQueued } from './deltas.ts'
import { type Filters, type SortKey, type RowsQuery, fold, nextOf } from './list-query.ts'
import { storedEncodingFor } from './compression.ts'
import { type Snapshot, type Variants, compressRows, compressColumns } from './snapshot.ts'

interface ListBody extends Labels {
  readonly variants: Variants
  readonly rows: number
}

const MAX_BODIES = 500
/** In all bodies, as if nothing were compressed: a reader may ask for identity. */
const MAX_ROWS = 100_000
/** At most a millisecond of folding texts. */
const ROWS_PER_SLICE = 250

export class ListBodies {
  readonly #bodies = new LRUCache<string, ListBody | Promise<ListBody>>({ max: MAX_BODIES, maxSize: MAX_ROWS })
  #version = ''

  /** A body that is ready, or is being made for another reader. */
  find({ key }: RowsQuery, { version }: Snapshot): ListBody | Promise<ListBody> | undefined {
    if (version !== this.#version) {
      this.#bodies.clear()
      this.#version = version
    }
    return this.#bodies.get(key)
  }

  /** Makes what `find` has not; undefined where that was rejected. @param encoding is made with it. */
  make(asked: RowsQuery, snapshot: Snapshot, encoding: Encoding, inTurn: RunQueued): Promise<ListBody> | undefined {
    const making = inTurn(() => bodyOf(asked, snapshot, encoding))
    if (making === undefined) return undefined
    const { key } = asked
    this.#bodies.set(key, making, { size: 1 })
    const replace = (body: ListBody | undefined) => {
      if (this.#bodies.peek(key) === making) this.#bodies.set(key, body, { size: Math.min(Math.max(body?.rows ?? 1, 1), MAX_ROWS) })
    }
    making.then(replace, () => replace(undefined))
    return making
  }
}

async function bodyOf(asked: RowsQuery, { version, rows: all }: Snapshot, encoding: Encoding): Promise<ListBody> {
  const { rows, hasMore } = await select(asked, all)
  const variants = await (asked.isColumns ? compressColumns : compressRows)(rows, [storedEncodingFor(encoding)])
  await variants.body(encoding)
  const body = { version, variants, etag: variants.etag, rows: rows.length }
  const last = rows.at(-1)
  if (!hasMore || last === undefined) return body
  // Another tag than the last page's with the same rows: its reader must learn that more follow.
  return { ...body, etag: `${body.etag.slice(0, -1)}."`, next: nextOf(asked, last) }
}

async function select(
  { filters, after, limit = Infinity }: RowsQuery,
  all: readonly PublishedRow[],
): Promise<{ readonly rows: readonly PublishedRow[]; readonly hasMore: boolean }> {
  const rows: PublishedRow[] = []
  const candidates = after === undefined ? all : all.filter((row) => isBehind(after, row))
  for (const [index, row] of candidates.entries()) {
    if (index % ROWS_PER_SLICE === ROWS_PER_SLICE - 1) await yieldToEventLoop()
    if (!matches(row, filters)) continue
    if (rows.length === limit) return { rows, hasMore: true }
    rows.push(row)
  }
  return { rows, hasMore: false }
}

function isBehind([step, name, publicId]: SortKey, row: PublishedRow): boolean {
  if (row.rank !== step) return row.rank > step
  if (row.fields.name !== name) return row.fields.name > name
  return row.fields.publicId > publicId
}

/** The cheapest comparison first: texts are folded only where everything else matches. */
function matches({ fields, announced }: PublishedRow, { branch, language, tag, q }: Filters): boolean {
  if (branch !== undefined && announced.setup.branch !== branch) return false
  if (language !== undefined && fold(fields.language) !== language) return false
  if (tag !== undefined && !fields.tags.some((one) => fold(one) === tag)) return false
  if (q === undefined) return true
  // The list shows the owner's game mode before the announced one.
  const gameMode = fields.gameMode === '' ? announced.setup.gameMode : fields.gameMode
  return [fields.name, fields.vanityUrl, gameMode, ...fields.tags].some((text) => fold(text).includes(q))
}
