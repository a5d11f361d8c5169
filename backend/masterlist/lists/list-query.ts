/** What the query of `GET /servers` asks for. The plain call never comes here. */
import { ListQuery, USUAL_LIST_ROWS } from '#contract/masterlist.ts'
import { type Place, placeOf } from './list-cursor.ts'

/** What narrows the list; all that are given have to fit. Texts are folded, but the branch. */
export interface Filters {
  readonly branch: string | undefined
  readonly language: string | undefined
  readonly tag: string | undefined
  readonly q: string | undefined
}

/** Rows, or the columns of them: filtered, one page of them, or both. */
export interface RowsAsked {
  readonly kind: 'rows'
  /** The same for all queries that ask for the same. */
  readonly key: string
  readonly filters: Filters
  /** The same as they were given: folded, a text may be longer than one may be. */
  readonly given: Filters
  /** Undefined for all rows. */
  readonly limit: number | undefined
  /** The page begins behind it. */
  readonly after: Place | undefined
  readonly isColumns: boolean
}

export type Asked =
  | { readonly kind: 'all' }
  | { readonly kind: 'since'; readonly version: string }
  | { readonly kind: 'invalid'; readonly sentences: readonly string[] }
  | RowsAsked

const MOST_REMEMBERED = 500
const MOST_REMEMBERED_CHARACTERS = 300
/** Readers ask the same again and again, so each query is read once. */
const remembered = new Map<string, Asked>()

/** A delta is what most polls ask for; no version needs unescaping. */
const PLAIN_SINCE = /^since=([\w.-]{1,64})$/
const FILTERS = ['branch', 'language', 'tag', 'q'] as const
const KNOWN = Object.keys(ListQuery.shape)
const ALL: Asked = { kind: 'all' }

/** @param query what stands behind the question mark. */
export function askedBy(query: string): Asked {
  const since = PLAIN_SINCE.exec(query)?.[1]
  if (since !== undefined) return { kind: 'since', version: since }
  const known = remembered.get(query)
  if (known !== undefined) return known
  const asked = read(new URLSearchParams(query))
  if (query.length <= MOST_REMEMBERED_CHARACTERS) {
    if (remembered.size >= MOST_REMEMBERED) remembered.delete(remembered.keys().next().value ?? '')
    remembered.set(query, asked)
  }
  return asked
}

/** The address of the page that a cursor begins. */
export function pathOf({ given, limit, isColumns }: RowsAsked, cursor: string): string {
  const parameters = new URLSearchParams()
  for (const name of FILTERS) if (given[name] !== undefined) parameters.set(name, given[name])
  if (isColumns) parameters.set('format', 'columns')
  if (limit !== undefined) parameters.set('limit', String(limit))
  parameters.set('cursor', cursor)
  return `/servers?${parameters.toString()}`
}

/**
 * What is compared without regard to capitals and to how accents are written. To capitals, for those of ß are SS and σ has one only; from small
 * letters, for ẞ is a capital already. What is folded again stays the same.
 */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().toUpperCase().normalize('NFC')
}

/** Parameters that nobody knows say nothing, and neither does a filter without a value. */
function read(parameters: URLSearchParams): Asked {
  const given: Record<string, string> = {}
  for (const name of KNOWN) {
    const [value, ...more] = parameters.getAll(name)
    if (more.length > 0) return invalid(`${name} can be given only once.`)
    if (value !== undefined && (value !== '' || !isFilter(name))) given[name] = value
  }
  const result = ListQuery.safeParse(given)
  if (!result.success) return invalid(...new Set(result.error.issues.map((issue) => issue.message)))
  const { since, format, limit, cursor, branch, language, tag, q } = result.data
  if (since !== undefined) {
    const others = Object.keys(given).filter((name) => name !== 'since')
    if (others.length === 0) return { kind: 'since', version: since }
    return invalid(`since stands alone: it answers changes of the whole list. Leave out ${others.join(' and ')}.`)
  }
  const after = cursor === undefined ? undefined : placeOf(cursor)
  if (cursor !== undefined && after === undefined)
    return invalid('cursor is not one that this list gave; take it from the X-Next-Cursor header of the page before.')
  if (format !== 'columns' && Object.keys(given).every((name) => name === 'format')) return ALL
  const rows = {
    filters: { branch, language: folded(language), tag: folded(tag), q: folded(q) },
    limit: limit ?? (after === undefined ? undefined : USUAL_LIST_ROWS),
    after,
    isColumns: format === 'columns',
  }
  return { kind: 'rows', key: JSON.stringify(rows), ...rows, given: { branch, language, tag, q } }
}

const isFilter = (name: string) => FILTERS.some((filter) => filter === name)

const folded = (text: string | undefined) => (text === undefined ? undefined : fold(text))

function invalid(...sentences: string[]): Asked {
  return { kind: 'invalid', sentences }
}
