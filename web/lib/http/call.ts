/** Calls of the panel's API, and their errors. Imports only types of the contract, so that a page loads only the schemas of its forms. */
import type { CallArgs, Endpoint, ReplyOf } from '#contract/api/endpoint.ts'
import type { BusinessStatus, ErrorReply } from '#contract/api/errors.ts'
import type { Api } from '#contract/index.ts'
import { m } from '#messages'
import { brand } from '#web/lib/brand.ts'
import { pageLanguage } from '#web/lib/language.ts'
import { stringifySearch } from '#web/lib/url/search-params.ts'
import { updateServerClock } from '#web/lib/server-clock.ts'

/** `fullBody` returns the whole JSON body instead of its `data`. */
type BodyOption<E extends Endpoint> = E['envelope'] extends 'bare' ? { fullBody: true } : { fullBody?: undefined }

/** The version that a change is based on. A newer one rejects it with a 412. */
type VersionOption<E extends Endpoint> = E['versioned'] extends true ? { ifMatch?: number | undefined } : { ifMatch?: undefined }

type Args<E extends Endpoint> = CallArgs<E> & BodyOption<E> & VersionOption<E> & { signal?: AbortSignal }

type Optional<A> = Record<never, never> extends A ? [args?: A] : [args: A]

interface LooseArgs {
  readonly params?: Readonly<Record<string, string>> | undefined
  readonly query?: unknown
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  readonly fullBody?: true | undefined
  readonly ifMatch?: number | undefined
}

export async function call<R extends keyof Api>(route: R, ...[args]: Optional<Args<Api[R]>>): Promise<ReplyOf<Api[R]>> {
  const { params, query, body, signal, fullBody, ifMatch }: LooseArgs = args ?? {}
  const space = route.indexOf(' ')
  const method = route.slice(0, space)
  const url = urlOf(route.slice(space + 1), params, query)
  const init: RequestInit = {
    method,
    signal: signal ?? null,
    headers: {
      // Texts of the reply are in the language of the page.
      'accept-language': pageLanguage,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
  const reply = await throwIfRejected(method, url, await send(url, init))
  return (await unwrap(reply, fullBody)) as ReplyOf<Api[R]>
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    throw init.signal?.aborted === true ? error : new ConnectionError(error, init.method !== 'GET', !navigator.onLine)
  }
}

async function throwIfRejected(method: string, url: string, reply: Response): Promise<Response> {
  updateServerClock(reply.headers.get('date'))
  if (reply.ok) return reply
  const { status, statusText } = reply
  const requestId = reply.headers.get('x-request-id')
  const retryAfter = reply.headers.get('retry-after')
  throw new HttpError({ method, status, statusText, url, requestId, retryAfter, body: await reply.json().catch(() => null) })
}

async function unwrap(reply: Response, fullBody: true | undefined): Promise<unknown> {
  if (reply.status === 204) return undefined
  if (reply.headers.get('content-type')?.startsWith('text/plain')) return await reply.text()
  const body: unknown = await reply.json()
  return fullBody ? body : (body as { data: unknown }).data
}

function urlOf(path: string, params: LooseArgs['params'], query: unknown): string {
  const pathname = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ''))
  return typeof query === 'object' ? pathname + stringifySearch({ ...query }) : pathname
}

/** No reply at all: the network or the backend is unreachable. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'

  /** @param isOffline whether there is no network, so nothing was sent. */
  constructor(cause: unknown, isMutation = false, isOffline = false) {
    super(
      isMutation && isOffline
        ? m.lib_connection_offline()
        : isMutation
          ? m.lib_connection_unsure({ brand: brand.name })
          : m.lib_connection_lost({ brand: brand.name }),
      {
        cause,
      },
    )
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

/** Whether there was no reply at all. Each browser words this error differently. Code that failed to load is another matter. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === 'ConnectionError') return true
  return error instanceof TypeError && /fetch|networkerror|load failed/i.test(error.message) && !error.message.includes('module')
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export function detailsOf(error: unknown): string | undefined {
  return error instanceof HttpError ? error.details : undefined
}
