/** Serves images from the master list's host, which uses no cookies, so an uploaded file cannot act for a user. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '#backend/platform/log.ts'
import type { PlainCode } from '#backend/platform/messages/message.ts'
import { errorReply, sendErrorReply } from '#backend/platform/http/error-reply.ts'
import { matchesEtag } from '#backend/platform/http/negotiation.ts'
import { type Pace, createPacedSender } from '#backend/platform/http/paced-stream.ts'
import type { ImageServices } from './image-services.ts'
import { FILE_NAME, type StoredFile } from './storage.ts'
import { OutageLog } from '#backend/platform/outage-log.ts'

const TYPES: Readonly<Record<string, string>> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' }
const RETRY_AFTER_SECONDS = 10
/** 13 KB/s: slower readers are disconnected. */
const PACE: Pace = { intervalMs: 20_000, minBytes: 256 * 1024 }

/** A file's bytes never change, so its name serves as ETag and caches may keep it forever. */
const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
} as const

interface FoundFile {
  readonly bytes: number
  readonly body: Buffer | StoredFile['body']
  /** Such a file says nothing about the storage. */
  readonly isCached?: boolean
}

/** Finds an image in the cache or in the storage. Throws if the storage is unavailable. */
async function findFile({ storage, cache }: Pick<ImageServices, 'storage' | 'cache'>, file: string): Promise<FoundFile | undefined> {
  const isCached = cache.has(file)
  const body = await cache.fetch(file)
  return body === undefined ? await storage.open(file) : { bytes: body.length, body, isCached }
}

/** Serves `GET` and `HEAD /images/{file}`. @param pace how fast clients must read. */
export function serveImages(app: FastifyInstance, services: Pick<ImageServices, 'storage' | 'cache'>, log: Log, pace = PACE): void {
  const outage = new OutageLog({ log, begin: 'image storage unavailable', end: 'image storage available again' })
  const send = createPacedSender(app, pace)
  const handler = async (request: FastifyRequest<{ Params: { file: string } }>, reply: FastifyReply) => {
    const { file } = request.params
    if (!FILE_NAME.test(file)) return sendError(reply, 404, 'IMAGE_NAME_NOT_FOUND')
    const etag = `"${file}"`
    let found: FoundFile | undefined
    try {
      found = await findFile(services, file)
      if (found?.isCached !== true) outage.succeeded()
    } catch (error) {
      outage.failed({ err: error })
      reply.header('retry-after', String(RETRY_AFTER_SECONDS))
      return sendError(reply, 503, 'IMAGES_UNAVAILABLE')
    }
    if (found === undefined) return sendError(reply, 404, 'IMAGE_NAME_NOT_FOUND')
    const { bytes, body } = found
    reply.headers({ ...HEADERS, etag })
    const isNotModified = matchesEtag(request.headers['if-none-match'], etag)
    if ((isNotModified || request.method === 'HEAD') && !Buffer.isBuffer(body)) body.destroy()
    if (isNotModified) return reply.code(304).send()
    reply.header('content-type', TYPES[file.slice(file.lastIndexOf('.') + 1)]).header('content-length', String(bytes))
    if (request.method === 'HEAD') return reply.send()
    if (Buffer.isBuffer(body)) return reply.send(send(request, reply, [body], () => undefined))
    return reply.send(send(request, reply, body, () => body.destroy()))
  }
  app.route({ method: ['GET', 'HEAD'], url: '/images/:file', handler })
}

function sendError(reply: FastifyReply, statusCode: number, code: PlainCode): FastifyReply {
  reply.headers({ 'x-content-type-options': 'nosniff', 'access-control-allow-origin': '*' })
  return sendErrorReply(reply, errorReply(statusCode, code))
}
