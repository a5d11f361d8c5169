/** The panel's listener, with everything that all its requests share. */
import { IncomingMessage, type OutgoingHttpHeaders, type Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyHttpOptions,
  LogController,
} from 'fastify'
import helmet from 'helmet'
import { brandedPage } from '#backend/platform/branding/brand.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { acceptJson } from './accept-json.ts'
import { clientAddress, limitKey, trustProxyOf } from './client-address.ts'
import { CONNECTION_CHECK_MS, endUnusedConnections, keepAliveOf, limitConnections } from './connections.ts'
import { requestLanguage } from './accept-language.ts'
import { errorReply, sendError, sendErrorReply } from './error-reply.ts'
import { runInLanguage } from '#backend/platform/messages/language.ts'
import type { EventStreams } from './event-stream.ts'
import { NOT_A_PAGE, pageLanguageOf, type Pages } from './pages.ts'
import { hostGuard, redirectToPublicUrl } from './host-guard.ts'
import { malformedHandler, trackResponses } from './malformed-requests.ts'
import { createRateLimit } from './rate-limit.ts'
import { nextRequestId } from './request-id.ts'
import { runInRequest } from '#backend/platform/trace.ts'

/** Far more than any request needs; image uploads have their own limit. */
const BODY_LIMIT_BYTES = 64 * 1024
/** No filter has more values. The rest is dropped, to limit memory. */
const MAX_QUERY_VALUES = 50

/** Replies of the API are private: no cache may store them. They are not pages, so a short policy is enough. */
const PRIVATE = { 'cache-control': 'no-store', 'content-security-policy': NOT_A_PAGE }

interface Options extends Pick<Deps, 'env' | 'log' | 'clock' | 'bus'> {
  readonly cookieSecret: string
  readonly pages: Pages | undefined
  readonly streams: EventStreams
  readonly imageOrigins: readonly string[]
}

export async function createPanelServer(options: Options): Promise<FastifyInstance> {
  const { env, pages, streams } = options
  const app = Fastify(serverOptions(options))
  trackResponses(app.server)
  limitConnections(app.server, env)
  endUnusedConnections(app)
  acceptJson(app)
  // A secret is shown once, so nobody can request it repeatedly and guess it from the sizes of the replies (BREACH).
  await app.register(compress, { encodings: ['br', 'gzip'], globalDecompression: false })
  await app.register(cookie, { secret: options.cookieSecret })
  app.setErrorHandler(sendError)
  app.server.on('checkExpectation', (_request, response) => rejectExpectation(response))
  const guardHost = hostGuard(env)
  const headers = securityHeaders(options)
  // Counts every request of an address, including those with invalid sessions or paths.
  const requests = createRateLimit(options, 'requests')
  app.addHook('onRequest', (request, _reply, done) => runInRequest(request.raw, done))
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    // The URL can spell a path in several ways, such as /%61pi. The route has one spelling.
    if (request.routeOptions.url?.startsWith('/api/') !== false) reply.headers(PRIVATE)
    requests.take(limitKey(clientAddress(request)))
    guardHost(request)
    done()
  })
  app.addHook('preHandler', (request, _reply, done) =>
    // Again: reading the body has left it.
    runInRequest(request.raw, () => runInLanguage(requestLanguage(request), done)),
  )
  app.addHook('preClose', (done) => {
    streams.close()
    done()
  })
  if (pages !== undefined) await pages.serve(app)
  const page = pages && brandedPage(pages.html, env)
  app.get('/*', (request, reply) => sendPage(options, page, request, reply))
  app.setNotFoundHandler((_request, reply) => sendErrorReply(reply, errorReply(404, 'PAGE_NOT_FOUND')))
  return app
}

function serverOptions({ env, log }: Options) {
  return {
    loggerInstance: log as FastifyBaseLogger,
    // A line per request is expensive; errors are logged where they occur.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxyOf(env),
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { querystringParser: parseQueryString, maxParamLength: 500 },
    forceCloseConnections: 'idle',
    // Against slow clients (docs/operating.md). The largest body is an image of 8 MiB, which takes a minute at 1 Mbit/s.
    requestTimeout: 75_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: CONNECTION_CHECK_MS, requireHostHeader: false },
    keepAliveTimeout: keepAliveOf(env),
    genReqId: nextRequestId,
    frameworkErrors: (error, request, reply) => {
      // Framework errors occur before the hooks that add these headers.
      reply.headers({ ...PRIVATE, 'x-content-type-options': 'nosniff', 'x-request-id': request.id })
      sendError(error, request, reply)
    },
    clientErrorHandler: rejectMalformed,
  } satisfies FastifyHttpOptions<Server>
}

/** Sends the panel's page for any path without another route; the page has its own router. */
function sendPage(
  { env, pages }: Pick<Options, 'env' | 'pages'>,
  page: ReturnType<typeof brandedPage> | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const path = (request.params as { '*': string })['*']
  const isPage = !/^(api|assets|local-discord)(\/|$)/.test(path)
  if (!isPage) reply.headers(PRIVATE)
  if (!isPage || pages === undefined || page === undefined) {
    reply.callNotFound()
    return reply
  }
  if (redirectToPublicUrl(env, request, reply)) return reply
  reply
    .type('text/html; charset=utf-8')
    .headers({ 'cache-control': 'no-cache', etag: page.etag, link: pages.linksOf(path, pageLanguageOf(request)) })
  return request.headers['if-none-match'] === page.etag ? reply.code(304).send() : reply.send(page.html)
}

/** Parses query strings where `name[0]=a&name[1]=b` is a list. */
function parseQueryString(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>
  for (const [key, value] of new URLSearchParams(text)) {
    const name = /^([^[\]]+)\[(\d{0,3})\]$/.exec(key)?.[1]
    if (name === undefined) {
      query[key] = value
      continue
    }
    const values = query[name]
    if (!Array.isArray(values)) query[name] = [value]
    else if (values.length < MAX_QUERY_VALUES) values.push(value)
  }
  return query
}

function rejectExpectation(response: ServerResponse): void {
  const body = JSON.stringify(errorReply(417, 'EXPECT_UNSUPPORTED'))
  response
    .writeHead(417, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'x-content-type-options': 'nosniff',
      'x-request-id': nextRequestId(),
      connection: 'close',
    })
    .end(body)
}

const MALFORMED = {
  400: 'HTTP_INVALID',
  408: 'REQUEST_TOO_SLOW',
  431: 'HEADERS_TOO_LARGE',
} as const

const rejectMalformed = malformedHandler('application/json; charset=utf-8', (status) =>
  JSON.stringify(errorReply(status, MALFORMED[status])),
)

/** The toast library adds a style element, empty at first. After an update, the browser's CSP error names the new hash. */
const SONNER_STYLES = ["'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='", "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='"]

/** Equal for all replies, so they are computed once. */
function securityHeaders(options: Options): OutgoingHttpHeaders {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  helmet(headersFor(options))(response.req, response, () => undefined)
  response.setHeader('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
  return { ...response.getHeaders() }
}

function headersFor({ env, imageOrigins }: Options) {
  const isHttps = env.PUBLIC_URL?.startsWith('https:') === true
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'", ...SONNER_STYLES],
        'img-src': ["'self'", 'data:', 'blob:', 'https://cdn.discordapp.com', ...imageOrigins],
        'font-src': ["'self'"],
        'connect-src': ["'self'"],
        // The preview of a server's card.
        'frame-src': ["'self'"],
        'manifest-src': ["'self'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
        'object-src': ["'none'"],
      },
    },
    strictTransportSecurity: isHttps ? { maxAge: 63_072_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'same-origin' },
    crossOriginEmbedderPolicy: false,
    // Only browsers and plug-ins that no longer exist read these. Each reply would carry them.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  } as const
}
