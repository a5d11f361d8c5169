/** The heads of list answers: prepared once for each body, so that a request only chooses among them. */
import type { Encoding } from '#backend/platform/http/negotiation.ts'
import { type HeadLines, PreparedHead } from '#backend/platform/node-internals/prepared-head.ts'

/** For how many seconds the list has lost the others (its database, or the nodes on it); undefined while all is well. */
export type Age = () => number | undefined

export const EXPOSED = 'ETag, X-List-Version, Age, X-Request-Id'
const EXPOSED_OF_PAGES = `${EXPOSED}, X-Next-Cursor, Link`

/** What stands on a list beside its bytes. */
export interface Labels {
  readonly etag: string
  readonly version: string
  /** The address of the next page and its cursor. */
  readonly next?: { readonly cursor: string; readonly path: string } | undefined
}

/** The heads of one body. */
export class Heads {
  readonly unchanged: PreparedHead
  readonly #common: HeadLines
  readonly #whole: Partial<Record<Encoding, PreparedHead>> = {}

  constructor({ etag, version, next }: Labels) {
    // What a 304 must say again (RFC 9110 section 15.4.5) and no more: each header costs, and its reader has the rest. But for the version:
    // the same rows have another one after a restart, and who went on asking with the old one would read for nothing again and again.
    const unchanged = [
      'ETag',
      etag,
      'Vary',
      'Accept-Encoding',
      'Cache-Control',
      'public, no-cache',
      'Access-Control-Allow-Origin',
      '*',
      'X-List-Version',
      version,
      'Access-Control-Expose-Headers',
      next === undefined ? EXPOSED : EXPOSED_OF_PAGES,
    ]
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
