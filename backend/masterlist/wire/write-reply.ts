/** Writes a reply to node's response, without a framework or header objects. */
import type { ServerResponse } from 'node:http'
import { mayClose } from '#backend/platform/http/connections.ts'
import { nextRequestId } from '#backend/platform/http/request-id.ts'
import { languageOf } from '#backend/platform/http/accept-language.ts'
import { type Reply, UNAVAILABLE_SECONDS, bodyIn, rejectionReply } from './reply.ts'
import { PreparedHead } from '#backend/platform/node-internals/prepared-head.ts'
import { countRejection } from './request-stats.ts'

/** Readable for pages of other origins. */
export const EXPOSED_BY_REJECTIONS = 'Retry-After, X-Request-Id'

/** Heads of accepted announces, by the length of the body. */
const MAX_HEADS = 256
const acceptedHeads: (PreparedHead | undefined)[] = Array.from({ length: MAX_HEADS })

export function writeReply(response: ServerResponse, reply: Reply): void {
  if (response.headersSent || response.destroyed) return
  const { status, body: accepted, isAscii } = reply
  if (status === 200 && isAscii && typeof accepted === 'string') {
    acceptedHead(accepted.length).write(response)
    response.end(accepted, 'latin1')
    return
  }
  if (status >= 400) countRejection(status)
  const language = languageOf(response.req.headers['accept-language'])
  const body = bodyIn(language, reply)
  const head = headOf(reply, Buffer.byteLength(body))
  if (typeof accepted === 'function') head.push('Content-Language', language, 'Vary', 'Accept-Language')
  if (status === 429 && mayClose(response.req)) head.push('Connection', 'close')
  response.writeHead(status, head)
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

function acceptedHead(length: number): PreparedHead {
  const cached = acceptedHeads[length]
  if (cached !== undefined) return cached
  const head = new PreparedHead(200, ['Content-Type', 'application/json', 'Content-Length', String(length)])
  if (length < MAX_HEADS) acceptedHeads[length] = head
  return head
}

function headOf({ status, retryAfter }: Reply, length: number): string[] {
  const head = status === 204 ? [] : ['Content-Type', 'application/json', 'Content-Length', String(length)]
  head.push('X-Content-Type-Options', 'nosniff', 'X-Request-Id', nextRequestId())
  if (status >= 400)
    head.push('Cache-Control', 'no-store', 'Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED_BY_REJECTIONS)
  if (retryAfter > 0) head.push('Retry-After', String(retryAfter))
  // The rest of an oversized body is not read.
  if (status === 413) head.push('Connection', 'close')
  return head
}

export function writeWhenSettled(response: ServerResponse, result: Promise<Reply>): void {
  result.then(
    (reply) => writeReply(response, reply),
    () => writeReply(response, rejectionReply('UNAVAILABLE', UNAVAILABLE_SECONDS)),
  )
}
