/** The master list's listener: Fastify, behind the fast routes. */
import { type ServerResponse, createServer } from 'node:http'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Deps } from '#backend/platform/deps.ts'
import { UNAVAILABLE_SECONDS, rejectionBody, rejectionReply } from '#backend/masterlist/wire/reply.ts'
import { setNodeInternals } from '#backend/platform/node-internals/node-internals.ts'
import { BodyRequest } from '#backend/platform/node-internals/body-request.ts'
import type { Age } from '#backend/masterlist/wire/list-heads.ts'
import { writeReply } from '#backend/masterlist/wire/write-reply.ts'
import { clientAddress, limitKey, trustProxyOf } from '#backend/platform/http/client-address.ts'
import { failureKind } from '#backend/platform/database/failure.ts'
import { SMALL_REQUEST_TIMEOUTS, endUnusedConnections, keepAliveOf, limitConnections } from '#backend/platform/http/connections.ts'
import { hasDuplicateHost } from '#backend/platform/http/host-guard.ts'
import { malformedHandler, trackResponses } from '#backend/platform/http/malformed-requests.ts'
import { requestLanguage } from '#backend/platform/http/accept-language.ts'
import { runInLanguage } from '#backend/platform/messages/language.ts'
import { sentence } from '#backend/platform/messages/sentence.ts'
import { createBuckets } from '#backend/platform/http/rate-limit.ts'
import { nextRequestId } from '#backend/platform/http/request-id.ts'
import { FastRoutes } from './fast-routes.ts'
import type { RunningMasterList } from './masterlist.ts'
import { commonHeaders, sendReply, registerMasterListRoutes } from './masterlist.routes.ts'

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
  [/^\/(?:connection|healthz|readyz|metrics|openapi\.json)\/?$/, 'GET, HEAD, OPTIONS'],
]

/** @param age the `Age` header of lists. */
export async function createMasterListServer(deps: Deps, list: RunningMasterList, age: Age = () => undefined): Promise<FastifyInstance> {
  setNodeInternals(deps.env.NODE_INTERNALS)
  const fast = new FastRoutes(deps, list, age)
  list.countStreams = () => fast.streams.size
  list.requestStats = fast.stats
  const app: FastifyInstance = fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxyOf(deps.env),
    bodyLimit: 8192,
    // A base URL that ends with a slash is a common mistake: `//announce`.
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 100 },
    serverFactory: (handler) =>
      createServer(
        { ...SMALL_REQUEST_TIMEOUTS, keepAliveTimeout: keepAliveOf(deps.env), requireHostHeader: false, IncomingMessage: BodyRequest },
        (request, response) => {
          if (hasDuplicateHost(request)) rejectDuplicateHost(response)
          else if (!fast.handle(request, response)) handler(request, response)
        },
      )
        .on('checkExpectation', (_request, response) => rejectExpectation(response))
        .setTimeout(STUCK_TIMEOUT_MS),
    clientErrorHandler: malformedHandler('application/json', malformedReply),
    genReqId: nextRequestId,
    // Such as a URL that can't be decoded, or is longer than any ID.
    frameworkErrors: (_error, _request, reply) => void sendReply(reply, rejectionReply('NOT_FOUND')),
  })
  const reads = deps.env.RATE_LIMITS ? createBuckets(deps, 'other-reads') : undefined
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders(request))
    const wait = reads?.take(limitKey(clientAddress(request))) ?? 0
    if (wait === 0) done()
    else void sendReply(reply, rejectionReply('TOO_MANY_REQUESTS', wait))
  })
  app.addHook('preHandler', (request, _reply, done) => runInLanguage(requestLanguage(request), done))
  // Announces and cloud auth read their own bodies; no other call has one.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  trackResponses(app.server)
  limitConnections(app.server, deps.env)
  endUnusedConnections(app)
  app.addHook('preClose', async () => fast.drain())
  app.setNotFoundHandler(notFound)
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500
    // `DatabaseHealth` logs database failures.
    if (status >= 500 && failureKind(error) === undefined) request.log.error({ err: error }, 'master list request failed')
    if (status >= 500) return sendReply(reply, rejectionReply('UNAVAILABLE', UNAVAILABLE_SECONDS))
    return sendReply(reply, rejectionReply(status === 404 ? 'NOT_FOUND' : 'MALFORMED_REQUEST'))
  })
  registerMasterListRoutes(app, list, fast, age)
  return Promise.resolve(app)
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
  const isWrongMethod = methods !== undefined && !methods.split(', ').includes(request.method)
  if (isWrongMethod) reply.header('allow', methods)
  return sendReply(reply, rejectionReply(isWrongMethod ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND'))
}

function rejectExpectation(response: ServerResponse): void {
  const body = malformedReply(417)
  response
    .writeHead(417, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-content-type-options': 'nosniff',
      'x-request-id': nextRequestId(),
      connection: 'close',
    })
    .end(body)
}

/** A proxy in front may have used the other Host header. */
function rejectDuplicateHost(response: ServerResponse): void {
  response.shouldKeepAlive = false
  writeReply(
    response,
    rejectionReply('MALFORMED_REQUEST', 0, () => [sentence('LIST_HOST_REPEATED')]),
  )
}

function malformedReply(statusCode: number): string {
  return rejectionBody('MALFORMED_REQUEST', statusCode)
}
