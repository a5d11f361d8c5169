/** Parses RSS, RDF, Atom and JSON feeds into the items that the launcher shows. */
import { type AtomFeed, type JsonFeed, type RssFeed, parseFeed, parseJsonFeed } from 'feedsmith'
import { type FeedPreview, MAX_FEED_ITEMS } from '#contract/public-site/feeds.ts'
import type { PublicResponse } from '#backend/platform/outbound/guarded-request.ts'
import { safeHtml, htmlOfText, isWebAddress, lineOf, lineOfHtml } from './feed-text.ts'

type Item = FeedPreview['items'][number]

interface FeedItem {
  /** Wall milliseconds; undefined without a plausible time. */
  readonly at: number | undefined
  readonly present: () => Omit<Item, 'published_at'>
}

interface ParsedFeed {
  readonly title: string
  readonly items: readonly FeedItem[]
}

/** Items newest first. Undefined if the body is not a feed. */
export function readFeed(response: Pick<PublicResponse, 'body' | 'charset'>): FeedPreview | undefined {
  const feed = parseAnyFeed(decodeBody(response))
  if (feed === undefined) return undefined
  // Items with equal times keep the feed's order; those without a time are last.
  const newest = feed.items.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0)).slice(0, MAX_FEED_ITEMS)
  return {
    title: feed.title,
    items: newest.map(({ at, present }) => ({ ...present(), published_at: at === undefined ? null : new Date(at).toISOString() })),
  }
}

/** Precedence: byte order mark, header, XML declaration. */
function decodeBody({ body, charset }: Pick<PublicResponse, 'body' | 'charset'>): string {
  const mark = body.subarray(0, 2).toString('hex')
  const head = body.subarray(0, 200).toString('latin1')
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head)?.[1]
  const label = mark === 'feff' ? 'utf-16be' : mark === 'fffe' ? 'utf-16le' : (charset ?? declared ?? 'utf-8')
  try {
    return new TextDecoder(label).decode(body)
  } catch {
    return new TextDecoder().decode(body)
  }
}

function parseAnyFeed(text: string): ParsedFeed | undefined {
  try {
    // JSON first: text inside it may look like any other format.
    if (text.trimStart().startsWith('{')) return fromJson(parseJsonFeed(JSON.parse(text)))
    const { format, feed } = parseFeed(text)
    if (format === 'rss' || format === 'rdf') return fromRss(feed)
    return format === 'atom' ? fromAtom(feed) : undefined
  } catch {
    return undefined
  }
}

/** RDF (RSS 1.0) items have a subset of these fields. */
function fromRss({ title = '', items = [] }: RssFeed.Feed<string>): ParsedFeed {
  return {
    title: lineOfHtml(title),
    items: items.map(({ title: name = '', link, guid, pubDate, dc, content, description = '' }) => ({
      at: timeOf(pubDate ?? dc?.dates?.[0]),
      present: () => ({
        title: lineOfHtml(name),
        link: firstLink(link, guid?.isPermaLink === false ? undefined : guid?.value),
        html: safeHtml(content?.encoded ?? description),
      }),
    })),
  }
}

function fromAtom({ title, entries = [] }: AtomFeed.Feed<string>): ParsedFeed {
  return {
    title: lineOfText(title),
    items: entries.map(({ title: name, links = [], published, updated, content, summary }) => ({
      at: timeOf(published ?? updated),
      present: () => {
        const alternates = links.filter(({ rel = 'alternate' }) => rel === 'alternate')
        return {
          title: lineOfText(name),
          link: firstLink(...[...alternates, ...links].map(({ href }) => href)),
          html: htmlOf(content ?? summary),
        }
      },
    })),
  }
}

function fromJson({ title = '', items = [] }: JsonFeed.Feed<string>): ParsedFeed {
  return {
    title: lineOf(title),
    items: items.map(
      ({ title: name = '', url, external_url, date_published, date_modified, content_html, content_text, summary = '' }) => ({
        at: timeOf(date_published ?? date_modified),
        present: () => ({
          title: lineOf(name),
          link: firstLink(url, external_url),
          html: content_html === undefined ? htmlOfText(content_text ?? summary) : safeHtml(content_html),
        }),
      }),
    ),
  }
}

const isMarkup = (type = 'text') => /html/i.test(type)

function lineOfText({ value = '', type }: AtomFeed.Content = {}): string {
  return isMarkup(type) ? lineOfHtml(value) : lineOf(value)
}

function htmlOf({ value = '', type }: AtomFeed.Content = {}): string {
  return isMarkup(type) ? safeHtml(value) : htmlOfText(value)
}

function firstLink(...links: readonly (string | undefined)[]): string | null {
  return links.map((link) => link?.trim()).find((link) => isWebAddress(link)) ?? null
}

/** Accepts 1970 to 2100; other times are mistakes. */
function timeOf(text: string | undefined): number | undefined {
  const at = Date.parse(text?.trim() ?? '')
  return at > 0 && at < Date.UTC(2100, 0) ? at : undefined
}
