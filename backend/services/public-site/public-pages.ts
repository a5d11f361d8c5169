/** Collects what the public pages show: `/browse` for a state of the list, and `/s/{id}` for a state of its server. */
import type { BrowseQuery, PublicSite } from '#contract/public-site/public-site.ts'
import type { Language } from '#contract/text/panel-languages.ts'
import type { Snapshot } from '#backend/masterlist/lists/snapshot.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import type { RowSource } from '#backend/masterlist/registry/listed-row.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Encoding } from '#backend/platform/http/negotiation.ts'
import { browse, inPlayerOrder } from './browse.ts'
import type { PageCache } from './page-cache.ts'
import type { PageBody, PageJob, PageRenderer } from './page-renderer.ts'
import { isStillPublic, publicServer } from './public-server.ts'
import { type PublicSources, type ShownServer, serverView } from './public-views.ts'

/** How old a list may be while the next one is being built. */
const LIST_AGE_MS = 1000
/** A bucket is stored every five minutes: pages get their next graph then. */
const GRAPH_MS = 5 * 60_000
/** How old a page may be while its next graph is being read. */
const GRAPH_AGE_MS = 2 * GRAPH_MS

/** The visitor's language, addresses and encoding: pages differ by them. */
export interface Reader {
  readonly language: Language
  readonly site: PublicSite
  readonly encoding: Encoding
}

/** Runs a build, now or later. Throws if too many wait. */
export type Queued = <T>(build: () => Promise<T>) => Promise<T>

type List = Pick<RunningMasterList, 'registry' | 'snapshots' | 'counts' | 'withdrawals'>

type ServerPage = 'page' | 'embed'

export class PublicPages {
  readonly #deps: Pick<Deps, 'clock' | 'env'>
  readonly #list: List
  readonly #sources: PublicSources
  readonly #renderer: PageRenderer
  readonly #cache: PageCache

  constructor(deps: Pick<Deps, 'clock' | 'env'>, list: List, sources: PublicSources, renderer: PageRenderer, cache: PageCache) {
    this.#deps = deps
    this.#list = list
    this.#sources = sources
    this.#renderer = renderer
    this.#cache = cache
  }

  /** @param queued runs a build that no other visitor has requested; throws if there are too many. */
  async browse(query: BrowseQuery, reader: Reader, queued: Queued): Promise<PageBody | undefined> {
    const snapshot = this.#list.snapshots.current()
    const build = () => queued(() => this.#buildBrowse(query, reader, snapshot))
    // Chosen servers may be offline. Their changes are not in the version of the list.
    if (query.ids !== undefined) return await build()
    // No page from before the last withdrawal is shown, although the list may be a second old.
    const key = JSON.stringify(['browse', query, reader, this.#list.withdrawals])
    return await this.#cache.get({ key, state: [], edition: snapshot.version, maxAgeMs: LIST_AGE_MS }, build)
  }

  /** Undefined if the server has no public page. @param queued as for `browse`. */
  async server(id: string, kind: ServerPage, reader: Reader, queued: Queued): Promise<PageBody | undefined> {
    const now = this.#deps.clock.now()
    const server = publicServer(this.#list.registry, id, now)
    if (!isShown(server)) return undefined
    const { publicId, fields, changedAt, online } = server
    // `changedAt` also rises if only the address changes.
    const page = { key: JSON.stringify([kind, publicId, reader]), state: [fields, changedAt, online] }
    const graph = { edition: Math.floor(now / GRAPH_MS), maxAgeMs: GRAPH_AGE_MS }
    return await this.#cache.get({ ...page, ...graph }, () => queued(() => this.#buildServer(publicId, kind, reader)))
  }

  /** A page that says what is wrong. */
  async problem(status: number, sentences: readonly string[], reader: Reader): Promise<PageBody | undefined> {
    const page = { kind: 'problem', status, sentences } as const
    return await this.#cache.get({ key: JSON.stringify([page, reader]), state: [] }, () => this.#render(page, reader))
  }

  async #buildBrowse(query: BrowseQuery, reader: Reader, { rows }: Snapshot): Promise<PageBody> {
    const servers = query.ids === undefined ? rows : inPlayerOrder(this.#chosen(query.ids))
    const isPublic = (row: RowSource) => isStillPublic(this.#list.registry, row)
    const view = await browse(query, servers, isPublic, this.#list.counts(), this.#sources)
    return await this.#render({ kind: 'browse', view }, reader)
  }

  /** A server may be given by its public ID and its vanity ID. */
  #chosen(ids: readonly string[]): ShownServer[] {
    const now = this.#deps.clock.now()
    return [...new Set(ids.map((id) => publicServer(this.#list.registry, id, now)))].filter(isShown)
  }

  async #buildServer(publicId: string, kind: ServerPage, reader: Reader): Promise<PageBody | undefined> {
    await this.#sources.weeks.load([publicId])
    // Read again: it may have changed or been hidden while the build waited.
    const server = publicServer(this.#list.registry, publicId, this.#deps.clock.now())
    if (!isShown(server)) return undefined
    return await this.#render({ kind, view: serverView(server, this.#sources, this.#deps.env.CONNECT_URL_TEMPLATE) }, reader)
  }

  async #render(page: PageJob['page'], { language, site, encoding }: Reader): Promise<PageBody> {
    return await this.#renderer.render({ page, language, site, encoding })
  }
}

function isShown(server: ServerRecord | undefined): server is ServerRecord & ShownServer {
  return server?.announced !== undefined
}
