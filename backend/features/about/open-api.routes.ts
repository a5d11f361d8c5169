/** `GET /api/openapi.json`: written once, compressed when first asked for. */
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { type Encoding, encodingFor, isKnownTag } from '#backend/platform/http/negotiation.ts'
import { openApiDocument } from '#backend/platform/http/open-api.ts'

const COMPRESS = { gzip: promisify(gzip), br: promisify(brotliCompress) }

export function serveOpenApi(panel: FastifyInstance): void {
  const document = Buffer.from(JSON.stringify(openApiDocument()))
  const etag = `W/"${hash('sha256', document, 'base64url').slice(0, 22)}"`
  const bodies: Partial<Record<Encoding, Buffer | Promise<Buffer>>> = { identity: document }

  panel.get('/api/openapi.json', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-cache', etag, vary: 'Accept-Encoding' })
    if (isKnownTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    const encoding = encodingFor(request.headers['accept-encoding'])
    if (encoding !== 'identity') {
      bodies[encoding] ??= COMPRESS[encoding](document)
      reply.header('content-encoding', encoding)
    }
    return reply.type('application/json; charset=utf-8').send(await bodies[encoding])
  })
}
