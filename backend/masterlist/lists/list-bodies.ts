/** Filtered lists, pages and columns. Each is built once per version, on first request. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { PublishedRow } from '#backend/masterlist/registry/listed-row.ts'
import type { Encoding } from '#backend/platform/http/negotiation.ts'
import type { Labels } from '#backend/masterlist/wire/list-heads.ts'
import type { RunQueued } from './deltas.ts'
import { type Filters, type SortKey, type RowsQuery, nextPageOf } from './list-query.ts'
import { foldValue, searchFor } from './search.ts'
import { storedEncodingFor } from './compression.ts'
import { type Snapshot, type Variants, compressRows, compressColumns, compressLegacyRows } from './snapshot.ts'

interface ListBody extends Labels {
  readonly variants: Variants
  readonly rows: number
}

const COMPRESS = { rows: compressRows, columns: compressColumns, legacy: compressLegacyRows } as const
const MAX_BODIES = 500
/** In all bodies, counted as uncompressed, because a reader may request identity. */
const MAX_ROWS = 100_000
/** About a millisecond: the first search after a start folds every listing. */
const ROWS_PER_SLICE = 100

export class ListBodies {
  readonly #bodies = new LRUCache<string, ListBody | Promise<ListBody>>({ max: MAX_BODIES, maxSize: MAX_ROWS })
  #version = ''

  /** Returns a body that is ready or being built for another reader. */
  find({ key }: RowsQuery, { version }: Snapshot): ListBody | Promise<ListBody> | undefined {
    if (version !== this.#version) {
      this.#bodies.clear()
      this.#version = version
    }
    return this.#bodies.get(key)
  }

  /** Builds a body that `find` lacks; undefined if the queue rejects it. @param encoding is prepared along with the body. */
  build(query: RowsQuery, snapshot: Snapshot, encoding: Encoding, runQueued: RunQueued): Promise<ListBody> | undefined {
    const pending = runQueued(() => buildBody(query, snapshot, encoding))
    if (pending === undefined) return undefined
    const { key } = query
    this.#bodies.set(key, pending, { size: 1 })
    const replace = (body: ListBody | undefined) => {
      if (this.#bodies.peek(key) === pending) this.#bodies.set(key, body, { size: Math.min(Math.max(body?.rows ?? 1, 1), MAX_ROWS) })
    }
    pending.then(replace, () => replace(undefined))
    return pending
  }
}

/** Builds a body of these rows. @param encoding is prepared along with the body. */
export async function buildBody(query: RowsQuery, { version, rows: all }: Snapshot, encoding: Encoding): Promise<ListBody> {
  const { rows, hasMore } = await select(query, all)
  const variants = await COMPRESS[query.format](rows, [storedEncodingFor(encoding)])
  await variants.body(encoding)
  const body = { version, variants, etag: variants.etag, rows: rows.length }
  const last = rows.at(-1)
  if (!hasMore || last === undefined) return body
  // A last page with the same rows has another tag, so that readers learn that more rows follow.
  return { ...body, etag: `${body.etag.slice(0, -1)}."`, next: nextPageOf(query, last) }
}

async function select(
  { filters, after, limit = Infinity }: RowsQuery,
  all: readonly PublishedRow[],
): Promise<{ readonly rows: readonly PublishedRow[]; readonly hasMore: boolean }> {
  const rows: PublishedRow[] = []
  const matches = matcherOf(filters)
  const candidates = after === undefined ? all : all.filter((row) => isAfter(after, row))
  for (const [index, row] of candidates.entries()) {
    if (index % ROWS_PER_SLICE === ROWS_PER_SLICE - 1) await yieldToEventLoop()
    if (!matches(row)) continue
    if (rows.length === limit) return { rows, hasMore: true }
    rows.push(row)
  }
  return { rows, hasMore: false }
}

function isAfter([rank, name, publicId]: SortKey, row: PublishedRow): boolean {
  if (row.rank !== rank) return row.rank > rank
  if (row.fields.name !== name) return row.fields.name > name
  return row.fields.publicId > publicId
}

/** Cheapest comparisons first. */
function matcherOf({ branch, language, region, group, tag, q }: Filters): (row: PublishedRow) => boolean {
  const finds = q === undefined ? undefined : searchFor(q)
  return (row) => {
    const { fields, announced } = row
    if (branch !== undefined && announced.branch !== branch) return false
    if (group !== undefined && fields.cosmetics.group?.id !== group) return false
    if (language !== undefined && fields.language !== language) return false
    if (region !== undefined && fields.region !== region) return false
    if (tag !== undefined && !fields.tags.some((value) => foldValue(value).text === tag)) return false
    return finds === undefined || finds(row)
  }
}
