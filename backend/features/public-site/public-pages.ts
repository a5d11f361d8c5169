/** Renders the public pages, each once for all visitors: `/browse` for a state of the list, and `/s/{id}` for a state of its server. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LRUCache } from 'lru-cache'
import type { BrowseQuery, BrowseView, PublicServerView, PublicSite, RenderedPublicPage } from '#contract/public-site.ts'
import { type Language, PANEL_LANGUAGES } from '#contract/panel-languages.ts'
import { EncodedBody, type Snapshot, etagOf } from '#backend/masterlist/lists/snapshot.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import type { AnnouncedState, OwnerFields, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { escapeScript } from '#backend/platform/http/first-page.ts'
import { type Pages, RENDER_FOLDER } from '#backend/platform/http/pages.ts'
import { browse, inPlayerOrder } from './browse.ts'
import { publicServer } from './public-server.ts'
import { type PublicSources, type ShownServer, serverView } from './public-views.ts'

const MAX_BROWSE_PAGES = 300
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

type List = Pick<RunningMasterList, 'registry' | 'publisher' | 'counts'>

export type ServerPage = 'page' | 'embed'

interface ServerEntry {
  readonly fields: OwnerFields
  readonly announced: AnnouncedState
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
  #version = ''
  readonly #browsePages = new LRUCache<string, Promise<EncodedBody>>({ max: MAX_BROWSE_PAGES })
  readonly #serverPages = new LRUCache<string, ServerEntry>({
    maxSize: MAX_SERVER_PAGES_BYTES,
    // With its compressed forms.
    sizeCalculation: ({ body }) => Math.ceil(body.length * 1.5),
  })

  constructor(deps: Pick<Deps, 'clock' | 'env'>, list: List, sources: PublicSources, pages: Pages) {
    this.#deps = deps
    this.#list = list
    this.#sources = sources
    this.#pages = pages
  }

  async start(): Promise<void> {
    for (const language of PANEL_LANGUAGES) {
      const url = pathToFileURL(join(RENDER_FOLDER, language, 'public-site.mjs')).href
      this.#renderers.set(language, (await import(url)) as Renderer)
    }
  }

  /** @param queued runs a build that no other visitor has requested; throws if there are too many. */
  async browse(query: BrowseQuery, reader: Reader, queued: <T>(build: () => Promise<T>) => Promise<T>): Promise<EncodedBody> {
    const snapshot = await this.#list.publisher.read()
    if (snapshot.version !== this.#version) {
      this.#browsePages.clear()
      this.#version = snapshot.version
    }
    const key = JSON.stringify([query, reader])
    const known = this.#browsePages.get(key)
    if (known !== undefined) return known
    const building = queued(() => this.#buildBrowse(query, reader, snapshot))
    this.#browsePages.set(key, building)
    building.catch(() => {
      if (this.#browsePages.peek(key) === building) this.#browsePages.delete(key)
    })
    return building
  }

  /** Undefined if the server has no public page. */
  server(id: string, kind: ServerPage, reader: Reader): EncodedBody | undefined {
    const server = publicServer(this.#list.registry, id, this.#deps.clock.now())
    if (!isShown(server)) return undefined
    const { fields, announced, online: isOnline, publicId } = server
    const key = JSON.stringify([publicId, kind, reader])
    const graphAt = Math.floor(this.#deps.clock.now() / GRAPH_MS)
    const known = this.#serverPages.get(key)
    if (known?.fields === fields && known.announced === announced && known.isOnline === isOnline && known.graphAt === graphAt)
      return known.body
    const view = serverView(server, this.#sources, this.#deps.env.CONNECT_URL_TEMPLATE)
    const renderer = this.#rendererOf(reader.language)
    const body = this.#bodyOf(
      kind === 'page' ? renderer.renderServer(view, reader.site) : renderer.renderEmbed(view, reader.site),
      reader.language,
    )
    this.#serverPages.set(key, { fields, announced, isOnline, graphAt, body })
    return body
  }

  /** A page that says what is wrong. */
  problem(status: number, sentences: readonly string[], { language, site }: Reader): string {
    return this.#htmlOf(this.#rendererOf(language).renderProblem(status, sentences, site), language)
  }

  async #buildBrowse(query: BrowseQuery, { language, site }: Reader, { rows }: Snapshot): Promise<EncodedBody> {
    const servers = query.ids === undefined ? rows : inPlayerOrder(this.#chosen(query.ids))
    const view = await browse(query, servers, this.#list.counts(), this.#sources)
    return this.#bodyOf(this.#rendererOf(language).renderBrowse(view, site), language)
  }

  #chosen(ids: readonly string[]): ShownServer[] {
    const now = this.#deps.clock.now()
    return ids.map((id) => publicServer(this.#list.registry, id, now)).filter(isShown)
  }

  #rendererOf(language: Language): Renderer {
    const renderer = this.#renderers.get(language)
    if (renderer === undefined) throw new Error('the public pages have not started')
    return renderer
  }

  #bodyOf(page: RenderedPublicPage, language: Language): EncodedBody {
    const html = this.#htmlOf(page, language)
    return new EncodedBody(etagOf(html), { identity: Buffer.from(html) })
  }

  #htmlOf({ head, body, data }: RenderedPublicPage, language: Language): string {
    const json = data === undefined ? '' : `<script type="application/ld+json">${escapeScript(JSON.stringify(data))}</script>`
    return this.#pages.publicPage(language, head + json, body)
  }
}

function isShown(server: ServerRecord | undefined): server is ServerRecord & ShownServer {
  return server?.announced !== undefined
}
