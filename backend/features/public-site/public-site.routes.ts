/** The public pages on the panel's listener (docs/decisions/0020). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { EncodedBody } from '#backend/masterlist/lists/snapshot.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { BoundedQueue } from '#backend/platform/concurrency/bounded-queue.ts'
import { AppError, tooManyRequests, unavailable } from '#backend/platform/errors.ts'
import { clientAddress, limitKey } from '#backend/platform/http/client-address.ts'
import { statusOfError } from '#backend/platform/http/error-reply.ts'
import { encodingFor, matchesEtag } from '#backend/platform/http/negotiation.ts'
import { pageLanguageOf } from '#backend/platform/http/pages.ts'
import { createRateLimit } from '#backend/platform/http/rate-limit.ts'
import { runInLanguage } from '#backend/platform/messages/language.ts'
import { listUrlOf, originOf } from '#backend/platform/http/public-addresses.ts'
import { parseBrowseQuery } from './browse-query.ts'
import type { PublicPages, Reader, ServerPage } from './public-pages.ts'

/** Pages that must be built: for an address, and for all visitors together. */
const BUILDS = { burst: 60, perSecond: 5 }
const BUILD_QUEUE = { concurrency: 2, maxQueued: 100, maxQueuedPerKey: 8 }
const BUSY_SECONDS = 1
/** A shared cache may be a second behind, as for the list. It may show a page for a few seconds more while it requests the next one. */
const CACHE_CONTROL = 'public, max-age=0, s-maxage=1, stale-while-revalidate=5, must-revalidate'

type PageRequest = FastifyRequest<{ Params: { id: string } }>

export function servePublicPages(panel: FastifyInstance, deps: Deps, pages: PublicPages): void {
  const builds = createRateLimit(deps, 'public-pages', BUILDS)
  const queue = new BoundedQueue({ ...BUILD_QUEUE, maxQueuedPerKey: deps.env.RATE_LIMITS ? BUILD_QUEUE.maxQueuedPerKey : Infinity })
  const readerOf = (request: FastifyRequest): Reader => ({
    language: pageLanguageOf(request),
    site: { origin: originOf(deps.env, request), listUrl: listUrlOf(deps.env, request) },
  })
  const queuedFor = (request: FastifyRequest) => {
    const key = limitKey(clientAddress(request))
    return async <T>(build: () => Promise<T>): Promise<T> => {
      builds.take(key)
      const result = queue.run(key, build)
      if (result === 'too-many') throw tooManyRequests(BUSY_SECONDS)
      if (result === 'full') throw unavailable('PAGES_BUSY', BUSY_SECONDS)
      return await result
    }
  }
  /** Sends a page, or a page that says what is wrong. */
  const serve = async (
    request: FastifyRequest,
    reply: FastifyReply,
    read: (reader: Reader) => Promise<EncodedBody | undefined> | EncodedBody | undefined,
  ): Promise<FastifyReply> => {
    const reader = readerOf(request)
    return await runInLanguage(reader.language, async () => {
      try {
        const body = await read(reader)
        if (body !== undefined) return await sendPage(request, reply, body, reader)
        return sendProblem(reply, 404, [], reader, pages)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds))
        return sendProblem(reply, statusOfError(error), error.errors, reader, pages)
      }
    })
  }
  const serveServer = (path: string, kind: ServerPage, prepare: (reply: FastifyReply) => void = () => undefined) =>
    panel.get(path, (request: PageRequest, reply) => {
      prepare(reply)
      return serve(request, reply, (reader) => pages.server(request.params.id, kind, reader))
    })

  panel.get('/browse', (request, reply) =>
    serve(request, reply, (reader) => pages.browse(parseBrowseQuery(request.url), reader, queuedFor(request))),
  )
  serveServer('/s/:id', 'page')
  serveServer('/s/:id/embed', 'embed', allowFraming)
}

async function sendPage(request: FastifyRequest, reply: FastifyReply, body: EncodedBody, { language }: Reader): Promise<FastifyReply> {
  const encoding = encodingFor(request.headers['accept-encoding'])
  headersOf(reply, language).headers({ 'cache-control': CACHE_CONTROL, etag: body.etag })
  if (matchesEtag(request.headers['if-none-match'], body.etag)) return reply.code(304).send()
  const bytes = await body.body(encoding)
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.send(bytes)
}

function sendProblem(reply: FastifyReply, status: number, sentences: readonly string[], reader: Reader, pages: PublicPages): FastifyReply {
  return headersOf(reply, reader.language)
    .code(status)
    .header('cache-control', 'no-store')
    .send(pages.problem(status, sentences, reader))
}

function headersOf(reply: FastifyReply, language: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').headers({ 'content-language': language, vary: 'Accept-Language, Cookie, Accept-Encoding' })
}

/** Other sites may frame only this page. */
function allowFraming(reply: FastifyReply): void {
  reply.removeHeader('x-frame-options')
  const policy = String(reply.getHeader('content-security-policy') ?? '')
  reply.header('content-security-policy', policy.replace("frame-ancestors 'none'", 'frame-ancestors *'))
}
