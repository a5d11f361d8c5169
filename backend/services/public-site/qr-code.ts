/** `GET /s/{id}/qr.svg` on the panel's listener: the address of a server's page as a QR code, for streams and posters. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import QRCode from 'qrcode'
import { etagOf } from '#backend/masterlist/lists/encoded-body.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { notFound } from '#backend/platform/errors.ts'
import { originOf } from '#backend/platform/http/public-addresses.ts'
import { publicServer } from './public-server.ts'
import { sendImage } from './send-image.ts'

/** A hidden server's code disappears from shared caches within this time. */
const CACHE_CONTROL = 'public, max-age=60, s-maxage=60'
/** Modules of the white border that scanners need (ISO/IEC 18004). */
const QUIET_ZONE = 4
/** A code takes 2 KB. */
const MAX_CACHED = 500

export function serveQrCodes(panel: FastifyInstance, { env, clock }: Pick<Deps, 'env' | 'clock'>, registry: Pick<Registry, 'find'>): void {
  const codes = new LRUCache<string, string>({ max: MAX_CACHED })
  panel.get('/s/:id/qr.svg', async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
    const server = publicServer(registry, request.params.id, clock.now())
    if (server === undefined) throw notFound('SERVER_NOT_FOUND')
    // A printed code must outlive a vanity ID.
    const url = `${originOf(env, request)}/s/${server.publicId}`
    const body = codes.get(url) ?? (await QRCode.toString(url, { type: 'svg', margin: QUIET_ZONE, errorCorrectionLevel: 'M' }))
    codes.set(url, body)
    return sendImage(request, reply, { type: 'image/svg+xml; charset=utf-8', body, etag: etagOf(body), cacheControl: CACHE_CONTROL })
  })
}
