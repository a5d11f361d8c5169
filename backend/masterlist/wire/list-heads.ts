/** Response headers of lists. */
import type { Encoding } from '#backend/platform/http/negotiation.ts'
import { nextRequestId } from '#backend/platform/http/request-id.ts'

/** Seconds since the list lost its database or the other nodes; undefined while connected. */
export type Age = () => number | undefined

export const EXPOSED_HEADERS = 'ETag, X-List-Version, Age, X-Request-Id'
const EXPOSED_PAGE_HEADERS = `${EXPOSED_HEADERS}, X-Next-Cursor, Link`

/**
 * A shared cache may reuse a list for a second. Clients, and shared caches after that second, revalidate. A list with an `Age` is always
 * revalidated.
 */
export const SHARED_FOR_A_SECOND = 'public, max-age=0, s-maxage=1, must-revalidate'
/** Every cache revalidates each time. Deltas must not be a second older than the list. */
export const REVALIDATED = 'public, no-cache'

export interface Labels {
  readonly etag: string
  readonly version: string
  readonly isDelta?: boolean
  /** The next page. */
  readonly next?: { readonly cursor: string; readonly path: string } | undefined
}

type Headers = Record<string, string | number>

/**
 * Headers of a 304: only the required ones (RFC 9110 section 15.4.5), and the version. Equal rows have a new version after a restart,
 * and readers with the old one would get 410.
 */
export function unchangedHeaders({ etag, version, isDelta = false, next }: Labels, age: number | undefined): Headers {
  const headers: Headers = {
    ETag: etag,
    Vary: 'Accept-Encoding',
    'Cache-Control': isDelta ? REVALIDATED : SHARED_FOR_A_SECOND,
    'Access-Control-Allow-Origin': '*',
    'X-List-Version': version,
    'Access-Control-Expose-Headers': next === undefined ? EXPOSED_HEADERS : EXPOSED_PAGE_HEADERS,
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': nextRequestId(),
  }
  if (age !== undefined) headers.Age = age
  return headers
}

export function listHeaders(labels: Labels, encoding: Encoding, length: number, age: number | undefined): Headers {
  const headers = unchangedHeaders(labels, age)
  headers['Content-Type'] = 'application/json'
  headers['Content-Length'] = length
  if (encoding !== 'identity') headers['Content-Encoding'] = encoding
  if (labels.next === undefined) return headers
  headers['X-Next-Cursor'] = labels.next.cursor
  headers.Link = `<${labels.next.path}>; rel="next"`
  return headers
}
