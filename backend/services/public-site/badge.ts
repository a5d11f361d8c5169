/** `GET /servers/{id}/badge.svg` on the list's listener, for READMEs and web pages. */
import { makeBadge } from 'badge-maker'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import * as contract from '#contract/public-site/badges.ts'
import { parseRoute } from '#contract/api/endpoint.ts'
import { etagOf } from '#backend/masterlist/lists/encoded-body.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { rejectionReply, sendReply } from '#backend/masterlist/wire/reply.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { publicServer } from './public-server.ts'
import { sendImage } from './send-image.ts'

/** A badge is cheap, so shared caches keep it only for a moment: it shows a current count. */
const CACHE_CONTROL = 'public, max-age=10, s-maxage=10'

export function serveBadges(app: FastifyInstance, { env, clock }: Pick<Deps, 'env' | 'clock'>, registry: Pick<Registry, 'find'>): void {
  if (!env.PUBLIC_SITE) return
  const path = parseRoute(contract.badge.route).path.replace('{id}', ':id')
  app.get(path, (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
    const query = contract.BadgeQuery.safeParse(request.query)
    if (!query.success) {
      // Parsed again in the visitor's language, because the schema renders its sentences while it parses.
      const sentences = () => contract.BadgeQuery.safeParse(request.query).error?.issues.map(({ message }) => message) ?? []
      return sendReply(reply, rejectionReply('QUERY_INVALID', 0, sentences))
    }
    const server = publicServer(registry, request.params.id, clock.now())
    if (server === undefined) return sendBadge(request, reply.code(404), notFoundBadge(query.data.style))
    return sendBadge(request, reply, badgeOf(server, query.data))
  })
}

function sendBadge(request: FastifyRequest, reply: FastifyReply, body: string): FastifyReply {
  return sendImage(request, reply, { type: 'image/svg+xml; charset=utf-8', body, etag: etagOf(body), cacheControl: CACHE_CONTROL })
}

type Style = z.output<typeof contract.BadgeQuery>

function badgeOf({ online, announced }: ServerRecord, { style, label }: Style): string {
  if (announced === undefined || !online) return makeBadge({ style, label, message: 'offline', color: 'lightgrey' })
  const { playersCount, maxPlayersCount } = announced
  return makeBadge({ style, label, message: `${playersCount}/${maxPlayersCount}`, color: playersCount > 0 ? 'brightgreen' : 'blue' })
}

/** Without the label, because anything may be in it. */
function notFoundBadge(style: Style['style']): string {
  return makeBadge({ style, label: 'server', message: 'not found', color: 'lightgrey' })
}
