/** For search engines: which pages exist (sitemaps.org), and which to read (RFC 9309). */
import type { PublishedRow } from '#backend/masterlist/registry/listed-row.ts'
import { pathOf } from './public-views.ts'

/** The protocol's limit. */
const MAX_SITEMAP_URLS = 50_000

/** @param page of several files, from 1; undefined for the file that crawlers request first. Returns undefined for a file that does not exist. */
export function sitemap(rows: readonly PublishedRow[], origin: string, page: number | undefined): string | undefined {
  const files = Math.ceil((rows.length + 1) / MAX_SITEMAP_URLS)
  if (page === undefined && files > 1) return sitemapIndex(origin, files)
  const at = page ?? 1
  if (!Number.isInteger(at) || at < 1 || at > files) return undefined
  const start = (at - 1) * MAX_SITEMAP_URLS
  const browse = start === 0 ? [`<url><loc>${origin}/browse</loc></url>`] : []
  const servers = rows
    .slice(Math.max(0, start - 1), start + MAX_SITEMAP_URLS - 1)
    .map((row) => `<url><loc>${origin}${pathOf(row)}</loc><lastmod>${new Date(row.fields.updatedAt).toISOString()}</lastmod></url>`)
  return `${HEAD}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${[...browse, ...servers].join('\n')}\n</urlset>\n`
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

function sitemapIndex(origin: string, files: number): string {
  const locations = Array.from({ length: files }, (_, index) => `<sitemap><loc>${origin}/sitemap.xml?page=${index + 1}</loc></sitemap>`)
  return `${HEAD}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${locations.join('\n')}\n</sitemapindex>\n`
}

/** Filtered lists are endless, so crawlers read only the pages of the whole list. */
export function robots(origin: string): string {
  return `User-agent: *\nDisallow: /api/\nDisallow: /browse?\nAllow: /browse?page=\n\nSitemap: ${origin}/sitemap.xml\n`
}
