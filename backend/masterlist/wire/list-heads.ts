/** The heads of list answers, prepared once for each body. */
import type { Encoding } from '#backend/platform/http/negotiation.ts'
import { type HeadLines, PreparedHead } from '#backend/platform/node-internals/prepared-head.ts'

/** For how many seconds the list has been cut off from its database or the other nodes; undefined while it is not. */
export type Age = () => number | undefined

export const EXPOSED_HEADERS = 'ETag, X-List-Version, Age, X-Request-Id'
const EXPOSED_OF_PAGES = `${EXPOSED_HEADERS}, X-Next-Cursor, Link`

export interface Labels {
  readonly etag: string
  readonly version: string
  /** Of the page that follows. */
  readonly next?: { readonly cursor: string; readonly path: string } | undefined
}

export class Heads {
  readonly unchanged: PreparedHead
  readonly #common: HeadLines
  readonly #whole: Partial<Record<Encoding, PreparedHead>> = {}

  constructor({ etag, version, next }: Labels) {
    // A 304 has only what it must (RFC 9110 section 15.4.5), because each header costs. And the version, because equal rows have another
    // one after a restart, and readers with the old one would get 410.
    const unchanged = Object.entries({
      ETag: etag,
      Vary: 'Accept-Encoding',
      'Cache-Control': 'public, no-cache',
      'Access-Control-Allow-Origin': '*',
      'X-List-Version': version,
      'Access-Control-Expose-Headers': next === undefined ? EXPOSED_HEADERS : EXPOSED_OF_PAGES,
    }).flat()
    this.unchanged = new PreparedHead(304, unchanged)
    const paging = next === undefined ? [] : ['X-Next-Cursor', next.cursor, 'Link', `<${next.path}>; rel="next"`]
    this.#common = [...unchanged, 'Content-Type', 'application/json', ...paging]
  }

  whole(encoding: Encoding, length: number): PreparedHead {
    const known = this.#whole[encoding]
    if (known !== undefined) return known
    const packing = encoding === 'identity' ? [] : ['Content-Encoding', encoding]
    const made = new PreparedHead(200, [...this.#common, 'Content-Length', String(length), ...packing])
    this.#whole[encoding] = made
    return made
  }
}
