/** Renders the public pages, each once for all visitors: `/browse` for a state of the list, and `/s/{id}` for a state of its server. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LRUCache } from 'lru-cache'
import type { BrowseQuery, BrowseView, PublicServerView, PublicSite, RenderedPublicPage } from '#contract/public-site.ts'
import type { Language } from '#contract/panel-languages.ts'
import type { EncodedBody, Snapshot } from '#backend/masterlist/lists/snapshot.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import type { RowSource } from '#backend/masterlist/registry/listed-row.ts'
import type { OwnerFields, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { escapeScript } from '#backend/platform/http/first-page.ts'
import { type Pages, RENDER_FOLDER } from '#backend/platform/http/pages.ts'
import { browse, inPlayerOrder } from './browse.ts'
import { type Queued, SharedBuilds, encodedBody } from './page-builds.ts'
import { isStillPublic, publicServer } from './public-server.ts'
import { type PublicSources, type ShownServer, serverView } from './public-views.ts'

const MAX_BROWSE_PAGES_BYTES = 24 * 1024 * 1024
/** How old a page may be while the next one is being built. */
const MAX_AGE_MS = 1000
const MAX_SERVER_PAGES_BYTES = 24 * 1024 * 1024
/** How old the newest step of a graph may be. */
const GRAPH_MS = 60_000
/** About 4 KB each. */
const MAX_PROBLEM_PAGES = 100

/** The module that web/build.ts makes of `web/public-site/render.tsx`. */
interface Renderer {
  renderBrowse: (view: BrowseView, site: PublicSite) => RenderedPublicPage
  renderServer: (view: PublicServerView, site: PublicSite) => RenderedPublicPage
  renderEmbed: (view: PublicServerView, site: PublicSite) => RenderedPublicPage
  renderProblem: (status: number, sentences: readonly string[], site: PublicSite) => RenderedPublicPage
}

/** The visitor's language and addresses: pages differ by them. */
export interface Reader {
  readonly language: Language
  readonly site: PublicSite
}

type List = Pick<RunningMasterList, 'registry' | 'publisher' | 'counts' | 'withdrawals'>

type ServerPage = 'page' | 'embed'

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
  readonly #browseBuilds = new SharedBuilds<BrowseEntry>()
  readonly #serverPages = new LRUCache<string, ServerEntry>({
    maxSize: MAX_SERVER_PAGES_BYTES,
    sizeCalculation: sizeOf,
  })
  readonly #serverBuilds = new SharedBuilds<EncodedBody | undefined>()
  readonly #problemPages = new LRUCache<string, string>({ max: MAX_PROBLEM_PAGES })

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
    const building = this.#browseBuilds.run(key, async () => {
      const entry = await queued(build)
      this.#browsePages.set(key, entry)
      return entry
    })
    // Nobody waits while the last page is recent enough.
    if (known !== undefined && uptime - known.readAt < MAX_AGE_MS) return known.body
    return (await building).body
  }

  /** Undefined if the server has no public page. @param queued as for `browse`. */
  async server(id: string, kind: ServerPage, reader: Reader, queued: Queued): Promise<EncodedBody | undefined> {
    const server = publicServer(this.#list.registry, id, this.#deps.clock.now())
    if (!isShown(server)) return undefined
    const key = JSON.stringify([server.publicId, kind, reader])
    const known = this.#serverPages.get(key)
    if (known !== undefined && this.#isCurrent(known, server)) return known.body
    return await this.#serverBuilds.run(key, () => queued(() => this.#buildServer(key, server.publicId, kind, reader)))
  }

  /** A page that says what is wrong. */
  async problem(status: number, sentences: readonly string[], reader: Reader): Promise<string> {
    const key = JSON.stringify([status, sentences, reader])
    const known = this.#problemPages.get(key)
    if (known !== undefined) return known
    const { renderProblem } = await this.#rendererOf(reader.language)
    const html = this.#htmlOf(renderProblem(status, sentences, reader.site), reader.language)
    this.#problemPages.set(key, html)
    return html
  }

  async #buildBrowse(query: BrowseQuery, { language, site }: Reader, { version, rows }: Snapshot, readAt: number): Promise<BrowseEntry> {
    const { renderBrowse } = await this.#rendererOf(language)
    const servers = query.ids === undefined ? rows : inPlayerOrder(this.#chosen(query.ids))
    const isPublic = (row: RowSource) => isStillPublic(this.#list.registry, row)
    const view = await browse(query, servers, isPublic, this.#list.counts(), this.#sources)
    return { version, readAt, body: this.#bodyOf(renderBrowse(view, site), language) }
  }

  /** A server may be given by its public ID and its vanity ID. */
  #chosen(ids: readonly string[]): ShownServer[] {
    const now = this.#deps.clock.now()
    return [...new Set(ids.map((id) => publicServer(this.#list.registry, id, now)))].filter(isShown)
  }

  async #buildServer(key: string, publicId: string, kind: ServerPage, { language, site }: Reader): Promise<EncodedBody | undefined> {
    const { renderServer, renderEmbed } = await this.#rendererOf(language)
    await this.#sources.weeks.load([publicId])
    // Read again: it may have changed or been hidden while the build waited.
    const server = publicServer(this.#list.registry, publicId, this.#deps.clock.now())
    if (!isShown(server)) return undefined
    const view = serverView(server, this.#sources, this.#deps.env.CONNECT_URL_TEMPLATE)
    const body = this.#bodyOf(kind === 'page' ? renderServer(view, site) : renderEmbed(view, site), language)
    const { fields, changedAt, online: isOnline } = server
    this.#serverPages.set(key, { fields, changedAt, isOnline, graphAt: this.#graphAt(), body })
    return body
  }

  #isCurrent({ fields, changedAt, isOnline, graphAt }: ServerEntry, server: ServerRecord): boolean {
    return fields === server.fields && changedAt === server.changedAt && isOnline === server.online && graphAt === this.#graphAt()
  }

  #graphAt(): number {
    return Math.floor(this.#deps.clock.now() / GRAPH_MS)
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
    return encodedBody(Buffer.from(this.#htmlOf(page, language)))
  }

  #htmlOf({ head, body, data }: RenderedPublicPage, language: Language): string {
    const json = data === undefined ? '' : `<script type="application/ld+json">${escapeScript(JSON.stringify(data))}</script>`
    return this.#pages.publicPage(language, head + json, body)
  }
}

/** With its compressed forms. */
const sizeOf = ({ body }: { readonly body: EncodedBody }) => Math.ceil(body.length * 1.5)

function isShown(server: ServerRecord | undefined): server is ServerRecord & ShownServer {
  return server?.announced !== undefined
}
