/** The only code that turns an error into a status and the error envelope (product.md sections 3 and 8). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import pg from 'pg'
import type { ErrorReply } from '#contract/errors.ts'
import { DatabaseUnavailable, type FailureKind, failureKind } from '#backend/platform/database/failure.ts'
import { AppError, type ErrorKind } from '#backend/platform/errors.ts'
import { isDirect } from './connections.ts'

const STATUS: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'too-many': 429,
  'bad-gateway': 502,
  unavailable: 503,
}

/** Our sentences for Fastify's own errors. */
const FRAMEWORK: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The body must be sent as application/json.',
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body is too large.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body does not have the length in its Content-Length header.',
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON.',
  FST_ERR_BAD_URL: 'The address is not a valid URL.',
  FST_ERR_MAX_PARAM_LENGTH: 'There is no such page.',
}

export function envelope(statusCode: number, ...errors: string[]): ErrorReply {
  return { statusCode, errors, isBusiness: false }
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = classify(error, request)
  const body = known instanceof AppError ? bodyOf(known, request, reply) : known
  reply.code(body.statusCode).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

function bodyOf({ kind, errors, business, retryAfterSeconds, cause, message }: AppError, request: FastifyRequest, reply: FastifyReply) {
  if (cause !== undefined) request.log.warn({ err: cause }, message)
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
  if (kind === 'too-many' && isDirect(request.raw.socket)) reply.header('connection', 'close')
  const body: ErrorReply = { ...envelope(STATUS[kind], ...errors), isBusiness: business !== undefined }
  if (business !== undefined) body.businessStatus = business
  return body
}

/** Logs an unexpected error, once, and hides its message from the client. */
function classify(error: unknown, request: FastifyRequest): AppError | ErrorReply {
  if (error instanceof AppError) return error
  // The client left mid-request. Node reports that with the same code as a lost database connection.
  if (request.raw.destroyed && !request.raw.complete) return new AppError('invalid', ['The request is incomplete.'])
  // A text that PostgreSQL can't store (NUL, broken encoding) is the client's mistake.
  if (error instanceof pg.DatabaseError && error.code?.startsWith('22') === true)
    return new AppError('invalid', ['A value cannot be stored: it contains characters or numbers that are not allowed.'], {
      cause: error,
    })
  const failure = failureKind(error)
  if (failure !== undefined) return databaseFailed(failure, error)
  const { code = '', statusCode = 500 } = error instanceof Error ? (error as Error & { code?: string; statusCode?: number }) : {}
  if (statusCode >= 400 && statusCode < 500) return envelope(statusCode, FRAMEWORK[code] ?? 'The request could not be understood.')
  request.log.error({ err: error }, 'request failed')
  return envelope(500, `Something went wrong on our side. If it happens again, send this ID to the administrator: ${request.id}.`)
}

const DATABASE_SENTENCES: Readonly<Record<FailureKind, string>> = {
  unreachable: 'The database cannot be reached right now.',
  read_only: 'The database cannot store data right now.',
  full: 'The database cannot store data right now.',
  locked: 'The database is busy with another change to the same data.',
  timeout: 'The database took too long to answer.',
}
/** A request may fail after its change was committed. */
const TRY_AGAIN = 'Try again in a few seconds. If you were changing something, check first whether it went through.'

function databaseFailed(kind: FailureKind, cause: unknown): AppError {
  return new AppError(
    'unavailable',
    [`${DATABASE_SENTENCES[kind]} ${TRY_AGAIN}`],
    // `DatabaseHealth` logs an outage, once.
    { retryAfterSeconds: 2 + Math.floor(Math.random() * 7), ...(!(cause instanceof DatabaseUnavailable) && { cause }) },
  )
}
