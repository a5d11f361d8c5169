/** Builds a list for readers: its rows, selected by a query, in one of the formats. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { FIELD_FILTERS } from '#contract/servers/server-field-shapes.ts'
import type { PublishedRow } from '#backend/masterlist/registry/listed-row.ts'
import type { Encoding } from '#backend/platform/http/negotiation.ts'
import type { Labels } from '#backend/masterlist/wire/list-heads.ts'
import { columnPieces } from './columns.ts'
import { EncodedBody, etagOf } from './encoded-body.ts'
import { legacyJson } from './legacy-server.ts'
import { type Filters, type SortKey, type RowsQuery, nextPageOf } from './list-query.ts'
import { foldValue, searchFor } from './search.ts'

export interface ListBody extends Labels {
  readonly body: EncodedBody
  readonly rows: number
}

const PIECES = {
  rows: (rows: readonly PublishedRow[]) => rowPieces(rows, (row) => row.json),
  legacy: (rows: readonly PublishedRow[]) => rowPieces(rows, legacyJson),
  columns: columnPieces,
} as const
/** Of one row, on average. */
const BYTES_PER_ROW = 800
/** About a millisecond: the first search after a start folds every listing, and the first list serializes every row. */
const ROWS_PER_SLICE = 100

/** @param encoding is prepared along with the body. */
export async function buildBody(
  query: RowsQuery,
  { version, rows: all }: { readonly version: string; readonly rows: readonly PublishedRow[] },
  encoding: Encoding,
): Promise<ListBody> {
  const { rows, hasMore } = await select(query, all)
  await serializeRows(rows)
  const last = hasMore ? rows.at(-1) : undefined
  const next = last && nextPageOf(query, last)
  // All formats have the same content. A last page with the same rows has another tag, so that readers learn that more rows follow.
  const etag = etagOf([query.format, next === undefined, ...rows.map((row) => row.digest)].join(' '))
  const body = new EncodedBody(etag, rows.length * BYTES_PER_ROW, () => PIECES[query.format](rows))
  await body.body(encoding)
  return { version, etag, body, rows: rows.length, next }
}

/** Serializes the new rows without blocking the event loop. */
export async function serializeRows(rows: readonly PublishedRow[]): Promise<void> {
  for (const [index, row] of rows.filter((each) => !each.hasJson).entries()) {
    if (index % ROWS_PER_SLICE === ROWS_PER_SLICE - 1) await yieldToEventLoop()
    void row.digest
  }
}

/** A JSON array in pieces. Bytes are joined, because joining texts takes three times as long. */
function* rowPieces(rows: readonly PublishedRow[], jsonOf: (row: PublishedRow) => string): Generator<Buffer | string> {
  yield '['
  for (let from = 0; from < rows.length; from += ROWS_PER_SLICE) {
    const texts = rows.slice(from, from + ROWS_PER_SLICE).map((row, index) => (from + index === 0 ? jsonOf(row) : `,${jsonOf(row)}`))
    yield Buffer.concat(texts.map((text) => Buffer.from(text)))
  }
  yield ']'
}

async function select(
  { filters, after, limit = Infinity }: RowsQuery,
  all: readonly PublishedRow[],
): Promise<{ readonly rows: readonly PublishedRow[]; readonly hasMore: boolean }> {
  const isWhole = limit === Infinity && after === undefined && Object.values(filters).every((filter) => filter === undefined)
  if (isWhole) return { rows: all, hasMore: false }
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
function matcherOf({ branch, group, q, ...ofFields }: Filters): (row: PublishedRow) => boolean {
  const finds = q === undefined ? undefined : searchFor(q)
  const chosen = FIELD_FILTERS.map(({ name, valueName }) => ({ valueName, wanted: ofFields[name] })).filter(
    ({ wanted }) => wanted !== undefined,
  )
  return (row) => {
    const { fields, announced } = row
    if (branch !== undefined && announced.branch !== branch) return false
    if (group !== undefined && fields.cosmetics.group?.id !== group) return false
    if (chosen.some(({ valueName, wanted }) => ![fields[valueName]].flat().some((value) => foldValue(String(value)).text === wanted)))
      return false
    return finds === undefined || finds(row)
  }
}
