/** Renders the public pages, each once for all visitors: `/browse` for a state of the list, and `/s/{id}` for a state of its server. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LRUCache } from 'lru-cache'
import type { BrowseQuery, BrowseView, PublicServerView, PublicSite, RenderedPublicPage } from '#contract/public-site.ts'
import type { Language } from '#contract/panel-languages.ts'
import { EncodedBody, type Snapshot, etagOf } from '#backend/masterlist/lists/snapshot.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import type { RowSource } from '#backend/masterlist/registry/listed-row.ts'
import type { OwnerFields, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { escapeScript } from '#backend/platform/http/first-page.ts'
import { type Pages, RENDER_FOLDER } from '#backend/platform/http/pages.ts'
import { browse, inPlayerOrder } from './browse.ts'
import { publicServer } from './public-server.ts'
import { sitemap } from './sitemap.ts'
import { type PublicSources, type ShownServer, serverView } from './public-views.ts'

const MAX_BROWSE_PAGES_BYTES = 24 * 1024 * 1024
/** Each takes a megabyte for 10,000 servers. */
const MAX_SITEMAPS = 3
/** How old a page may be while the next one is being built. */
const MAX_AGE_MS = 1000
const MAX_SERVER_PAGES_BYTES = 24 * 1024 * 1024
/** How old the newest step of a graph may be. */
const GRAPH_MS = 60_000

/** The module that web/build.ts makes of `web/public-site/render.tsx`. */
interface Renderer {
  renderBrowse: (view: BrowseView, site: PublicSite) => RenderedPublicPage
  renderServer: (view: PublicServerView, site: PublicSite) => RenderedPublicPage
  renderEmbed: (view: PublicServerView, site: PublicSite) => RenderedPublicPage
  renderProblem: (status: number, sentences: readonly string[], site: PublicSite) => RenderedPublicPage
}

/** Who asks: pages differ by language, and by address if `PUBLIC_URL` is not set. */
export interface Reader {
  readonly language: Language
  readonly site: PublicSite
}

type List = Pick<RunningMasterList, 'registry' | 'publisher' | 'counts' | 'withdrawals'>

type ServerPage = 'page' | 'embed'

/** Runs a build, now or later. */
type Queued = <T>(build: () => Promise<T>) => Promise<T>

interface BrowseEntry {
  /** Of the list. */
  readonly version: string
  /** When the list was read, in uptime. */
  readonly readAt: number
  readonly body: EncodedBody
}

interface ServerEntry {
  readonly fields: OwnerFields
  /** Also rises if only the address changes. */
  readonly changedAt: number
  readonly isOnline: boolean
  readonly graphAt: number
  readonly body: EncodedBody
}

export class PublicPages {
  readonly #deps: Pick<Deps, 'clock' | 'env'>
  readonly #list: List
  readonly #sources: PublicSources
  readonly #pages: Pages
  readonly #renderers = new Map<Language, Renderer>()
  readonly #browsePages = new LRUCache<string, BrowseEntry>({ maxSize: MAX_BROWSE_PAGES_BYTES, sizeCalculation: sizeOf })
  readonly #browseBuilds = new Map<string, Promise<BrowseEntry>>()
  readonly #sitemaps = new LRUCache<string, EncodedBody>({ max: MAX_SITEMAPS })
  readonly #serverPages = new LRUCache<string, ServerEntry>({
    maxSize: MAX_SERVER_PAGES_BYTES,
    sizeCalculation: sizeOf,
  })

  constructor(deps: Pick<Deps, 'clock' | 'env'>, list: List, sources: PublicSources, pages: Pages) {
    this.#deps = deps
    this.#list = list
    this.#sources = sources
    this.#pages = pages
  }

  /** @param queued runs a build that no other visitor has requested; throws if there are too many. */
  async browse(query: BrowseQuery, reader: Reader, queued: Queued): Promise<EncodedBody> {
    const uptime = this.#deps.clock.uptime()
    const snapshot = await this.#list.publisher.read()
    const build = () => this.#buildBrowse(query, reader, snapshot, uptime)
    // Chosen servers may be offline. Their changes are not in the version of the list.
    if (query.ids !== undefined) return (await queued(build)).body
    // No page from before the last withdrawal is shown, although the list may be a second old.
    const key = JSON.stringify([query, reader, this.#list.withdrawals])
    const known = this.#browsePages.get(key)
    if (known?.version === snapshot.version) return known.body
    const building = this.#browseBuilds.get(key) ?? this.#startBuild(key, queued, build)
    // Nobody waits while the last page is recent enough.
    if (known !== undefined && uptime - known.readAt < MAX_AGE_MS) return known.body
    return (await building).body
  }

  /** Undefined if the server has no public page. @param admit called before the page is rendered; throws if the visitor caused too many */
  async server(id: string, kind: ServerPage, reader: Reader, admit: () => void): Promise<EncodedBody | undefined> {
    // Before the server is read: it must not change in between.
    const renderer = await this.#rendererOf(reader.language)
    const server = publicServer(this.#list.registry, id, this.#deps.clock.now())
    if (!isShown(server)) return undefined
    const { fields, changedAt, online: isOnline, publicId } = server
    const key = JSON.stringify([publicId, kind, reader])
    const graphAt = Math.floor(this.#deps.clock.now() / GRAPH_MS)
    const known = this.#serverPages.get(key)
    if (known?.fields === fields && known.changedAt === changedAt && known.isOnline === isOnline && known.graphAt === graphAt)
      return known.body
    admit()
    const view = serverView(server, this.#sources, this.#deps.env.CONNECT_URL_TEMPLATE)
    const body = this.#bodyOf(
      kind === 'page' ? renderer.renderServer(view, reader.site) : renderer.renderEmbed(view, reader.site),
      reader.language,
    )
    this.#serverPages.set(key, { fields, changedAt, isOnline, graphAt, body })
    return body
  }

  /** Built once for a version of the list, because it takes several milliseconds. @param page see `sitemap`. */
  async sitemap(origin: string, page: number | undefined): Promise<EncodedBody | undefined> {
    const { version, rows } = await this.#list.publisher.read()
    const key = [origin, page, version, this.#list.withdrawals].join(' ')
    const known = this.#sitemaps.get(key)
    if (known !== undefined) return known
    const xml = sitemap(rows.filter(this.#isPublic), origin, page)
    if (xml === undefined) return undefined
    const body = encodedBody(xml)
    this.#sitemaps.set(key, body)
    return body
  }

  /** A page that says what is wrong. */
  async problem(status: number, sentences: readonly string[], { language, site }: Reader): Promise<string> {
    const { renderProblem } = await this.#rendererOf(language)
    return this.#htmlOf(renderProblem(status, sentences, site), language)
  }

  #startBuild(key: string, queued: Queued, build: () => Promise<BrowseEntry>): Promise<BrowseEntry> {
    const building = queued(build).finally(() => this.#browseBuilds.delete(key))
    this.#browseBuilds.set(key, building)
    // Also if nobody waits for it.
    building.then(
      (entry) => this.#browsePages.set(key, entry),
      () => undefined,
    )
    return building
  }

  async #buildBrowse(query: BrowseQuery, { language, site }: Reader, { version, rows }: Snapshot, readAt: number): Promise<BrowseEntry> {
    const { renderBrowse } = await this.#rendererOf(language)
    const servers = query.ids === undefined ? rows : inPlayerOrder(this.#chosen(query.ids))
    const view = await browse(query, servers, this.#isPublic, this.#list.counts(), this.#sources)
    return { version, readAt, body: this.#bodyOf(renderBrowse(view, site), language) }
  }

  readonly #isPublic = ({ fields }: RowSource) => this.#list.registry.get(fields.publicId)?.isPublic === true

  #chosen(ids: readonly string[]): ShownServer[] {
    const now = this.#deps.clock.now()
    return ids.map((id) => publicServer(this.#list.registry, id, now)).filter(isShown)
  }

  /** Loads it with the first page in this language. */
  async #rendererOf(language: Language): Promise<Renderer> {
    const known = this.#renderers.get(language)
    if (known !== undefined) return known
    const loaded = (await import(pathToFileURL(join(RENDER_FOLDER, language, 'public-site.mjs')).href)) as Renderer
    this.#renderers.set(language, loaded)
    return loaded
  }

  #bodyOf(page: RenderedPublicPage, language: Language): EncodedBody {
    return encodedBody(this.#htmlOf(page, language))
  }

  #htmlOf({ head, body, data }: RenderedPublicPage, language: Language): string {
    const json = data === undefined ? '' : `<script type="application/ld+json">${escapeScript(JSON.stringify(data))}</script>`
    return this.#pages.publicPage(language, head + json, body)
  }
}

/** With its compressed forms. */
const sizeOf = ({ body }: { readonly body: EncodedBody }) => Math.ceil(body.length * 1.5)

function encodedBody(text: string): EncodedBody {
  return new EncodedBody(etagOf(text), { identity: Buffer.from(text) })
}

function isShown(server: ServerRecord | undefined): server is ServerRecord & ShownServer {
  return server?.announced !== undefined
}
