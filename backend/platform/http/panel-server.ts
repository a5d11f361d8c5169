/** The panel's listener: what every call has in common, before any feature. */
import type { ServerResponse } from 'node:http'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Env } from '#backend/platform/env.ts'
import type { Clock } from '#backend/platform/clock.ts'
import type { Bus } from '#backend/platform/cluster/bus.ts'
import { tooMany } from '#backend/platform/errors.ts'
import type { Log } from '#backend/platform/log.ts'
import { clientAddress, limitKey, trustProxyOf } from './client-address.ts'
import { keepAliveOf, limitConnections } from './direct-connections.ts'
import { envelope, sendError } from './error-reply.ts'
import type { EventStreams } from './event-stream.ts'
import type { Pages } from './pages.ts'
import { hostGuard } from './host-guard.ts'
import { malformedHandler, trackAnswers } from './malformed-requests.ts'
import { parseQueryString } from './query-string.ts'
import { TokenBuckets } from './rate-limit.ts'
import { nextRequestId } from './request-id.ts'
import { LOOK_FOR_SLOW_EACH_MS } from './slow-connections.ts'
import { endUnusedConnections } from './unused-connections.ts'

/** No body of the panel's calls comes near it; images have a limit of their own. */
const BODY_LIMIT_BYTES = 64 * 1024

interface Options {
  readonly env: Env
  readonly log: Log
  readonly clock: Clock
  readonly bus: Bus
  readonly cookieSecret: string
  readonly pages: Pages | undefined
  readonly streams: EventStreams
  /** Where pictures come from that people uploaded. */
  readonly imageOrigins: readonly string[]
}

export async function createPanelServer(options: Options): Promise<FastifyInstance> {
  const { env, log, clock, bus, pages, streams } = options
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    // One line for each refusal worth reading is written where it happens; a line for each call helps nobody and costs much.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxyOf(env),
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { querystringParser: parseQueryString, maxParamLength: 500 },
    forceCloseConnections: 'idle',
    // Against clients that drip: figures from reference tests of slow readers, see docs/operating.md.
    // The largest is a picture of 8 MiB: over a line of a megabit or so it takes about a minute.
    requestTimeout: 75_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: LOOK_FOR_SLOW_EACH_MS, requireHostHeader: false },
    keepAliveTimeout: keepAliveOf(env),
    genReqId: nextRequestId,
    frameworkErrors: (error, request, reply) => {
      // It runs before any hook: what those would have added is added here.
      reply.headers({
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'",
        'x-content-type-options': 'nosniff',
        'x-request-id': request.id,
      })
      sendError(error, request, reply)
    },
    clientErrorHandler: refuseMalformed,
  })
  trackAnswers(app.server)
  limitConnections(app.server, env)
  endUnusedConnections(app)
  acceptJson(app)
  await app.register(cookie, { secret: options.cookieSecret })
  await app.register(helmet, headersFor(options))
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()', 'x-request-id': request.id })
    done()
  })
  app.setErrorHandler(sendError)
  app.server.on('checkExpectation', (_request, response) => refuseExpectation(response))
  const guardHost = hostGuard(env)
  // Everything that one address sends, whatever it is: made-up sessions and addresses that do not exist count, too.
  const calls = env.RATE_LIMITS ? new TokenBuckets({ burst: 1000, perSecond: 100, clock, shared: { bus, name: 'calls' } }) : undefined
  app.addHook('onRequest', (request, reply, done) => {
    const wait = calls?.take(limitKey(clientAddress(request))) ?? 0
    if (wait > 0) return done(tooMany(wait))
    guardHost(request)
    // Answers under /api are somebody's own; nothing on the way may keep them.
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
    return done()
  })
  app.addHook('preClose', (done) => {
    streams.close()
    done()
  })
  if (pages !== undefined) await pages.serve(app)
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = (request.method === 'GET' || request.method === 'HEAD') && !/^\/(api|assets|local-discord)(\/|$)/.test(request.url)
    const page = wantsPage ? pages?.pageFor(request) : undefined
    if (page === undefined) return reply.code(404).type('application/json; charset=utf-8').send(envelope(404, 'There is no such page.'))
    reply.header('cache-control', 'no-cache').header('etag', page.etag)
    if (request.headers['if-none-match'] === page.etag) return reply.code(304).send()
    return reply.type('text/html; charset=utf-8').send(page.html)
  })
  return app
}

/** JSON only; an empty body is no body, whatever its type says (clients often send the header always). */
function acceptJson(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void parseJson(request, String(body), done)
  })
}

function refuseExpectation(response: ServerResponse): void {
  const body = JSON.stringify(envelope(417, 'This expectation can not be met. Leave the Expect header out.'))
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
  400: 'This is not valid HTTP.',
  408: 'The call took too long to arrive.',
  431: 'The headers are too large.',
} as const

const refuseMalformed = malformedHandler('application/json; charset=utf-8', (status) => JSON.stringify(envelope(status, MALFORMED[status])))

/** The toasts' library adds a style element, empty at first. With another version the browser's complaint names the new hash. */
const SONNER_STYLES = ["'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='", "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='"]

function headersFor({ env, pages, imageOrigins }: Options) {
  const isHttps = env.PUBLIC_URL?.startsWith('https:') === true
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'", ...(pages?.scriptHashes ?? [])],
        'style-src': ["'self'", ...SONNER_STYLES],
        'img-src': ["'self'", 'data:', 'blob:', 'https://cdn.discordapp.com', ...imageOrigins],
        'font-src': ["'self'"],
        'connect-src': ["'self'"],
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
  } as const
}
