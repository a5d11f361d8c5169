/** Pictures as everybody gets them, on the master list's host: it knows no cookie, and what somebody uploaded can do nothing there. */
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '#backend/log.ts'
import { isKnownTag } from '#backend/features/masterlist/negotiation.ts'
import { HotFiles, MOST_FILE_BYTES } from './hot-files.ts'
import { FILE_NAME, type Storage, type StoredFile } from './storage.ts'

const TYPES: Readonly<Record<string, string>> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' }
const RETRY_AFTER_SECONDS = 10
const LOG_AGAIN_MS = 60_000

/** A file's bytes never change, so its name is its tag and it is kept for ever. */
const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
} as const

interface Known {
  readonly bytes: number
  readonly body: Buffer | StoredFile['body']
}

/** Binds `GET` and `HEAD /images/{file}`. */
export function serveImages(app: FastifyInstance, storage: Storage, log: Log): void {
  const hot = new HotFiles()
  let mayLog = true
  const find = async (file: string): Promise<Known | undefined> => {
    const known = hot.get(file)
    if (known !== undefined) return { bytes: known.length, body: known }
    const stored = await storage.open(file)
    if (stored === undefined || stored.bytes > MOST_FILE_BYTES) return stored
    const bytes = await buffer(stored.body)
    hot.set(file, bytes)
    return { bytes: bytes.length, body: bytes }
  }
  const handler = async (request: FastifyRequest<{ Params: { file: string } }>, reply: FastifyReply) => {
    const { file } = request.params
    if (!FILE_NAME.test(file)) return refuse(reply, 404, 'There is no such image.')
    const etag = `"${file}"`
    let found: Known | undefined
    try {
      found = await find(file)
    } catch (error) {
      // Through an outage everybody asks.
      if (mayLog) log.warn({ err: error }, 'The storage of images can not be reached.')
      mayLog = false
      setTimeout(() => (mayLog = true), LOG_AGAIN_MS).unref()
      reply.header('retry-after', String(RETRY_AFTER_SECONDS))
      return refuse(reply, 503, 'Images can not be read just now. Try again in a few seconds.')
    }
    if (found === undefined) return refuse(reply, 404, 'There is no such image.')
    const { bytes, body } = found
    reply.headers({ ...HEADERS, etag })
    const isKnown = isKnownTag(request.headers['if-none-match'], etag)
    if ((isKnown || request.method === 'HEAD') && !Buffer.isBuffer(body)) body.destroy()
    if (isKnown) return reply.code(304).send()
    reply.header('content-type', TYPES[file.slice(file.lastIndexOf('.') + 1)]).header('content-length', String(bytes))
    return request.method === 'HEAD' ? reply.send() : reply.send(body)
  }
  app.route({ method: ['GET', 'HEAD'], url: '/images/:file', handler })
}

function refuse(reply: FastifyReply, statusCode: number, error: string): FastifyReply {
  return reply
    .code(statusCode)
    .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'access-control-allow-origin': '*' })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ statusCode, errors: [error], isBusiness: false }))
}
