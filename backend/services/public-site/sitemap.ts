/** For search engines: which pages exist (sitemaps.org), and which to read (RFC 9309). */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { EncodedBody, etagOf } from '#backend/masterlist/lists/encoded-body.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import type { PublishedRow } from '#backend/masterlist/registry/listed-row.ts'
import type { Clock } from '#backend/platform/clock.ts'
import type { Encoding } from '#backend/platform/http/negotiation.ts'
import type { PageCache } from './page-cache.ts'
import type { PageBody } from './page-renderer.ts'
import type { Queued } from './public-pages.ts'
import { isStillPublic } from './public-server.ts'
import { pathOf } from './public-views.ts'

/** The protocol's limit. */
const MAX_SITEMAP_URLS = 50_000
const MAX_AGE_MS = 60_000
/** About a millisecond. */
const ROWS_PER_SLICE = 500

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

type List = Pick<RunningMasterList, 'registry' | 'snapshots' | 'withdrawals'>

interface File {
  readonly origin: string
  /** Of several files, from 1; undefined for the file that crawlers request first. */
  readonly page: number | undefined
  readonly encoding: Encoding
}

/** Keeps each file for a minute, and rebuilds it at once after a server was hidden or banned. */
export class Sitemaps {
  readonly #clock: Pick<Clock, 'now'>
  readonly #list: List
  readonly #cache: PageCache

  constructor(clock: Pick<Clock, 'now'>, list: List, cache: PageCache) {
    this.#clock = clock
    this.#list = list
    this.#cache = cache
  }

  /** Undefined for a file that does not exist. @param queued runs a build that no other visitor has requested; throws if there are too many. */
  async read({ origin, page, encoding }: File, queued: Queued): Promise<PageBody | undefined> {
    const { rows } = this.#list.snapshots.current()
    const files = Math.ceil((rows.length + 1) / MAX_SITEMAP_URLS)
    if (page === undefined && files > 1) return await encode(Buffer.from(sitemapIndex(origin, files)), encoding)
    const at = page ?? 1
    if (!Number.isInteger(at) || at < 1 || at > files) return undefined
    const state = [Math.floor(this.#clock.now() / MAX_AGE_MS), this.#list.withdrawals]
    const key = JSON.stringify(['sitemap', origin, at, encoding])
    return await this.#cache.get({ key, state }, () => queued(async () => await encode(await this.#build(origin, rows, at), encoding)))
  }

  async #build(origin: string, rows: readonly PublishedRow[], page: number): Promise<Buffer> {
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
    return Buffer.concat([...parts, Buffer.from('</urlset>\n')])
  }
}

async function encode(identity: Buffer, encoding: Encoding): Promise<PageBody> {
  const etag = etagOf(identity)
  return { etag, bytes: await new EncodedBody(etag, identity.length, () => [identity]).body(encoding) }
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
