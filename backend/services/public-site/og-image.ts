/** `GET /s/{id}/og.png` on the panel's listener: the preview of a server in chats and social networks. */
import { hash } from 'node:crypto'
import { join } from 'node:path'
import { addAbortSignal } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { languageTable } from '#contract/text/languages.ts'
import type { Region } from '#contract/text/regions.ts'
import type { LogoLoader } from '#backend/services/about/logo-loader.ts'
import { FILE_NAME, type ImageStorage } from '#backend/core/images/storage.ts'
import { listedServer } from '#backend/masterlist/registry/listed-row.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { BoundedQueue } from '#backend/platform/concurrency/bounded-queue.ts'
import { WorkerError, WorkerProcess } from '#backend/platform/concurrency/worker-process.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { notFound, tooManyRequests, unavailable } from '#backend/platform/errors.ts'
import { clientAddress, limitKey } from '#backend/platform/http/client-address.ts'
import { matchesEtag } from '#backend/platform/http/negotiation.ts'
import { createRateLimit } from '#backend/platform/http/rate-limit.ts'
import { RELEASE } from '#backend/platform/version.ts'
import type { OgImage } from './draw-og-image.ts'
import type { DrawReply } from './og-image.worker.ts'
import { publicServer } from './public-server.ts'
import { sendImage } from './send-image.ts'

/** Networks keep their own copy for days, so a minute more does not matter. */
const CACHE_CONTROL = 'public, max-age=60, s-maxage=60, stale-while-revalidate=60'
/** About 400 images. */
const CACHE_BYTES = 32 * 1024 * 1024
/** While one is drawn, the files of the next are read. A drawing takes about 60 ms, so the last in the queue waits for three seconds. */
const QUEUE = { concurrency: 2, maxQueued: 50, maxQueuedPerKey: 25 }
const READ_TIMEOUT_MS = 10_000
const DRAW_TIMEOUT_MS = 10_000
const MAX_HEAP = 96
const RETRY_SECONDS = 5

const REGION_NAMES: Readonly<Record<Region, string>> = {
  'eu-west': 'Europe (west)',
  'eu-central': 'Europe (central)',
  'eu-north': 'Europe (north)',
  'eu-east': 'Europe (east)',
  'na-east': 'North America (east)',
  'na-west': 'North America (west)',
  'na-central': 'North America (central)',
  sa: 'South America',
  'asia-east': 'Asia (east)',
  'asia-south': 'Asia (south)',
  'asia-southeast': 'Asia (southeast)',
  oceania: 'Oceania',
  'middle-east': 'Middle East',
  africa: 'Africa',
}

/** The contents of an image, with the names of its files in place of their bytes. */
interface Contents extends Pick<OgImage, 'name' | 'id' | 'players' | 'facts' | 'brand'> {
  /** The digest of the operator's logo. */
  readonly logo: string | undefined
  readonly icon: string
  readonly banner: string
}

/** Draws one image at a time in a child process, and keeps the latest ones. At most two images' files are in memory. */
export class OgImages {
  readonly #log: Deps['log']
  readonly #brandName: string
  readonly #storage: Pick<ImageStorage, 'open'>
  readonly #logoLoader: Pick<LogoLoader, 'logo'>
  readonly #queue: BoundedQueue
  readonly #process: WorkerProcess<OgImage, DrawReply>
  /** Concurrent requests for an image share one drawing. */
  readonly #images: LRUCache<string, Buffer, () => Promise<Buffer>>

  constructor({ log, env }: Pick<Deps, 'log' | 'env'>, storage: Pick<ImageStorage, 'open'>, logoLoader: Pick<LogoLoader, 'logo'>) {
    this.#log = log
    this.#storage = storage
    this.#logoLoader = logoLoader
    this.#brandName = env.BRAND_NAME
    const path = join(import.meta.dirname, 'og-image.worker.ts')
    this.#queue = new BoundedQueue({ ...QUEUE, maxQueuedPerKey: env.RATE_LIMITS ? QUEUE.maxQueuedPerKey : Infinity })
    this.#process = new WorkerProcess({ path, timeoutMs: DRAW_TIMEOUT_MS, maxHeap: MAX_HEAP })
    this.#images = new LRUCache({
      maxSize: CACHE_BYTES,
      sizeCalculation: ({ length }) => length,
      ignoreFetchAbort: true,
      fetchMethod: (_etag, _stale, { context }) => context(),
    })
  }

  /** What all images have. */
  get brand(): Pick<Contents, 'brand' | 'logo'> {
    return { brand: this.#brandName, logo: this.#logoLoader.logo?.digest }
  }

  has(etag: string): boolean {
    return this.#images.has(etag)
  }

  /** Throws `unavailable` if too many wait, the storage is unavailable, or the drawing fails. @param key no key may fill the queue. */
  async get(etag: string, contents: Contents, key: string): Promise<Buffer> {
    return await this.#images.forceFetch(etag, { context: () => this.#enqueue(contents, key) })
  }

  close(): void {
    this.#process.close()
  }

  async #enqueue(contents: Contents, key: string): Promise<Buffer> {
    const drawing = this.#queue.run(key, () => this.#draw(contents))
    if (drawing === 'too-many') throw tooManyRequests(RETRY_SECONDS)
    if (drawing === 'full') throw unavailable('IMAGE_NOT_DRAWN', RETRY_SECONDS)
    return await drawing
  }

  async #draw(contents: Contents): Promise<Buffer> {
    try {
      const [icon, banner] = await Promise.all([this.#read(contents.icon), this.#read(contents.banner)])
      return Buffer.from((await this.#process.run({ ...contents, icon, banner, logo: this.#logoLoader.logo?.bytes })).png)
    } catch (error) {
      const isClosed = error instanceof WorkerError && error.failure === 'closed'
      if (!isClosed) this.#log.warn({ err: error }, 'preview image could not be drawn')
      throw unavailable('IMAGE_NOT_DRAWN', RETRY_SECONDS)
    }
  }

  /** Undefined for a missing file: the image is drawn without it. */
  async #read(file: string): Promise<Buffer | undefined> {
    if (!FILE_NAME.test(file)) return undefined
    const stored = await this.#storage.open(file)
    // A slow storage must not block the queue.
    return stored && (await buffer(addAbortSignal(AbortSignal.timeout(READ_TIMEOUT_MS), stored.body)))
  }
}

export function serveOgImages(panel: FastifyInstance, deps: Deps, registry: Pick<Registry, 'find'>, images: OgImages): void {
  const drawings = createRateLimit(deps, 'og-images')
  panel.get('/s/:id/og.png', async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
    const server = publicServer(registry, request.params.id, deps.clock.now())
    if (server === undefined) throw notFound('SERVER_NOT_FOUND')
    const contents = { ...contentsOf(server), ...images.brand }
    const etag = `"${hash('sha256', JSON.stringify([RELEASE, contents]), 'base64url')}"`
    const address = limitKey(clientAddress(request))
    const isUnchanged = matchesEtag(request.headers['if-none-match'], etag)
    if (!isUnchanged && !images.has(etag)) drawings.take(address)
    const body = isUnchanged ? '' : await images.get(etag, contents, address)
    return sendImage(request, reply, { type: 'image/png', body, etag, cacheControl: CACHE_CONTROL })
  })
}

function contentsOf(server: ServerRecord): Omit<Contents, 'brand' | 'logo'> {
  const row = listedServer(server)
  const facts = [languageNameOf(row.language), REGION_NAMES[row.region as Region] ?? '', row.gameMode]
  return {
    name: row.name,
    id: row.publicId,
    players: row.available ? { count: row.playersCount, max: row.maxPlayersCount } : undefined,
    facts: facts.filter((fact) => fact !== ''),
    icon: fileOf(row.masterlist_icon_url),
    banner: fileOf(row.masterlist_banner_url),
  }
}

/** The name in the storage. */
const fileOf = (url: string | null) => url?.slice(url.lastIndexOf('/') + 1) ?? ''

/** Empty for `all`, which is also the language of servers without one. */
const languageNameOf = (code: string) => (code === 'all' ? '' : (languageTable().find((language) => language.code === code)?.name ?? ''))
