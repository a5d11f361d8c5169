/** Response heads of lists, prepared once per body. */
import type { Encoding } from '#backend/platform/http/negotiation.ts'
import { type HeadLines, PreparedHead } from '#backend/platform/node-internals/prepared-head.ts'

/** Seconds since the list lost its database or the other nodes; undefined while connected. */
export type Age = () => number | undefined

export const EXPOSED_HEADERS = 'ETag, X-List-Version, Age, X-Request-Id'
const EXPOSED_PAGE_HEADERS = `${EXPOSED_HEADERS}, X-Next-Cursor, Link`

/**
 * A shared cache may reuse a list for a second, which the contract allows (section 11). Clients, and shared caches after that second,
 * revalidate. A list with an `Age` is always revalidated.
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

export class Heads {
  readonly unchanged: PreparedHead
  readonly #common: HeadLines
  readonly #whole: Partial<Record<Encoding, PreparedHead>> = {}

  constructor({ etag, version, isDelta = false, next }: Labels) {
    // A 304 has only the required headers (RFC 9110 section 15.4.5), because each one costs time, and the version: equal rows have
    // a new version after a restart, and readers with the old one would get 410.
    const unchanged = Object.entries({
      ETag: etag,
      Vary: 'Accept-Encoding',
      'Cache-Control': isDelta ? REVALIDATED : SHARED_FOR_A_SECOND,
      'Access-Control-Allow-Origin': '*',
      'X-List-Version': version,
      'Access-Control-Expose-Headers': next === undefined ? EXPOSED_HEADERS : EXPOSED_PAGE_HEADERS,
    }).flat()
    this.unchanged = new PreparedHead(304, unchanged)
    const paging = next === undefined ? [] : ['X-Next-Cursor', next.cursor, 'Link', `<${next.path}>; rel="next"`]
    this.#common = [...unchanged, 'Content-Type', 'application/json', ...paging]
  }

  whole(encoding: Encoding, length: number): PreparedHead {
    const cached = this.#whole[encoding]
    if (cached !== undefined) return cached
    const encodingLines = encoding === 'identity' ? [] : ['Content-Encoding', encoding]
    const head = new PreparedHead(200, [...this.#common, 'Content-Length', String(length), ...encodingLines])
    this.#whole[encoding] = head
    return head
  }
}
