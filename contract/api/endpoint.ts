/**
 * An API call as one value: route, access, input and reply.
 * The backend binds it, the browser and the tests call it, and the OpenAPI document is generated from it.
 */
import type { z } from 'zod'
import type { RateName } from './limits.ts'
import type { ListErrorCode } from '#contract/masterlist/list-codes.ts'
import type { Scope } from '#contract/users/scopes.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** Method and path in one text, with path parameters in braces: `PATCH /api/users/tokens/{id}`. */
export type Route = `${Method} /${string}`

/**
 * Who may make a call.
 * - `public`: anyone
 * - `session`: a signed-in user, even if banned or scheduled for deletion
 * - `unbanned`: signed in and not banned, even if scheduled for deletion
 * - `member`: signed in, neither banned nor scheduled for deletion
 * - `admin`: a member who holds the ADMIN benefit
 * - `credential`: a running game server, by its credential (master list only)
 */
export type Access = 'public' | 'session' | 'unbanned' | 'member' | 'admin' | 'credential'

/**
 * The format of a successful reply. An endpoint without a reply schema answers 204.
 * - `data`: `{"data": reply}`, the default of the panel
 * - `bare`: the reply itself as JSON (admin lists), the default of the master list
 * - `text`: plain text
 * - `svg`: an SVG image
 * - `events`: server-sent events; the data of each event is a reply
 */
type Envelope = 'data' | 'bare' | 'text' | 'svg' | 'events'

/** Headers of a success that callers use. A reply with an `ETag` answers `If-None-Match` with 304. */
export type ReplyHeader = 'ETag' | 'X-List-Version' | 'X-Next-Cursor' | 'Link' | 'Age'

/** Examples by a short title. */
type Examples = Readonly<Record<string, unknown>>

export interface EndpointSpec {
  /** One short line: a verb and its object. */
  readonly summary: string
  /** What the summary leaves open: conditions, limits, order. */
  readonly description?: string
  readonly access: Access
  /** What an API key needs for this call. Without a scope, no API key can make it. */
  readonly scope?: Scope
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** A missing body then counts as an empty object. */
  readonly bodyOptional?: boolean
  /** A body that is not parsed as JSON: a form with a file, or bytes whose signature is checked first. */
  readonly accepts?: 'multipart' | 'signed'
  readonly reply?: z.ZodType
  readonly envelope?: Envelope
  /** The call changes an object with a `version` and accepts `If-Match`. A stale version is a 412 with the current object, like the reply. */
  readonly versioned?: true
  /** Beside those of every call. `bind` applies the limits of a user, from the last to the first. */
  readonly limits?: readonly RateName[]
  /** Rejections beyond 400 (bad input), 403 (not allowed) and 429 (too many requests), by status. */
  readonly rejections?: Readonly<Record<number, string>>
  /** The master list's codes that a rejection may carry; their statuses follow from them. */
  readonly codes?: readonly ListErrorCode[]

  // For the OpenAPI document only.
  /** What each parameter of the path is. */
  readonly params?: Readonly<Record<string, z.ZodType>>
  readonly requestHeaders?: z.ZodObject
  readonly replyHeaders?: readonly ReplyHeader[]
  /** The body where the backend parses it without `body`, or by a schema that depends on the path. */
  readonly documentedBody?: z.ZodType
  readonly bodyExamples?: Examples
  /** Each is what the reply schema describes: without the envelope. */
  readonly replyExamples?: Examples
}

export type Endpoint<R extends Route = Route, S extends EndpointSpec = EndpointSpec> = S & { readonly route: R }

/** Rejects misspelled fields, which `extends` alone lets through. */
type Exact<S> = { readonly [K in keyof S]: K extends keyof EndpointSpec ? S[K] : never }

/** Each parameter that the route names, and no other, has a description. */
type DescribedParams<R extends Route> = [Names<R>] extends [never]
  ? { readonly params?: undefined }
  : { readonly params: { readonly [N in Names<R>]: z.ZodType } }

export function endpoint<const R extends Route, const S extends EndpointSpec>(
  route: R,
  spec: S & Exact<S> & DescribedParams<R>,
): Endpoint<R, S> {
  return { ...spec, route }
}

type Names<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never

/** The path parameters of the route, as texts. */
export type ParamsOf<E extends Endpoint> = { readonly [N in Names<E['route']>]: string }
type QueryIn<E extends Endpoint> = E['query'] extends z.ZodType ? z.input<E['query']> : undefined
export type QueryOf<E extends Endpoint> = E['query'] extends z.ZodType ? z.output<E['query']> : undefined
export type BodyIn<E extends Endpoint> = E['body'] extends z.ZodType ? z.input<E['body']> : undefined
export type BodyOf<E extends Endpoint> = E['body'] extends z.ZodType ? z.output<E['body']> : undefined
/** What the caller receives, without the envelope. */
export type ReplyOf<E extends Endpoint> = E['reply'] extends z.ZodType ? z.output<E['reply']> : undefined
/** What the handler returns, before the reply schema strips undeclared fields. */
export type ReplyIn<E extends Endpoint> = E['reply'] extends z.ZodType ? z.input<E['reply']> : void

/** The arguments of a call: only what the endpoint takes, optional if the endpoint says so. */
export type CallArgs<E extends Endpoint> = ([Names<E['route']>] extends [never] ? { params?: undefined } : { params: ParamsOf<E> }) &
  (E['query'] extends z.ZodType ? { query?: QueryIn<E> } : { query?: undefined }) &
  (E['body'] extends z.ZodType ? (E['bodyOptional'] extends true ? { body?: BodyIn<E> } : { body: BodyIn<E> }) : { body?: undefined })

export function parseRoute(route: Route): { method: Method; path: string } {
  const space = route.indexOf(' ')
  return { method: route.slice(0, space) as Method, path: route.slice(space + 1) }
}

/** Whether the master list's listener serves it. The panel's serves everything below `/api/`. */
export const isOnMasterList = ({ route }: Pick<Endpoint, 'route'>): boolean => !parseRoute(route).path.startsWith('/api/')

export const envelopeOf = (endpoint: Pick<Endpoint, 'route' | 'envelope'>): Envelope =>
  endpoint.envelope ?? (isOnMasterList(endpoint) ? 'bare' : 'data')
