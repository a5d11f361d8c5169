/** Calls the panel's API. Imports only types of the contract, so that a page loads only the schemas of its forms. */
import type { CallArgs, Endpoint, ReplyOf } from '#contract/api/endpoint.ts'
import type { Api } from '#contract/index.ts'
import { ConnectionError, HttpError } from './http-error.ts'
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
