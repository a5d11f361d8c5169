/** Small replies of the master list, and how they are written. */
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { LIST_ERRORS } from '#contract/masterlist/list-codes.ts'
import type { ListErrorReply } from '#contract/api/errors.ts'
import { type RejectionCode, wordingOf } from '#backend/masterlist/registry/reasons.ts'
import { languageOf } from '#backend/platform/http/accept-language.ts'
import { mayClose } from '#backend/platform/http/connections.ts'
import { nextRequestId } from '#backend/platform/http/request-id.ts'
import { runInLanguage } from '#backend/platform/messages/language.ts'
import { countRejection } from './request-stats.ts'

export interface Reply {
  readonly status: number
  /** JSON; empty with 204. A function renders it in the language of the request. */
  readonly body: string | (() => string)
  /** Seconds for Retry-After; 0 for none. */
  readonly retryAfter: number
}

export const NO_CONTENT: Reply = { status: 204, body: '', retryAfter: 0 }

/** Thrown where only the caller's caller can reply. */
export class Rejection extends Error {
  readonly reply: Reply

  constructor(reply: Reply) {
    super('rejected')
    this.reply = reply
  }
}

/** Sentences in the language of the request. */
export type Sentences = () => readonly string[]

/** Retry-After while the database is unavailable or the program stops. */
export const UNAVAILABLE_SECONDS = 5

/** @param errors replaces the default message, for example one per invalid field. */
export function rejectionReply(code: RejectionCode, retryAfter = 0, errors?: Sentences): Reply {
  return { status: LIST_ERRORS[code], body: () => rejectionBody(code, LIST_ERRORS[code], errors), retryAfter }
}

/** In the language of the request. */
export function rejectionBody(code: RejectionCode, statusCode: number, errors?: Sentences): string {
  const { message, remedy } = wordingOf(code)
  return JSON.stringify({ statusCode, errors: [...(errors?.() ?? [message])], isBusiness: false, code, remedy } satisfies ListErrorReply)
}

/** Writes a reply unless the client has one, or is gone. @param more names and values of further headers, alternating. */
export function writeReply(response: ServerResponse, reply: Reply, more: readonly string[] = []): void {
  if (response.headersSent || response.destroyed) return
  if (reply.status >= 400) countRejection(reply.status)
  const language = languageOf(response.req.headers['accept-language'])
  const body = typeof reply.body === 'string' ? reply.body : runInLanguage(language, reply.body)
  response.writeHead(reply.status, headOf(response, reply, language, body).concat(more))
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

/** The same for a route of the framework. */
export function sendReply(reply: FastifyReply, rejection: Reply, more?: readonly string[]): FastifyReply {
  reply.hijack()
  writeReply(reply.raw, rejection, more)
  return reply
}

/** Names and values, alternating. */
function headOf({ req }: ServerResponse, { status, body: source, retryAfter }: Reply, language: string, body: string): string[] {
  const head = ['X-Content-Type-Options', 'nosniff', 'X-Request-Id', nextRequestId()]
  if (status !== 204) head.push('Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(body)))
  if (typeof source === 'function') head.push('Content-Language', language, 'Vary', 'Accept-Language')
  if (status >= 400) {
    // Readable for pages of other origins.
    const exposed = 'Retry-After, X-Request-Id'
    head.push('Cache-Control', 'no-store', 'Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', exposed)
  }
  if (retryAfter > 0) head.push('Retry-After', String(retryAfter))
  // The rest of an oversized body is not read.
  if (status === 413 || (status === 429 && mayClose(req))) head.push('Connection', 'close')
  return head
}
