/** What a refused call raises, and how any error is worded for a person (product.md section 8). */
import type { BusinessStatus, ErrorReply } from '#contract/errors.ts'

/** No reply at all: the network, or the program, is away. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'

  /**
   * @param changes whether the call was to change something: then nobody knows whether it arrived.
   * @param isOffline whether the browser has no network: then nothing was sent.
   */
  constructor(cause: unknown, changes = false, isOffline = false) {
    super(
      changes && isOffline
        ? 'You are offline, so nothing was saved. What you typed stays here. Try again when you are back online.'
        : changes
          ? 'Muster can’t be reached, so it is not known whether this was saved. Look again when the connection is back.'
          : 'Muster can’t be reached. Try again when the connection is back.',
      { cause },
    )
  }
}

interface Refusal {
  status: number
  statusText: string
  url: string
  body: unknown
  method?: string
  requestId?: string | null
  retryAfter?: string | null
}

/** A reply that was not OK. Its message is what the backend said, or the status text where it said nothing readable. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly statusText: string
  readonly url: string
  readonly body: unknown
  /** `PATCH /api/…` with when it was refused and the backend's own name for it: what a report needs. */
  readonly details: string
  readonly requestId: string | undefined
  /** How long to wait, where it was called too often and the reply says so. */
  readonly retryAfterSeconds: number | undefined

  constructor(reply: Refusal) {
    super(isErrorReply(reply.body) ? reply.body.errors.join(', ') : reply.statusText || `Error ${reply.status}`)
    this.status = reply.status
    this.statusText = reply.statusText
    this.url = reply.url
    this.body = reply.body
    this.retryAfterSeconds = Number(reply.retryAfter) || undefined
    this.requestId = reply.requestId ?? undefined
    this.details = [
      `${reply.method ?? ''} ${reply.url}`.trim(),
      `Status: ${reply.status} ${reply.statusText}`.trim(),
      `Message: ${this.message}`,
      `Time: ${new Date().toISOString()}`,
      ...(this.requestId ? [`Request: ${this.requestId}`] : []),
    ].join('\n')
  }

  /** The sentences of the refusal, one for each field that was wrong. */
  get errors(): string[] {
    return isErrorReply(this.body) ? this.body.errors : [this.message]
  }

  /** The business conflict that a form shows beside its field. */
  get businessStatus(): BusinessStatus | undefined {
    return isErrorReply(this.body) ? this.body.businessStatus : undefined
  }
}

function isErrorReply(body: unknown): body is ErrorReply {
  if (typeof body !== 'object' || body === null) return false
  const { statusCode, errors, isBusiness } = body as Partial<Record<keyof ErrorReply, unknown>>
  return (
    typeof statusCode === 'number' &&
    typeof isBusiness === 'boolean' &&
    Array.isArray(errors) &&
    errors.every((text) => typeof text === 'string')
  )
}

/** True where the error is a refusal with this status. */
export function isStatus(error: unknown, status: number): boolean {
  return error instanceof HttpError && error.status === status
}

/** True where no reply came at all: the browsers have a word each for it. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'ConnectionError' || (error instanceof TypeError && /fetch|networkerror|load failed/i.test(error.message))
}

/** The error's own words. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** For whoever helps: the call and how it ended. Undefined where there was no reply to speak of. */
export function detailsOf(error: unknown): string | undefined {
  return error instanceof HttpError ? error.details : undefined
}
