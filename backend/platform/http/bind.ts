/** Binds endpoints of the contract to routes: checks access, parses the input, and sends only what the reply schema lists. */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { type BodyOf, type Endpoint, type ParamsOf, type QueryOf, type ReplyIn, envelopeOf, parseRoute } from '#contract/api/endpoint.ts'
import { RATES, type RateName } from '#contract/api/limits.ts'
import type { Scope } from '#contract/users/scopes.ts'
import { runWithKey } from '#backend/platform/acting-key.ts'
import type { Clock } from '#backend/platform/clock.ts'
import { AppError, forbidden, invalid } from '#backend/platform/errors.ts'
import type { PlainCode } from '#backend/platform/messages/message.ts'
import { readApiKey, takeForKey } from './api-key-request.ts'
import { clientAddress, limitKey } from './client-address.ts'
import type { EventStream, EventStreams } from './event-stream.ts'
import { VersionConflict, parseIfMatch } from './if-match.ts'
import type { RateLimit } from './rate-limit.ts'
import { parse, parseBody, rejectParameters } from './validation.ts'

/** The caller's access, as `features/auth/auth.ts` and `features/api-keys/api-keys.ts` determine it. */
export interface Caller {
  readonly userId: string
  readonly isBanned: boolean
  readonly isPendingDeletion: boolean
  readonly isAdmin: boolean
  /** Identifies the session in rate limits and streams; not the secret itself. */
  readonly sessionKey: string
  /** Set if the call uses an API key instead of a session. */
  readonly apiKey?: { readonly name: string; readonly scopes: readonly string[] }
}

export interface BindOptions {
  /** Renews the session, or records the use of the API key, if a reply is given. Throws `unauthorized` for an API key that does not work. */
  identify(request: FastifyRequest, reply?: FastifyReply): Promise<Caller | undefined>
  readonly streams: EventStreams
  readonly publicOrigin: string | undefined
  readonly rateLimit: (name: RateName) => RateLimit
  readonly clock: Pick<Clock, 'now'>
}

type CallerOf<E extends Endpoint> = E['access'] extends 'public' ? Caller | undefined : Caller

interface Call<E extends Endpoint> {
  readonly caller: CallerOf<E>
  readonly params: ParamsOf<E>
  readonly query: QueryOf<E>
  readonly body: BodyOf<E>
  /** The version that the change is based on. Undefined accepts every version. Only for `versioned` endpoints. */
  readonly ifMatch: number | undefined
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export interface Bind {
  <E extends Endpoint>(endpoint: E, handle: (call: Call<E>) => Promise<ReplyIn<E>> | ReplyIn<E>): void
  /** For event streams. Once a client sees its stream open, it misses no event. */
  events<E extends Endpoint>(endpoint: E, open: (call: Call<E>, stream: EventStream) => Promise<void> | void): void
}

export function createBind(app: FastifyInstance, options: BindOptions): Bind {
  const callers = new WeakMap<FastifyRequest, Caller>()
  // Runs before the body is read: a caller without access gets no errors about it.
  const admit = async (endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    // A browser sends no API key by accident, so only calls that may use the cookie need the check.
    if (endpoint.access === 'public' || readApiKey(request) === undefined) rejectCrossSite(request, options.publicOrigin)
    const caller = await identifyLimited(options, endpoint, request, reply)
    if (caller?.apiKey !== undefined) rejectWithoutScope(endpoint, caller.apiKey.scopes)
    const denial = denialOf(endpoint, caller)
    if (denial !== undefined) throw forbidden(denial)
    if (caller !== undefined) callers.set(request, caller)
  }
  const callOf = <E extends Endpoint>(endpoint: E, request: FastifyRequest, reply: FastifyReply) =>
    ({
      caller: callers.get(request),
      params: request.params,
      query: queryOf(endpoint, request.query),
      ifMatch: endpoint.versioned === true ? parseIfMatch(request.headers['if-match']) : undefined,
      body: bodyOf(endpoint, request.body),
      request,
      reply,
    }) as Call<E>
  const route = (endpoint: Endpoint, handler: RouteHandlerMethod) => {
    const { method, path } = parseRoute(endpoint.route)
    app.route({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      // A stream has no length and does not end.
      exposeHeadRoute: endpoint.envelope !== 'events' && method === 'GET',
      onRequest: (request, reply) => admit(endpoint, request, reply),
      handler,
    })
  }
  const bind: Bind = (endpoint, handle) =>
    route(endpoint, async (request, reply) => {
      const call = callOf(endpoint, request, reply)
      const { caller } = call as { caller: Caller | undefined }
      const key = caller?.apiKey && { userId: caller.userId, name: caller.apiKey.name }
      const act = async () => await runWithKey(key, () => handle(call))
      try {
        return present(endpoint, await limited(options, endpoint, caller, act), reply)
      } catch (error) {
        // The current object has the fields of the reply, no others.
        if (error instanceof VersionConflict) error.current = endpoint.reply?.parse(error.current)
        throw error
      }
    })
  bind.events = (endpoint, open) =>
    route(endpoint, async (request, reply) => {
      const call = callOf(endpoint, request, reply)
      const stillAllowed = async () => denialOf(endpoint, await identifyUnlessRevoked(options, request)) === undefined
      const stream = options.streams.open(reply, call.caller?.sessionKey ?? '', stillAllowed)
      await open(call, stream)
      stream.begin()
      // Access may have been withdrawn since `admit`, before this stream was open.
      if (!(await stillAllowed().catch(() => true))) stream.close()
      return reply
    })
  return bind
}

/** Acts within the limits that the endpoint names. */
function limited<T>({ rateLimit }: BindOptions, { limits = [] }: Endpoint, caller: Caller | undefined, act: () => Promise<T>): Promise<T> {
  if (caller === undefined) return act()
  const ofUser = limits.filter((name) => RATES[name].key === 'user')
  return ofUser.reduce<() => Promise<T>>((inner, name) => () => rateLimit(name).run(caller.userId, inner), act)()
}

/** Identifies the caller and takes one call from their limit: that of the API key, of the session, or of the address. */
async function identifyLimited(
  options: BindOptions,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | undefined> {
  // Public calls must work without the database. A stream's reply can't set a cookie.
  const identify = async () =>
    endpoint.access === 'public' ? undefined : options.identify(request, endpoint.envelope === 'events' ? undefined : reply)
  const caller = await identify().catch((error: unknown) => {
    if (isUnauthorized(error)) limitAddress(options, request)
    throw error
  })
  const { rateLimit, clock } = options
  if (caller === undefined) limitAddress(options, request)
  else if (caller.apiKey === undefined) rateLimit('sessions').take(caller.sessionKey)
  else takeForKey(rateLimit('api-keys'), caller.sessionKey, clock.now(), reply)
  return caller
}

function limitAddress({ rateLimit }: BindOptions, request: FastifyRequest): void {
  rateLimit('visitors').take(limitKey(clientAddress(request)))
}

const isUnauthorized = (error: unknown) => error instanceof AppError && error.kind === 'unauthorized'

/** For an open stream: a key that no longer works counts as no caller. */
async function identifyUnlessRevoked(options: BindOptions, request: FastifyRequest): Promise<Caller | undefined> {
  try {
    return await options.identify(request)
  } catch (error) {
    if (isUnauthorized(error)) return undefined
    throw error
  }
}

/** An endpoint without a scope is closed to API keys. */
function rejectWithoutScope({ scope }: { readonly scope?: Scope }, scopes: readonly string[]): void {
  if (scope === undefined) throw forbidden('API_KEY_NOT_ALLOWED')
  if (!scopes.includes(scope)) throw forbidden('SCOPE_MISSING', { scope })
}

function denialOf({ access }: Endpoint, caller: Caller | undefined): PlainCode | undefined {
  if (access === 'public') return undefined
  if (caller === undefined) return 'NOT_SIGNED_IN'
  if (access === 'session') return undefined
  if (caller.isBanned) return 'ACCOUNT_BANNED'
  if (access === 'unbanned') return undefined
  if (caller.isPendingDeletion) return 'ACCOUNT_PENDING_DELETION'
  if (access === 'admin' && !caller.isAdmin) return 'ADMIN_ONLY'
  return undefined
}

function queryOf({ query }: Endpoint, sent: unknown): unknown {
  return query === undefined ? rejectParameters(sent) : parse(query, sent)
}

function bodyOf({ body, bodyOptional, accepts }: Endpoint, sent: unknown): unknown {
  if (accepts !== undefined) return undefined
  if (body === undefined) return noBody(sent)
  return parseBody(body, bodyOptional === true && sent === undefined ? {} : sent)
}

/** Accepts an empty object, which some clients always send. */
function noBody(body: unknown): undefined {
  if (body === undefined || body === null || (typeof body === 'object' && !Array.isArray(body) && Object.keys(body).length === 0))
    return undefined
  throw invalid('BODY_UNEXPECTED')
}

function present(endpoint: Endpoint, result: unknown, reply: FastifyReply): FastifyReply {
  if (endpoint.reply === undefined) return reply.code(204).send()
  const value: unknown = endpoint.reply.parse(result)
  const envelope = envelopeOf(endpoint)
  if (envelope === 'text') return reply.type('text/plain; charset=utf-8').send(String(value))
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(envelope === 'bare' ? value : { data: value }))
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Rejects unsafe cross-site requests, which could carry the visitor's cookie, like Go's CrossOriginProtection. Browsers send
 * `Sec-Fetch-Site` (all of them since 2023) or `Origin` with every unsafe method. A client that sends neither is not a browser, so it
 * sends no cookie by accident.
 * @param publicOrigin the panel's configured origin, because a proxy may change the Host header.
 */
export function rejectCrossSite(request: FastifyRequest, publicOrigin: string | undefined): void {
  if (SAFE.has(request.method)) return
  const site = request.headers['sec-fetch-site']
  const { origin, host } = request.headers
  const own = host === undefined ? [publicOrigin] : [publicOrigin, `http://${host}`, `https://${host}`]
  const isOwn = site === undefined ? origin === undefined || own.includes(origin) : site === 'same-origin' || site === 'none'
  if (isOwn) return
  throw forbidden('CROSS_SITE')
}
