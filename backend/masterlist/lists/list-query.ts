/** Parses the query of `GET /servers`, and its page cursors. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import { mustBeGivenOnce } from '#contract/text/messages.ts'
import { ListQuery, DEFAULT_LIST_ROWS } from '#contract/masterlist/list-query.ts'
import { FIELD_FILTERS } from '#contract/servers/server-field-shapes.ts'
import { searchKey } from '#contract/text/search-key.ts'
import { joinNames, sentence } from '#backend/platform/messages/sentence.ts'
import type { PublishedRow } from '#backend/masterlist/registry/listed-row.ts'
import type { Sentences } from '#backend/masterlist/wire/reply.ts'
import type { Labels } from '#backend/masterlist/wire/list-heads.ts'

const FILTERS = ['branch', ...FIELD_FILTERS.map(({ name }) => name), 'group', 'q'] as const
/** All given filters must match. */
export type Filters = Readonly<Pick<z.output<typeof ListQuery>, (typeof FILTERS)[number]>>

/** The sort key of a row: rank, name and public ID. */
const SortKey = z.tuple([z.int().min(0), z.string().max(256), z.string().regex(/^[0-9A-Za-z]{7}$/)])
export type SortKey = Readonly<z.output<typeof SortKey>>

/** The forms of a row: objects, one array per field, or the older API's objects. */
type Format = 'rows' | 'columns' | 'legacy'

/** A filtered list, a page, or both; in one of the formats. */
export interface RowsQuery {
  readonly kind: 'rows'
  /** Equal for equivalent queries. */
  readonly key: string
  /** All but the branch and the group are folded. */
  readonly filters: Filters
  /** For the next page: folding may make a text too long. */
  readonly unfolded: Filters
  /** Only these servers, each once. */
  readonly ids: readonly string[] | undefined
  readonly limit: number | undefined
  /** The page begins after this key. */
  readonly after: SortKey | undefined
  readonly format: Format
}

/** The whole list of the older API. */
export const LEGACY_LIST: RowsQuery = {
  kind: 'rows',
  key: 'legacy',
  filters: {},
  unfolded: {},
  ids: undefined,
  limit: undefined,
  after: undefined,
  format: 'legacy',
}

export type ParsedQuery =
  | { readonly kind: 'all' }
  | { readonly kind: 'since'; readonly version: string }
  | { readonly kind: 'invalid'; readonly sentences: Sentences }
  | RowsQuery

/** Most polls request a delta, and a version needs no unescaping. */
const PLAIN_SINCE = /^since=([\w.-]{1,64})$/
const KNOWN = Object.keys(ListQuery.shape)
const ALL: ParsedQuery = { kind: 'all' }

/** @param query the text after the question mark. */
export function parseListQuery(query: string): ParsedQuery {
  const since = PLAIN_SINCE.exec(query)?.[1]
  if (since !== undefined) return { kind: 'since', version: since }
  return parse(new URLSearchParams(query))
}

export function nextPageOf(
  { unfolded, ids, limit, format }: RowsQuery,
  { rank, fields: { name, publicId } }: PublishedRow,
): Labels['next'] {
  const cursor = Buffer.from(JSON.stringify([rank, name, publicId] satisfies SortKey)).toString('base64url')
  const parameters = new URLSearchParams()
  for (const filter of FILTERS) if (unfolded[filter] !== undefined) parameters.set(filter, String(unfolded[filter]))
  if (ids !== undefined) parameters.set('ids', ids.join(','))
  if (format === 'columns') parameters.set('format', 'columns')
  if (limit !== undefined) parameters.set('limit', String(limit))
  parameters.set('cursor', cursor)
  return { cursor, path: `/servers?${parameters.toString()}` }
}

function parseCursor(cursor: string): SortKey | undefined {
  if (!/^[\w-]+$/.test(cursor)) return undefined
  try {
    return SortKey.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch {
    return undefined
  }
}

/** Ignores unknown parameters and filters without a value. */
function parse(parameters: URLSearchParams): ParsedQuery {
  const values: Record<string, string> = {}
  for (const name of KNOWN) {
    const [value, ...more] = parameters.getAll(name)
    if (more.length > 0) return invalid(() => [mustBeGivenOnce(name)()])
    if (value !== undefined && (value !== '' || !isFilter(name))) values[name] = value
  }
  const result = ListQuery.safeParse(values)
  if (!result.success) return invalid(() => mistakesIn(values))
  const { since, ids, format, limit, cursor, ...filters } = result.data
  if (since !== undefined) {
    const others = Object.keys(values).filter((name) => name !== 'since')
    if (others.length === 0) return { kind: 'since', version: since }
    return invalid(() => [sentence('LIST_SINCE_COMBINED', { names: joinNames(others) })])
  }
  const after = cursor === undefined ? undefined : parseCursor(cursor)
  if (cursor !== undefined && after === undefined) return invalid(() => [texts.input_cursor_invalid()])
  if (format !== 'columns' && Object.keys(values).every((name) => name === 'format')) return ALL
  const rows = {
    filters: foldedFilters(filters),
    ids,
    limit: limit ?? (after === undefined ? undefined : DEFAULT_LIST_ROWS),
    after,
    format: format ?? 'rows',
  }
  return { kind: 'rows', key: JSON.stringify(rows), ...rows, unfolded: filters }
}

const isFilter = (name: string) => FILTERS.some((filter) => filter === name)

const folded = (value: string | number | undefined) => (value === undefined ? undefined : searchKey(String(value)))

function foldedFilters({ branch, group, q, ...ofFields }: Filters): Filters {
  const entries = FIELD_FILTERS.map(({ name }) => [name, folded(ofFields[name])])
  return { branch, group, q: folded(q) || undefined, ...(Object.fromEntries(entries) as typeof ofFields) }
}

/** The schema renders its sentences while it parses, so each reader's language needs its own run. */
function mistakesIn(values: Readonly<Record<string, string>>): string[] {
  const { error } = ListQuery.safeParse(values)
  return [...new Set(error?.issues.map((issue) => issue.message))]
}

const invalid = (sentences: Sentences): ParsedQuery => ({ kind: 'invalid', sentences })
