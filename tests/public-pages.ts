/** Reads the public pages over HTTP, as a browser without scripts shows them. */
import { vi } from 'vitest'
import type { TestApp } from './harness.ts'
import { readList } from './list/send.ts'

type Fetch = Pick<TestApp['anonymous'], 'fetch'>

export interface ReadPage {
  readonly status: number
  readonly headers: Headers
  readonly html: string
  readonly lang: string
  readonly title: string
  /** The text of the first heading. */
  readonly heading: string
  readonly canonical: string | undefined
  readonly isIndexed: boolean
  /** Names of the servers on `/browse`, in the order of the page. */
  readonly names: readonly string[]
  /** The JSON-LD. */
  readonly data: Record<string, unknown> | undefined
}

export async function readPage({ fetch }: Fetch, path: string, init: RequestInit = {}): Promise<ReadPage> {
  const response = await fetch(path, init)
  const html = await response.text()
  const json = first(html, /<script type="application\/ld\+json">(.*?)<\/script>/s)
  const robots = first(html, /<meta name="robots" content="([^"]*)"/)
  return {
    status: response.status,
    headers: response.headers,
    html,
    lang: first(html, /<html lang="([^"]*)"/) ?? '',
    title: textOf(first(html, /<title>(.*?)<\/title>/s) ?? ''),
    heading: textOf(first(html, /<h1[^>]*>(.*?)<\/h1>/s) ?? ''),
    canonical: first(html, /<link rel="canonical" href="([^"]*)"/),
    isIndexed: robots === undefined,
    names: all(html, /<p class="row-name [^"]*"><a [^>]*><bdi[^>]*>(.*?)<\/bdi>/gs).map(textOf),
    data: json === undefined ? undefined : (JSON.parse(json) as Record<string, unknown>),
  }
}

/** Numbers on the chips of `/browse`: switches by their name, and choices by `Filter: value`. A chosen value has no number. */
export function chipsOf({ html }: Pick<ReadPage, 'html'>): Record<string, number> {
  const countIn = (link: string) => /^(.*?)<span class="[^"]*tabular-nums">([\d,.]+)<\/span>/s.exec(link)
  const chips: Record<string, number> = {}
  const menus = /<details [^>]*name="filter".*?<summary[^>]*>(.*?)<svg.*?<\/summary>(.*?)<\/details>/gs
  const add = (prefix: string, part: string) => {
    for (const link of all(part, /<a href="\/browse[^>]*>(.*?)<\/a>/gs)) {
      const [, name = '', count = ''] = countIn(link) ?? []
      if (count !== '') chips[prefix + textOf(name)] = Number(count)
    }
  }
  for (const [, name = '', values = ''] of html.matchAll(menus)) add(`${textOf(name)}: `, values)
  add('', html.replaceAll(menus, ''))
  return chips
}

export interface PageLink {
  readonly href: string
  readonly rel: string
}

export function linksOf({ html }: Pick<ReadPage, 'html'>): PageLink[] {
  return all(html, /<a\s([^>]*)>/g).map((attributes) => ({
    href: textOf(first(attributes, /href="([^"]*)"/) ?? ''),
    rel: first(attributes, /rel="([^"]*)"/) ?? '',
  }))
}

/** The servers in the schema.org data of `/browse`. */
export function listItemsOf({ data }: Pick<ReadPage, 'data'>): readonly { readonly position: number; readonly name: string }[] {
  const { mainEntity } = data as { mainEntity: { itemListElement: { position: number; name: string }[] } }
  return mainEntity.itemListElement
}

/** The hidden fields of the search form, as `name=value`. */
export function hiddenFieldsOf({ html }: Pick<ReadPage, 'html'>): string[] {
  return [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => `${name}=${textOf(value)}`,
  )
}

/** Without tags, with characters in place of references. */
export function textOf(html: string): string {
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name = '') => {
      if (hex !== undefined || decimal !== undefined)
        return String.fromCodePoint(Number.parseInt(hex ?? decimal ?? '', hex === undefined ? 10 : 16))
      return named[String(name)] ?? whole
    })
}

/** Waits until the list, and so every page, has exactly these names. Takes up to a second. @param query of the list */
export async function untilListed(app: Pick<TestApp, 'listUrl' | 'clock'>, names: readonly string[], query = ''): Promise<void> {
  const expected = names.toSorted().join('\n')
  const isListed = async () =>
    (await readList(app, query))
      .map((row) => row.name)
      .toSorted()
      .join('\n') === expected
  await vi.waitUntil(isListed, { timeout: 10_000, interval: 50 })
  // Nobody gets a page that was built before.
  app.clock.advance(1000)
}

const first = (text: string, pattern: RegExp): string | undefined => pattern.exec(text)?.[1]
const all = (text: string, pattern: RegExp): string[] => Array.from(text.matchAll(pattern), ([, group = '']) => group)
