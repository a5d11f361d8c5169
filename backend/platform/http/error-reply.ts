/** The only place that turns a failure into a status and the error envelope (product.md sections 3 and 8). */
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

/** Fastify's own refusals by their codes, in our words. */
const FRAMEWORK: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The body must be sent as application/json.',
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body is too large.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "The body's length is not what its header said.",
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON.',
  FST_ERR_BAD_URL: 'The address is not a valid URL.',
  FST_ERR_MAX_PARAM_LENGTH: 'There is no such page.',
}

export function envelope(statusCode: number, ...errors: string[]): ErrorReply {
  return { statusCode, errors, isBusiness: false }
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalOf(error, request)
  const body = refusal instanceof AppError ? bodyOf(refusal, request, reply) : refusal
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

/** An unexpected failure is logged once, here, and sent without its own words. */
function refusalOf(error: unknown, request: FastifyRequest): AppError | ErrorReply {
  if (error instanceof AppError) return error
  // Its sender left before it was there whole. Node reports that by the same code as a lost connection to the database.
  if (request.raw.destroyed && !request.raw.complete) return new AppError('invalid', ['The call did not arrive whole.'])
  // A text that the database can't hold (NUL, broken encoding) is the sender's mistake.
  if (error instanceof pg.DatabaseError && error.code?.startsWith('22') === true)
    return new AppError('invalid', ['A value in the call can not be stored: it holds characters or numbers that are not allowed.'], {
      cause: error,
    })
  const failure = failureKind(error)
  if (failure !== undefined) return databaseFailed(failure, error)
  const { code = '', statusCode = 500 } = error instanceof Error ? (error as Error & { code?: string; statusCode?: number }) : {}
  if (statusCode >= 400 && statusCode < 500) return envelope(statusCode, FRAMEWORK[code] ?? 'The call could not be understood.')
  request.log.error({ err: error }, 'A call failed.')
  return envelope(500, `Something went wrong on our side. If it stays so, tell the administrator this number: ${request.id}.`)
}

const DATABASE_SENTENCES: Readonly<Record<FailureKind, string>> = {
  unreachable: 'The database cannot be reached right now.',
  read_only: 'The database cannot store data right now.',
  full: 'The database cannot store data right now.',
  locked: 'The database is busy with another change to the same data.',
  timeout: 'The database took too long to answer.',
}
/** A call may fail after its change was committed. */
const TRY_AGAIN = 'Try again in a few seconds. If you were changing something, check first whether it went through.'

function databaseFailed(kind: FailureKind, cause: unknown): AppError {
  return new AppError(
    'unavailable',
    [`${DATABASE_SENTENCES[kind]} ${TRY_AGAIN}`],
    // An outage is logged once, by the databaseHealth.
    { retryAfterSeconds: 2 + Math.floor(Math.random() * 7), ...(!(cause instanceof DatabaseUnavailable) && { cause }) },
  )
}
