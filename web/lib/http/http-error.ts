/** Errors of failed calls, and their messages for users. */
import type { BusinessStatus, ErrorReply } from '#contract/api/errors.ts'
import { m } from '#messages'

/** No reply at all: the network or the backend is unreachable. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'

  /** @param isOffline whether there is no network, so nothing was sent. */
  constructor(cause: unknown, isMutation = false, isOffline = false) {
    super(isMutation && isOffline ? m.lib_connection_offline() : isMutation ? m.lib_connection_unsure() : m.lib_connection_lost(), {
      cause,
    })
  }
}

interface RejectedReply {
  status: number
  statusText: string
  url: string
  body: unknown
  method?: string
  requestId?: string | null
  retryAfter?: string | null
}

/** A reply that was not OK. The message comes from the backend, or is the status text. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly statusText: string
  readonly url: string
  readonly body: unknown
  readonly requestId: string | undefined
  /** How long to wait after a 429. */
  readonly retryAfterSeconds: number | undefined
  /** For a bug report: the call, the time, and the request ID. */
  readonly details: string
  readonly errors: readonly string[]
  /** The wrong fields of the body, by their path, each with its sentence. */
  readonly fields: Readonly<Record<string, string>>
  readonly businessStatus: BusinessStatus | undefined

  constructor({ method = '', status, statusText, url, body, requestId, retryAfter }: RejectedReply) {
    const reply = isErrorReply(body) ? body : undefined
    super(reply?.errors.join(', ') ?? (statusText || m.lib_error_status({ status })))
    this.status = status
    this.statusText = statusText
    this.url = url
    this.body = body
    this.requestId = requestId ?? undefined
    this.retryAfterSeconds = Number(retryAfter) || undefined
    this.details = [
      `${method} ${url}`.trim(),
      `Status: ${status} ${statusText}`.trim(),
      `Message: ${this.message}`,
      `Time: ${new Date().toISOString()}`,
      ...(requestId ? [`Request: ${requestId}`] : []),
    ].join('\n')
    this.errors = reply?.errors ?? [this.message]
    this.fields = reply?.fields ?? {}
    this.businessStatus = reply?.businessStatus
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

export function isStatus(error: unknown, status: number): boolean {
  return error instanceof HttpError && error.status === status
}

/** Whether there was no reply at all. Each browser words this error differently. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'ConnectionError' || (error instanceof TypeError && /fetch|networkerror|load failed/i.test(error.message))
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export function detailsOf(error: unknown): string | undefined {
  return error instanceof HttpError ? error.details : undefined
}
