/** The master list's less frequent calls. The others are in direct-routes.ts. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as contract from '#contract/masterlist/masterlist.ts'
import * as legacy from '#contract/masterlist/legacy-list.ts'
import { type Endpoint, parseRoute } from '#contract/api/endpoint.ts'
import { etagOf } from '#backend/masterlist/lists/encoded-body.ts'
import { legacyReplyJson } from '#backend/masterlist/lists/legacy-server.ts'
import { rowJson } from '#backend/masterlist/registry/listed-row.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { type Age, EXPOSED_HEADERS, REVALIDATED, SHARED_FOR_A_SECOND } from '#backend/masterlist/wire/list-heads.ts'
import { rejectionReply, sendReply } from '#backend/masterlist/wire/reply.ts'
import { encodingFor, matchesEtag } from '#backend/platform/http/negotiation.ts'
import type { RunningMasterList } from './masterlist.ts'

export function registerMasterListRoutes(app: FastifyInstance, list: RunningMasterList, age: Age): void {
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
  // A few hundred bytes, in about 30 µs.
  const compressed = encoding === 'gzip' ? gzipSync(body) : brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
  return reply.header('content-encoding', encoding).send(compressed)
}
