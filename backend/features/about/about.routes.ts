import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import * as about from '#contract/about.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { wordingOf } from '#backend/masterlist/registry/reasons.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { type Encoding, encodingFor, matchesEtag } from '#backend/platform/http/negotiation.ts'
import { openApiDocument } from '#backend/platform/http/open-api.ts'
import { VERSION } from '#backend/platform/version.ts'

interface AboutSources {
  list: Pick<RunningMasterList, 'counts'>
  hasDownloads: () => boolean
}

export function bindAbout(bind: Bind, { env }: Deps, { list, hasDownloads }: AboutSources): void {
  bind(about.about, ({ request }) => {
    const { servers, players } = list.counts()
    return {
      version: VERSION,
      masterlist_url: env.MASTERLIST_PUBLIC_URL ?? `http://${request.hostname}:${env.MASTERLIST_PORT}`,
      local_identity: env.usesLocalIdentity,
      ban_appeal_email: env.BAN_APPEAL_EMAIL,
      support_url: env.SUPPORT_URL ?? null,
      has_downloads: hasDownloads(),
      account_deletion_delay_hours: env.ACCOUNT_DELETION_DELAY_HOURS,
      announce_ttl_seconds: env.ANNOUNCE_TTL_SECONDS,
      servers_online: servers,
      players_online: players,
    }
  })
}

const COMPRESS = { gzip: promisify(gzip), br: promisify(brotliCompress) }

/** `GET /api/openapi.json`: built once, compressed on the first request. */
export function serveOpenApi(panel: FastifyInstance, { env }: Pick<Deps, 'env'>): void {
  const document = Buffer.from(JSON.stringify(openApiDocument(env, wordingOf)))
  const etag = `W/"${hash('sha256', document, 'base64url').slice(0, 22)}"`
  const bodies: Partial<Record<Encoding, Buffer | Promise<Buffer>>> = { identity: document }

  panel.get('/api/openapi.json', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-cache', etag, vary: 'Accept-Encoding' })
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    const encoding = encodingFor(request.headers['accept-encoding'])
    if (encoding !== 'identity') {
      bodies[encoding] ??= COMPRESS[encoding](document)
      reply.header('content-encoding', encoding)
    }
    return reply.type('application/json; charset=utf-8').send(await bodies[encoding])
  })
}
