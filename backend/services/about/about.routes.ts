import proxyAddress from '@fastify/proxy-addr'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as about from '#contract/public-site/about.ts'
import { parseRoute } from '#contract/api/endpoint.ts'
import * as connection from '#contract/servers/connection.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { wordingOf } from '#backend/masterlist/registry/reasons.ts'
import { etagOf } from '#backend/masterlist/lists/encoded-body.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import { sendBody } from '#backend/masterlist/masterlist.routes.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { AppError } from '#backend/platform/errors.ts'
import { message } from '#backend/platform/messages/message.ts'
import { clientAddress } from '#backend/platform/http/client-address.ts'
import { matchesEtag } from '#backend/platform/http/negotiation.ts'
import { openApiDocument } from '#backend/platform/http/open-api/open-api.ts'
import { listUrlOf } from '#backend/platform/http/public-addresses.ts'
import { RELEASE, VERSION } from '#backend/platform/version.ts'

export function bindAbout(bind: Bind, { env }: Deps, list: Pick<RunningMasterList, 'counts'>, hasDownloads: () => boolean): void {
  bind(about.about, ({ request }) => {
    const { servers, players } = list.counts()
    return {
      version: VERSION,
      release: RELEASE,
      masterlist_url: listUrlOf(env, request),
      local_identity: env.usesLocalIdentity,
      ban_appeal_email: env.BAN_APPEAL_EMAIL,
      support_url: env.SUPPORT_URL ?? null,
      terms_url: env.TERMS_URL ?? null,
      privacy_url: env.PRIVACY_URL ?? null,
      imprint_url: env.IMPRINT_URL ?? null,
      has_downloads: hasDownloads(),
      account_deletion_delay_hours: env.ACCOUNT_DELETION_DELAY_HOURS,
      delivery_days: env.DELIVERY_DAYS,
      announce_ttl_seconds: env.ANNOUNCE_TTL_SECONDS,
      checks_reachability: env.checksReachability,
      public_site: env.PUBLIC_SITE,
      servers_online: servers,
      players_online: players,
    }
  })
  const viewOf = createConnectionView(env)
  bind(connection.ofPanel, ({ request }) => viewOf(request))
}

/** What a request looks like behind the configured proxies. */
function createConnectionView({ TRUSTED_PROXIES }: Deps['env']): (request: FastifyRequest) => connection.Connection {
  const isTrusted = proxyAddress.compile([...TRUSTED_PROXIES])
  return (request) => {
    const { protocol, host, headers, socket } = request
    const isForwarded = headers['x-forwarded-for'] !== undefined
    const forwarded = !isForwarded ? 'no' : isTrusted(socket.remoteAddress ?? '', 0) ? 'trusted' : 'ignored'
    return { address: clientAddress(request), protocol, host, forwarded }
  }
}

/** Rejects announces to the panel, a common mistake, and names the list's address. */
export function rejectAnnounces(panel: FastifyInstance, { env }: Pick<Deps, 'env'>): void {
  panel.route({
    method: ['POST', 'DELETE'],
    url: '/announce',
    // Before the body is read, which may be wrong as well.
    onRequest: (request) => Promise.reject(new AppError('not-found', [message('ANNOUNCED_TO_PANEL', { url: listUrlOf(env, request) })])),
    handler: () => undefined,
  })
}

/** `GET /connection` on the list's listener, whose proxy can be another one. */
export function serveConnection(masterlist: FastifyInstance, { env }: Pick<Deps, 'env'>): void {
  const viewOf = createConnectionView(env)
  masterlist.get(parseRoute(connection.ofList.route).path, (request, reply) =>
    reply.headers({ 'cache-control': 'no-store', 'access-control-allow-origin': '*' }).send(viewOf(request)),
  )
}

/** `GET /api/openapi.json`. */
export function serveOpenApi(panel: FastifyInstance, { env }: Pick<Deps, 'env'>): void {
  const documentOf = openApiOf(env, 'program')
  panel.get('/api/openapi.json', (request, reply) => {
    const { json, etag } = documentOf()
    reply.headers({ 'cache-control': 'no-cache', etag, vary: 'accept-encoding' })
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(json)
  })
}

/** `GET /openapi.json` on the list's listener, which may have a host of its own: only its calls. */
export function serveListOpenApi(masterlist: FastifyInstance, { env }: Pick<Deps, 'env'>): void {
  const documentOf = openApiOf(env, 'masterlist')
  masterlist.get('/openapi.json', (request, reply) => {
    const { json, etag } = documentOf()
    return sendBody(request, reply, json, etag)
  })
}

/** Built once, on first request: it takes longer than the rest of the start. */
function openApiOf(env: Deps['env'], listener: Parameters<typeof openApiDocument>[2]): () => { json: string; etag: string } {
  let built: { json: string; etag: string } | undefined
  return () => {
    if (built !== undefined) return built
    const json = JSON.stringify(openApiDocument(env, wordingOf, listener))
    built = { json, etag: etagOf(json) }
    return built
  }
}
