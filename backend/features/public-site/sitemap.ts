/** For search engines: which pages exist (sitemaps.org), and which to read (RFC 9309). */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { EncodedBody } from '#backend/masterlist/lists/encoded-body.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import type { PublishedRow } from '#backend/masterlist/registry/listed-row.ts'
import type { Clock } from '#backend/platform/clock.ts'
import { type Queued, SharedBuilds, encodedBody } from './page-builds.ts'
import { isStillPublic } from './public-server.ts'
import { pathOf } from './public-views.ts'

/** The protocol's limit. */
const MAX_SITEMAP_URLS = 50_000
/** Each has about 100 bytes for a server. */
const MAX_FILES = 3
const MAX_AGE_MS = 60_000
/** About a millisecond. */
const ROWS_PER_SLICE = 500

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

type List = Pick<RunningMasterList, 'registry' | 'snapshots' | 'withdrawals'>

/** Keeps each file for a minute, and rebuilds it at once after a server was hidden or banned. */
export class Sitemaps {
  readonly #clock: Pick<Clock, 'now'>
  readonly #list: List
  readonly #files = new LRUCache<string, EncodedBody>({ max: MAX_FILES })
  readonly #builds = new SharedBuilds<EncodedBody>()

  constructor(clock: Pick<Clock, 'now'>, list: List) {
    this.#clock = clock
    this.#list = list
  }

  /**
   * Undefined for a file that does not exist.
   * @param page of several files, from 1; undefined for the file that crawlers request first.
   * @param queued runs a build that no other visitor has requested; throws if there are too many.
   */
  async read(origin: string, page: number | undefined, queued: Queued): Promise<EncodedBody | undefined> {
    const { rows } = this.#list.snapshots.current()
    const files = Math.ceil((rows.length + 1) / MAX_SITEMAP_URLS)
    if (page === undefined && files > 1) return encodedBody(Buffer.from(sitemapIndex(origin, files)))
    const at = page ?? 1
    if (!Number.isInteger(at) || at < 1 || at > files) return undefined
    const minute = Math.floor(this.#clock.now() / MAX_AGE_MS)
    const key = [origin, at, minute, this.#list.withdrawals].join(' ')
    const known = this.#files.get(key)
    if (known !== undefined) return known
    return await this.#builds.run(key, async () => {
      const file = await queued(() => this.#build(origin, rows, at))
      this.#files.set(key, file)
      return file
    })
  }

  async #build(origin: string, rows: readonly PublishedRow[], page: number): Promise<EncodedBody> {
    // The first URL of all is the list's.
    const start = (page - 1) * MAX_SITEMAP_URLS - 1
    const servers = rows.slice(Math.max(0, start), start + MAX_SITEMAP_URLS)
    const browse = page === 1 ? `<url><loc>${origin}/browse</loc></url>\n` : ''
    const parts = [Buffer.from(`${HEAD}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${browse}`)]
    for (let index = 0; index < servers.length; index += ROWS_PER_SLICE) {
      const slice = servers.slice(index, index + ROWS_PER_SLICE).filter((row) => isStillPublic(this.#list.registry, row))
      parts.push(Buffer.from(slice.map((row) => urlOf(origin, row)).join('')))
      await yieldToEventLoop()
    }
    return encodedBody(Buffer.concat([...parts, Buffer.from('</urlset>\n')]))
  }
}

function urlOf(origin: string, row: PublishedRow): string {
  return `<url><loc>${origin}${pathOf(row)}</loc><lastmod>${new Date(row.fields.updatedAt).toISOString()}</lastmod></url>\n`
}

function sitemapIndex(origin: string, files: number): string {
  const locations = Array.from({ length: files }, (_, index) => `<sitemap><loc>${origin}/sitemap.xml?page=${index + 1}</loc></sitemap>`)
  return `${HEAD}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${locations.join('\n')}\n</sitemapindex>\n`
}

/** Filtered lists are endless, so crawlers read only the pages of the whole list. */
export function robots(origin: string): string {
  return `User-agent: *\nDisallow: /api/\nDisallow: /browse?\nAllow: /browse?page=\n\nSitemap: ${origin}/sitemap.xml\n`
}
