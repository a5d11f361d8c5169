/** Sends a picture that any site may embed, or 304. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesEtag } from '#backend/platform/http/negotiation.ts'

interface Picture {
  readonly type: 'image/svg+xml; charset=utf-8' | 'image/png'
  readonly body: string | Buffer
  readonly etag: string
  readonly cacheControl: string
}

export function sendImage(request: FastifyRequest, reply: FastifyReply, { type, body, etag, cacheControl }: Picture): FastifyReply {
  reply.headers({
    'access-control-allow-origin': '*',
    'cache-control': cacheControl,
    // An SVG that is opened as a page runs nothing.
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    etag,
  })
  if (reply.statusCode === 200 && matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type(type).send(body)
}
