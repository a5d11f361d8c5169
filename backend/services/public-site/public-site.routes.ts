/** The public pages on the panel's listener (docs/decisions/0022). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { brandOf } from '#backend/platform/branding/brand.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Env } from '#backend/platform/env.ts'
import { BoundedQueue } from '#backend/platform/concurrency/bounded-queue.ts'
import { AppError, tooManyRequests, unavailable } from '#backend/platform/errors.ts'
import { clientAddress, limitKey } from '#backend/platform/http/client-address.ts'
import { statusOfError } from '#backend/platform/http/error-reply.ts'
import { encodingFor, matchesEtag } from '#backend/platform/http/negotiation.ts'
import { pageLanguageOf } from '#backend/platform/http/pages.ts'
import { type RateLimit, createRateLimit } from '#backend/platform/http/rate-limit.ts'
import { runInLanguage } from '#backend/platform/messages/language.ts'
import { listUrlOf, originOf } from '#backend/platform/http/public-addresses.ts'
import { serveLanguageChoice } from './choose-language.ts'
import { parseBrowseQuery } from './browse-query.ts'
import type { PageBody } from './page-renderer.ts'
import type { PublicPages, Queued, Reader } from './public-pages.ts'
import { type Sitemaps, robots } from './sitemap.ts'

/** All builds, for all visitors together. While eight pages are in the renderer, others share a query for their history. */
const BUILD_QUEUE = { concurrency: 32, maxQueued: 100, maxQueuedPerKey: 8 }
const BUSY_SECONDS = 1
/** A shared cache may be a second behind, as for the list. It may show a page for a few seconds more while it requests the next one. */
const CACHE_CONTROL = 'public, max-age=0, s-maxage=1, stale-while-revalidate=5'

/** The bodies are compressed once. */
const UNCOMPRESSED = { compress: false } as const

type ServerRequest = FastifyRequest<{ Params: { id: string } }>

export function servePublicPages(panel: FastifyInstance, deps: Deps, pages: PublicPages, sitemaps: Sitemaps): void {
  const queueFor = createBuildQueue(deps)
  const builds = createRateLimit(deps, 'public-pages')
  const renders = createRateLimit(deps, 'public-servers')
  /** Sends a page, or a page that says what is wrong. */
  const serve = async (request: FastifyRequest, reply: FastifyReply, read: (reader: Reader) => Promise<PageBody | undefined>) => {
    const reader = readerOf(deps.env, request)
    const sendProblem = async (status: number, sentences: readonly string[]) => {
      const page = await pages.problem(status, sentences, { ...reader, encoding: 'identity' })
      return reply.code(status).header('cache-control', 'no-store').send(page?.bytes)
    }
    reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'content-language': reader.language,
      vary: 'Accept-Language, Cookie, Accept-Encoding',
    })
    try {
      const body = await read(reader)
      return body === undefined ? await sendProblem(404, []) : sendBody(request, reply, body)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds))
      const sentences = runInLanguage(reader.language, () => error.errors)
      return await sendProblem(statusOfError(error), sentences)
    }
  }

  panel.get('/browse', UNCOMPRESSED, (request, reply) =>
    serve(request, reply, async (reader) => {
      const query = runInLanguage(reader.language, () => parseBrowseQuery(request.url))
      return await pages.browse(query, reader, queueFor(request, builds))
    }),
  )
  panel.get('/s/:id', UNCOMPRESSED, (request: ServerRequest, reply) =>
    serve(request, reply, (reader) => pages.server(request.params.id, 'page', reader, queueFor(request, renders))),
  )
  panel.get('/s/:id/embed', UNCOMPRESSED, (request: ServerRequest, reply) => {
    allowFraming(reply)
    return serve(request, reply, (reader) => pages.server(request.params.id, 'embed', reader, queueFor(request, renders)))
  })
  serveLanguageChoice(panel, deps.env)
  // Otherwise the panel would answer, with 200.
  for (const path of ['/browse/*', '/s/*'])
    panel.get(path, UNCOMPRESSED, (request, reply) => {
      const page = withoutTrailingSlash(request.url)
      return page === undefined ? serve(request, reply, async () => undefined) : reply.redirect(page, 308)
    })
  panel.get('/sitemap.xml', UNCOMPRESSED, async (request, reply) => {
    const encoding = encodingFor(request.headers['accept-encoding'])
    const file = { origin: originOf(deps.env, request), page: pageOf(request), encoding }
    const body = await sitemaps.read(file, queueFor(request, builds))
    if (body === undefined) return reply.callNotFound()
    return sendBody(request, reply.type('application/xml; charset=utf-8').header('vary', 'Accept-Encoding'), body)
  })
  panel.get('/robots.txt', (request, reply) => sendRobots(reply, originOf(deps.env, request)))
}

/** Returns the queue of all builds for a visitor. */
function createBuildQueue(deps: Deps): (request: FastifyRequest, limit: RateLimit) => Queued {
  const queue = new BoundedQueue({ ...BUILD_QUEUE, maxQueuedPerKey: deps.env.RATE_LIMITS ? BUILD_QUEUE.maxQueuedPerKey : Infinity })
  return (request, limit) => async (build) => {
    const key = limitKey(clientAddress(request))
    limit.take(key)
    const result = queue.run(key, build)
    if (result === 'too-many') throw tooManyRequests(BUSY_SECONDS)
    if (result === 'full') throw unavailable('PAGES_BUSY', BUSY_SECONDS)
    return await result
  }
}

function sendRobots(reply: FastifyReply, origin: string): FastifyReply {
  return reply.type('text/plain; charset=utf-8').header('cache-control', CACHE_CONTROL).send(robots(origin))
}

/** `/s/dallas` of `/s/dallas/`, with the query. Undefined for other paths. */
function withoutTrailingSlash(url: string): string | undefined {
  const [, path, query = ''] = /^(\/browse|\/s\/[^?]*[^/?])\/+(\?.*)?$/.exec(url) ?? []
  return path === undefined ? undefined : path + query
}

/** Replies 404. Otherwise the panel's page would be the reply to every path. */
export function hidePublicSite(panel: FastifyInstance): void {
  for (const path of ['/browse', '/browse/*', '/s/*', '/sitemap.xml', '/robots.txt'])
    panel.get(path, (_request, reply) => reply.callNotFound())
}

function readerOf(env: Env, request: FastifyRequest): Reader {
  const site = {
    origin: originOf(env, request),
    listUrl: listUrlOf(env, request),
    brand: brandOf(env),
    acceptsReports: !env.PROTECTION_OFF.includes('PLAYER_REPORTS'),
    termsUrl: env.TERMS_URL,
    privacyUrl: env.PRIVACY_URL,
    imprintUrl: env.IMPRINT_URL,
  }
  return { language: pageLanguageOf(request), site, encoding: encodingFor(request.headers['accept-encoding']) }
}

function pageOf({ url }: FastifyRequest): number | undefined {
  const page = new URLSearchParams(url.split('?', 2)[1]).get('page')
  return page === null ? undefined : Number(page)
}

function sendBody(request: FastifyRequest, reply: FastifyReply, { etag, bytes }: PageBody): FastifyReply {
  reply.headers({ 'cache-control': CACHE_CONTROL, etag })
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.send(bytes)
}

/** Other sites may frame only this page. */
function allowFraming(reply: FastifyReply): void {
  reply.removeHeader('x-frame-options')
  const policy = String(reply.getHeader('content-security-policy') ?? '')
  reply.headers({
    'content-security-policy': policy.replace("frame-ancestors 'none'", 'frame-ancestors *'),
    'cross-origin-resource-policy': 'cross-origin',
  })
}
