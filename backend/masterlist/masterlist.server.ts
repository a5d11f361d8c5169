/** The master list's listener: the direct routes on node:http, and Fastify for all others. */
import { type ServerResponse, createServer } from 'node:http'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Deps } from '#backend/platform/deps.ts'
import { UNAVAILABLE_SECONDS, rejectionBody, rejectionReply, sendReply, writeReply } from '#backend/masterlist/wire/reply.ts'
import type { Age } from '#backend/masterlist/wire/list-heads.ts'
import { clientAddress, limitKey, trustProxyOf } from '#backend/platform/http/client-address.ts'
import { failureKind } from '#backend/platform/database/failure.ts'
import { SMALL_REQUEST_TIMEOUTS, endUnusedConnections, keepAliveOf, limitConnections } from '#backend/platform/http/connections.ts'
import { hasDuplicateHost } from '#backend/platform/http/host-guard.ts'
import { malformedHandler, trackResponses } from '#backend/platform/http/malformed-requests.ts'
import { requestLanguage } from '#backend/platform/http/accept-language.ts'
import { runInLanguage } from '#backend/platform/messages/language.ts'
import { sentence } from '#backend/platform/messages/sentence.ts'
import { TokenBuckets } from '#backend/platform/http/rate-limit.ts'
import { nextRequestId } from '#backend/platform/http/request-id.ts'
import { runInRequest } from '#backend/platform/trace.ts'
import { DirectRoutes } from './direct-routes.ts'
import type { RunningMasterList } from './masterlist.ts'
import { registerMasterListRoutes } from './masterlist.routes.ts'

/** Closes a connection whose response makes no progress. Streams send heartbeats more often. */
const STUCK_TIMEOUT_MS = 60_000

const ALLOWED: readonly (readonly [RegExp, string])[] = [
  [/^\/cloud-auth\/(?:ticket|verify)\/?$/, 'POST, OPTIONS'],
  [/^\/cloud-auth(?:\/callback|\/jwks\.json)?\/?$/, 'GET, HEAD, OPTIONS'],
  [/^\/announce\/?$/, 'POST, DELETE, OPTIONS'],
  [/^\/servers\/[^/]+\/(?:skin|badge\.svg|(?:avg|max)\/[^/]+)\/?$/, 'GET, HEAD, OPTIONS'],
  [/^\/servers(?:\/[^/]+)?\/?$/, 'GET, HEAD, OPTIONS'],
  [/^\/(?:server\/[^/]+|(?:avg|max)\/[^/]+\/[^/]+)\/?$/, 'GET, HEAD, OPTIONS'],
  [/^\/images\/[^/]+\/?$/, 'GET, HEAD, OPTIONS'],
  [/^\/signed\/(?:head|keys|chunks\/[^/]+)\/?$/, 'GET, HEAD, OPTIONS'],
  [/^\/(?:connection|healthz|readyz|metrics|openapi\.json)\/?$/, 'GET, HEAD, OPTIONS'],
]

/** @param age the `Age` header of lists. */
export function createMasterListServer(deps: Deps, list: RunningMasterList, age: Age = () => undefined): FastifyInstance {
  const direct = new DirectRoutes(deps, list, age)
  list.countStreams = () => direct.streams.size
  const app: FastifyInstance = fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxyOf(deps.env),
    bodyLimit: 8192,
    // A base URL that ends with a slash is a common mistake: `//announce`.
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 100 },
    serverFactory: (handler) =>
      createServer(
        { ...SMALL_REQUEST_TIMEOUTS, keepAliveTimeout: keepAliveOf(deps.env), requireHostHeader: false },
        (request, response) => {
          if (hasDuplicateHost(request)) rejectDuplicateHost(response)
          else if (!direct.handle(request, response)) handler(request, response)
        },
      )
        .on('checkExpectation', (_request, response) => rejectExpectation(response))
        .setTimeout(STUCK_TIMEOUT_MS),
    // While it stops, each request is served and closes its connection.
    return503OnClosing: false,
    clientErrorHandler: malformedHandler('application/json', malformedReply),
    genReqId: nextRequestId,
    // Such as a URL that can't be decoded, or is longer than any ID.
    frameworkErrors: (_error, _request, reply) => void sendReply(reply, rejectionReply('NOT_FOUND')),
  })
  trackResponses(app.server)
  limitConnections(app.server, deps.env)
  endUnusedConnections(app)
  addHooks(app, deps, list, direct)
  app.removeAllContentTypeParsers()
  // Cloud auth parses its bodies in a scope of its own; no other call has one.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.setNotFoundHandler(notFound)
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500
    // `DatabaseHealth` logs database failures.
    if (status >= 500 && failureKind(error) === undefined)
      runInRequest(request.raw, () => request.log.error({ err: error }, 'master list request failed'))
    if (status >= 500) return sendReply(reply, rejectionReply('UNAVAILABLE', UNAVAILABLE_SECONDS))
    return sendReply(reply, rejectionReply(status === 404 ? 'NOT_FOUND' : 'MALFORMED_REQUEST'))
  })
  registerMasterListRoutes(app, list, age)
  return app
}

function addHooks(app: FastifyInstance, deps: Deps, list: RunningMasterList, direct: DirectRoutes): void {
  const reads = deps.env.RATE_LIMITS ? new TokenBuckets(deps, 'other-reads') : undefined
  app.addHook('onRequest', (request, _reply, done) => runInRequest(request.raw, done))
  app.addHook('onRequest', (request, reply, done) => {
    list.requestStats.measure('other', reply.raw)
    const wait = reads?.take(limitKey(clientAddress(request))) ?? 0
    if (wait > 0) return void sendReply(reply, rejectionReply('TOO_MANY_REQUESTS', wait))
    reply.headers({ 'x-content-type-options': 'nosniff', 'x-request-id': request.id, 'access-control-expose-headers': 'X-Request-Id' })
    done()
  })
  app.addHook('preHandler', (request, _reply, done) =>
    // Again: reading the body has left it.
    runInRequest(request.raw, () => runInLanguage(requestLanguage(request), done)),
  )
  app.addHook('preClose', (done) => {
    direct.drain()
    done()
  })
}

function notFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?', 1)[0] ?? ''
  const methods = ALLOWED.find(([pattern]) => pattern.test(path))?.[1]
  if (request.method === 'OPTIONS') {
    return (
      reply
        .code(204)
        .header('access-control-allow-origin', '*')
        .header('access-control-allow-methods', methods ?? 'GET, HEAD, OPTIONS')
        // The wildcard doesn't include Authorization, and no page needs it: credentials belong to game servers.
        .header('access-control-allow-headers', '*')
        .header('access-control-max-age', '86400')
        .send()
    )
  }
  if (methods === undefined || methods.split(', ').includes(request.method)) return sendReply(reply, rejectionReply('NOT_FOUND'))
  return sendReply(reply, rejectionReply('METHOD_NOT_ALLOWED'), ['Allow', methods])
}

function rejectExpectation(response: ServerResponse): void {
  writeReply(response, { status: 417, body: () => malformedReply(417), retryAfter: 0 }, ['Connection', 'close'])
}

/** A proxy in front may have used the other Host header. */
function rejectDuplicateHost(response: ServerResponse): void {
  const rejection = rejectionReply('MALFORMED_REQUEST', 0, () => [sentence('LIST_HOST_REPEATED')])
  writeReply(response, rejection, ['Connection', 'close'])
}

function malformedReply(statusCode: number): string {
  return rejectionBody('MALFORMED_REQUEST', statusCode)
}
