/** The only place that turns a failure into a status and the error envelope (product.md sections 3 and 8). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import pg from 'pg'
import type { ErrorReply } from '#contract/errors.ts'
import { DatabaseGone, type FailureKind, failureKind } from '#backend/platform/database/failure.ts'
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

/** What Fastify itself refuses, by its codes, in our words. */
const FRAMEWORK: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The body must be sent as application/json.',
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body is too large.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "The body's length is not what its header said.",
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON.',
  FST_ERR_BAD_URL: 'The address is not a valid URL.',
  FST_ERR_MAX_PARAM_LENGTH: 'There is no such page.',
}

const BROKEN_OFF = new AppError('invalid', ['The call did not arrive whole.'])

export function envelope(statusCode: number, ...errors: string[]): ErrorReply {
  return { statusCode, errors, isBusiness: false }
}

/** Sends the refusal. What nobody expected is logged once, here, and told without its own words. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = error instanceof AppError ? error : isBrokenOff(request) ? BROKEN_OFF : translated(error)
  if (known instanceof AppError) {
    if (known.cause !== undefined) request.log.warn({ err: known.cause }, known.message)
    if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds)
    if (known.kind === 'too-many' && isDirect(request.raw.socket)) reply.header('connection', 'close')
    const body: ErrorReply = { ...envelope(STATUS[known.kind], ...known.errors), isBusiness: known.business !== undefined }
    if (known.business !== undefined) body.businessStatus = known.business
    reply.code(body.statusCode).type('application/json; charset=utf-8').send(JSON.stringify(body))
    return
  }
  const status = known?.status ?? 500
  if (status >= 500) request.log.error({ err: error }, 'A call failed.')
  reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(
      JSON.stringify(
        envelope(
          status,
          known?.text ?? `Something went wrong on our side. If it stays so, tell the administrator this number: ${request.id}.`,
        ),
      ),
    )
}

/** Whether its sender went before it was there whole: node says so by the same code as a lost connection to the database. */
const isBrokenOff = ({ raw }: FastifyRequest) => raw.destroyed && !raw.complete

function translated(error: unknown): AppError | { status: number; text: string } | undefined {
  if (error instanceof pg.DatabaseError) {
    // A text the database can't hold (NUL, broken encoding) is the sender's mistake, wherever it slipped through.
    if (error.code?.startsWith('22') === true)
      return new AppError('invalid', ['A value in the call can not be stored: it holds characters or numbers that are not allowed.'], {
        cause: error,
      })
  }
  const failure = failureKind(error)
  if (failure !== undefined) return databaseFailed(failure, error)
  if (!(error instanceof Error)) return undefined
  const { code, statusCode } = error as Error & { code?: string; statusCode?: number }
  if (code !== undefined && FRAMEWORK[code] !== undefined && statusCode !== undefined && statusCode < 500) {
    return { status: statusCode, text: FRAMEWORK[code] }
  }
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500
    ? { status: statusCode, text: 'The call could not be understood.' }
    : undefined
}

const DATABASE_SENTENCES: Readonly<Record<FailureKind, string>> = {
  unreachable: 'The database cannot be reached right now.',
  read_only: 'The database cannot store data right now.',
  full: 'The database cannot store data right now.',
  locked: 'The database is busy with another change to the same data.',
  timeout: 'The database took too long to answer.',
}
/** A call may fail after its change was committed, so nobody can say here whether it was. */
const TRY_AGAIN = 'Try again in a few seconds. If you were changing something, check first whether it went through.'

function databaseFailed(kind: FailureKind, cause: unknown): AppError {
  return new AppError(
    'unavailable',
    [`${DATABASE_SENTENCES[kind]} ${TRY_AGAIN}`],
    // That it is gone as a whole has been said once.
    { retryAfterSeconds: 2 + Math.floor(Math.random() * 7), ...(!(cause instanceof DatabaseGone) && { cause }) },
  )
}
