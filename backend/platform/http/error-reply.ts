/** The only code that turns an error into a status and the error envelope. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import pg from 'pg'
import type { ErrorReply } from '#contract/api/errors.ts'
import { DatabaseUnavailable, type FailureKind, failureKind } from '#backend/platform/database/failure.ts'
import { AppError, ERROR_STATUSES, invalid, unavailable } from '#backend/platform/errors.ts'
import { currentLanguage, runInLanguage } from '#backend/platform/messages/language.ts'
import { type MessageCode, type MessageValues, type PlainCode, message } from '#backend/platform/messages/message.ts'
import { sentence } from '#backend/platform/messages/sentence.ts'
import { runInRequest } from '#backend/platform/trace.ts'
import { requestLanguage } from './accept-language.ts'
import { mayClose } from './connections.ts'
import { VersionConflict } from './if-match.ts'

export const statusOfError = ({ kind }: AppError): number => ERROR_STATUSES[kind]

/** Our messages for Fastify's own errors. */
const FRAMEWORK: Readonly<Record<string, PlainCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'BODY_WRONG_TYPE',
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'BODY_LENGTH_WRONG',
  FST_ERR_CTP_INVALID_JSON_BODY: 'BODY_NOT_JSON',
  FST_ERR_BAD_URL: 'URL_INVALID',
  FST_ERR_MAX_PARAM_LENGTH: 'PAGE_NOT_FOUND',
}

/** The reply for a status that no `AppError` has. */
export function errorReply<C extends MessageCode>(statusCode: number, code: C, ...values: MessageValues<C>): ErrorReply {
  return { statusCode, errors: [sentence(code, ...values)], isBusiness: false }
}

/** Also for errors from before the handler, where the language of the request is not set yet. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  runInRequest(request.raw, () =>
    runInLanguage(requestLanguage(request), () => {
      const known = classify(error, request)
      sendErrorReply(reply, known instanceof AppError ? bodyOf(known, request, reply) : known)
    }),
  )
}

/** In the language of the request. */
export function sendErrorReply(reply: FastifyReply, body: ErrorReply): FastifyReply {
  return reply
    .code(body.statusCode)
    .headers({ 'cache-control': 'no-store', 'content-language': currentLanguage(), vary: 'Accept-Language' })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body))
}

function bodyOf(error: AppError, request: FastifyRequest, reply: FastifyReply): ErrorReply & { current?: unknown } {
  const { kind, errors, business, fields, retryAfterSeconds, cause, message } = error
  if (cause !== undefined) request.log.warn({ err: cause }, message)
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  if (kind === 'unauthorized') reply.header('www-authenticate', 'Bearer')
  if (kind === 'too-many' && mayClose(request.raw)) reply.header('connection', 'close')
  const body: ErrorReply = { statusCode: ERROR_STATUSES[kind], errors, isBusiness: business !== undefined }
  if (business !== undefined) body.businessStatus = business
  if (fields !== undefined) body.fields = fields
  return error instanceof VersionConflict ? { ...body, current: error.current } : body
}

/** Logs an unexpected error, once, and hides its message from the client. */
function classify(error: unknown, request: FastifyRequest): AppError | ErrorReply {
  if (error instanceof AppError) return error
  // The client left mid-request. Node reports that with the same code as a lost database connection.
  if (request.raw.destroyed && !request.raw.complete) return invalid('BODY_INCOMPLETE')
  // A text that PostgreSQL can't store (NUL, broken encoding) is the client's mistake.
  if (error instanceof pg.DatabaseError && error.code?.startsWith('22') === true)
    return new AppError('invalid', [message('VALUE_NOT_STORABLE')], { cause: error })
  const failure = failureKind(error)
  if (failure !== undefined) return databaseFailed(failure, error)
  const { code = '', statusCode = 500 } = error instanceof Error ? (error as Error & { code?: string; statusCode?: number }) : {}
  if (statusCode >= 400 && statusCode < 500) return errorReply(statusCode, FRAMEWORK[code] ?? 'REQUEST_NOT_UNDERSTOOD')
  request.log.error({ err: error }, 'request failed')
  return errorReply(500, 'INTERNAL_ERROR', { id: request.id })
}

/** Each says that the request may have failed after its change was committed. */
const DATABASE_MESSAGES = {
  unreachable: 'DATABASE_UNREACHABLE',
  read_only: 'DATABASE_READ_ONLY',
  full: 'DATABASE_READ_ONLY',
  locked: 'DATABASE_BUSY',
  timeout: 'DATABASE_TIMEOUT',
} as const satisfies Readonly<Record<FailureKind, PlainCode>>

function databaseFailed(kind: FailureKind, error: unknown): AppError {
  // `DatabaseHealth` logs an outage, once.
  const cause = error instanceof DatabaseUnavailable ? undefined : error
  return unavailable(DATABASE_MESSAGES[kind], 2 + Math.floor(Math.random() * 7), cause)
}
