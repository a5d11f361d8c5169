/** The master list's less frequent calls. Also the frequent ones, for URLs that the fast routes don't recognize. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as contract from '#contract/masterlist.ts'
import * as legacy from '#contract/legacy-list.ts'
import { type Endpoint, parseRoute } from '#contract/endpoint.ts'
import { etagOf } from '#backend/masterlist/lists/encoded-body.ts'
import { legacyReplyJson } from '#backend/masterlist/lists/legacy-server.ts'
import { rowJson } from '#backend/masterlist/registry/listed-row.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { type Reply, bodyIn, rejectionReply } from '#backend/masterlist/wire/reply.ts'
import { requestLanguage } from '#backend/platform/http/accept-language.ts'
import { type Age, EXPOSED_HEADERS, REVALIDATED, SHARED_FOR_A_SECOND } from '#backend/masterlist/wire/list-heads.ts'
import { EXPOSED_BY_REJECTIONS } from '#backend/masterlist/wire/write-reply.ts'
import { encodingFor, matchesEtag } from '#backend/platform/http/negotiation.ts'
import { countRejection } from '#backend/masterlist/wire/request-stats.ts'
import { compressSmall } from '#backend/masterlist/wire/small-body.ts'
import { mayClose } from '#backend/platform/http/connections.ts'
import type { FastRoutes } from './fast-routes.ts'
import type { RunningMasterList } from './masterlist.ts'

export function registerMasterListRoutes(app: FastifyInstance, list: RunningMasterList, fast: FastRoutes, age: Age): void {
  const { announces, lists, streams } = fast
  bindRaw(app, contract.announce, (request, response) => announces.announce(request, response))
  bindRaw(app, contract.leave, (request, response) => announces.leave(request, response))
  bindRaw(app, contract.servers, (request, response) => lists.servers(request, response))
  bindRaw(app, legacy.servers, (request, response) => lists.legacyServers(request, response))
  bindRaw(app, contract.stream, (request, response) => streams.stream(request, response))

  app.get(parseRoute(contract.info.route).path, (request, reply) => {
    const { servers, players } = list.counts()
    const json = JSON.stringify({ serversCount: servers, playersCount: players })
    const headers = { 'x-list-version': list.changes.version, 'cache-control': SHARED_FOR_A_SECOND }
    return sendBody(request, reply.headers(headers), json, etagOf(json), age())
  })

  const bindServer = (endpoint: Endpoint, jsonOf: (server: ServerRecord) => string) =>
    app.get<{ Params: { id: string } }>(parseRoute(endpoint.route).path.replace('{id}', ':id'), (request, reply) => {
      const server = list.registry.find(request.params.id)
      if (server === undefined) return sendReply(reply, rejectionReply('NO_SUCH_SERVER'))
      const json = jsonOf(server)
      return sendBody(request, reply, json, etagOf(json), age())
    })
  bindServer(contract.server, rowJson)
  bindServer(legacy.server, legacyReplyJson)
}

/** Binds a call that reads its own body and writes its own reply. */
function bindRaw(app: FastifyInstance, endpoint: Endpoint, handle: (request: IncomingMessage, response: ServerResponse) => void): void {
  const { method, path } = parseRoute(endpoint.route)
  app.route({
    method,
    url: path,
    handler: (request, reply) => {
      reply.hijack()
      handle(request.raw, reply.raw)
    },
  })
}

/** Sends a small body, or 304. Caches revalidate it each time, unless the caller has set `Cache-Control`. */
export function sendBody(request: FastifyRequest, reply: FastifyReply, body: string, etag: string, age?: number): FastifyReply {
  if (age !== undefined) reply.header('age', String(age))
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', REVALIDATED)
  reply
    .header('access-control-allow-origin', '*')
    .header('access-control-expose-headers', EXPOSED_HEADERS)
    .header('etag', etag)
    .header('vary', 'Accept-Encoding')
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  reply.header('content-type', 'application/json')
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (encoding === 'identity') return reply.send(body)
  return reply.header('content-encoding', encoding).send(compressSmall(body, etag, encoding))
}

/** Headers of every reply that the framework sends; a route may expose more. */
export function commonHeaders({ id }: FastifyRequest): Record<string, string> {
  return { 'x-content-type-options': 'nosniff', 'x-request-id': id, 'access-control-expose-headers': 'X-Request-Id' }
}

/** Sends a rejection through the framework. */
export function sendReply(reply: FastifyReply, rejection: Reply): FastifyReply {
  const { status, retryAfter } = rejection
  const language = requestLanguage(reply.request)
  if (status >= 400) countRejection(status)
  if (retryAfter > 0) reply.header('retry-after', String(retryAfter))
  if (status === 429 && mayClose(reply.request.raw)) reply.header('connection', 'close')
  return reply
    .code(status)
    .headers(commonHeaders(reply.request))
    .header('access-control-expose-headers', EXPOSED_BY_REJECTIONS)
    .header('content-type', 'application/json')
    .header('cache-control', 'no-store')
    .header('access-control-allow-origin', '*')
    .header('content-language', language)
    .header('vary', 'Accept-Language')
    .send(bodyIn(language, rejection))
}
