/** The error for clients: a kind (`http/error-reply.ts` maps it to a status), public sentences and, for the log, a cause. */
import type { BusinessStatus } from '#contract/errors.ts'

export type ErrorKind = 'invalid' | 'forbidden' | 'not-found' | 'conflict' | 'too-many' | 'bad-gateway' | 'unavailable'

export class AppError extends Error {
  override readonly name = 'AppError'
  readonly kind: ErrorKind
  readonly errors: readonly string[]
  readonly business: BusinessStatus | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    kind: ErrorKind,
    errors: readonly string[],
    more: { business?: BusinessStatus; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(errors.join(', '), more.cause === undefined ? undefined : { cause: more.cause })
    this.kind = kind
    this.errors = errors
    this.business = more.business
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

export const invalid = (...errors: string[]) => new AppError('invalid', errors)

export const forbidden = (error: string) => new AppError('forbidden', [error])

/** Also for other users' objects, which must look like missing ones. */
export const notFound = (what: string) => new AppError('not-found', [`There is no such ${what}.`])

/** A conflict that belongs to no form field. */
export const conflict = (error: string) => new AppError('conflict', [error])

export const business = (status: BusinessStatus, error: string) => new AppError('conflict', [error], { business: status })

export const tooMany = (retryAfterSeconds: number) =>
  new AppError('too-many', [`Too many requests. Try again in ${retryAfterSeconds} second${retryAfterSeconds === 1 ? '' : 's'}.`], {
    retryAfterSeconds,
  })

export const badGateway = (error: string, cause: unknown) => new AppError('bad-gateway', [error], { cause })

export const unavailable = (error: string, retryAfterSeconds: number, cause?: unknown) =>
  new AppError('unavailable', [error], { retryAfterSeconds, cause })
