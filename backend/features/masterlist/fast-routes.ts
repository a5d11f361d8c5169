/**
 * The two calls that make up nearly all traffic, `POST /announce` and `GET /servers`, straight on node:http: through the framework
 * each costs half as much again (docs/decisions). Everything else goes through Fastify.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Deps } from '#backend/deps.ts'
import { limitKey } from '#backend/http/client-address.ts'
import { TokenBuckets } from '#backend/http/rate-limit.ts'
import { type Answer, refusalAnswer } from './answer.ts'
import type { RunningMasterList } from './masterlist.ts'
import { type Encoding, encodingFor, isKnownTag } from './negotiation.ts'
import type { RefusalCode } from './reasons.ts'
import type { Snapshot, Variants } from './snapshot.ts'
import { sourceAddressBy } from './source-address.ts'

const MOST_BODY_BYTES = 8192
const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json\s*(?:;|$)/i
/** List reads of one address: whole lists, and the next-to-free answers that nothing has changed. */
const FULL_READS = { burst: 60, perSecond: 4 }
const ALL_READS = { burst: 400, perSecond: 40 }

const OPEN = ['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', 'ETag, X-List-Version', 'Cache-Control', 'public, no-cache']

/** Raw header lists of one published body, made once for each. */
interface Heads extends Readonly<Record<Encoding, readonly string[]>> {
  readonly unchanged: readonly string[]
}

export interface FastRoutes {
  /** Answers the request, or false where it is not one of the two. */
  take(request: IncomingMessage, response: ServerResponse): boolean
  announce(request: IncomingMessage, response: ServerResponse): void
  leave(request: IncomingMessage, response: ServerResponse): void
  servers(request: IncomingMessage, response: ServerResponse): void
  /** From now on every answer closes its connection. */
  drain(): void
}

export function createFastRoutes({ env, clock }: Pick<Deps, 'env' | 'clock'>, list: RunningMasterList): FastRoutes {
  const { announcing, publisher } = list
  const addressOf = sourceAddressBy(env.TRUSTED_PROXIES)
  const fullReads = new TokenBuckets({ ...FULL_READS, clock })
  const allReads = new TokenBuckets({ ...ALL_READS, clock })
  const heads = new WeakMap<Variants, Heads>()
  let isDraining = false

  function answer(response: ServerResponse, { status, body, retryAfter }: Answer): void {
    if (response.headersSent || response.destroyed) return
    const head = status === 204 ? [] : ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(Buffer.byteLength(body))]
    if (status !== 200) head.push('Cache-Control', 'no-store', 'Access-Control-Allow-Origin', '*')
    if (retryAfter > 0) head.push('Retry-After', String(retryAfter), 'Access-Control-Expose-Headers', 'Retry-After')
    if (isDraining || status === 413) head.push('Connection', 'close')
    response.writeHead(status, head)
    response.end(response.req.method === 'HEAD' ? undefined : body)
  }

  function settle(response: ServerResponse, result: Answer | Promise<Answer>): void {
    if (!(result instanceof Promise)) return answer(response, result)
    result.then((settled) => answer(response, settled), () => answer(response, refusalAnswer('UNAVAILABLE', 5)))
  }

  function announce(request: IncomingMessage, response: ServerResponse): void {
    const { authorization } = request.headers
    const address = addressOf(request)
    const refuse = (code: RefusalCode) => settle(response, announcing.refuse(authorization, address, code))
    const type = request.headers['content-type']
    if (type !== undefined && type !== 'application/json' && !JSON_TYPE.test(type)) return refuse('BODY_WRONG_TYPE')
    const encoding = request.headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') return refuse('BODY_WRONG_TYPE')
    if (Number(request.headers['content-length'] ?? 0) > MOST_BODY_BYTES) return refuse('BODY_TOO_LARGE')
    let first: Buffer | undefined
    let more: Buffer[] | undefined
    let bytes = 0
    let isOver = false
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (isOver) return
      if (bytes > MOST_BODY_BYTES) {
        isOver = true
        refuse('BODY_TOO_LARGE')
      } else if (first === undefined) first = chunk
      else (more ??= [first]).push(chunk)
    })
    request.on('end', () => {
      if (isOver) return
      const body = more === undefined ? first : Buffer.concat(more)
      settle(response, announcing.announce(authorization, address, body === undefined ? '' : body.toString()))
    })
  }

  function headsOf(variants: Variants, { version }: Snapshot): Heads {
    const known = heads.get(variants)
    if (known !== undefined) return known
    const unchanged = [...OPEN, 'ETag', variants.etag, 'X-List-Version', version, 'Vary', 'Accept-Encoding']
    const whole = (bytes: number) => [...unchanged, 'Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(bytes)]
    const made: Heads = {
      unchanged,
      identity: whole(variants.raw.length),
      gzip: [...whole(variants.gzip.length), 'Content-Encoding', 'gzip'],
      br: [...whole(variants.brotli.length), 'Content-Encoding', 'br'],
    }
    heads.set(variants, made)
    return made
  }

  function send(request: IncomingMessage, response: ServerResponse, variants: Variants, snapshot: Snapshot): void {
    if (isDraining) response.shouldKeepAlive = false
    const known = headsOf(variants, snapshot)
    if (isKnownTag(request.headers['if-none-match'], variants.etag)) {
      response.writeHead(304, known.unchanged as string[])
      response.end()
      return
    }
    if (env.RATE_LIMITS) {
      const wait = fullReads.take(limitKeyOf(addressOf(request)))
      if (wait > 0) return answer(response, refusalAnswer('TOO_MANY_REQUESTS', wait))
    }
    const encoding = encodingFor(request.headers['accept-encoding'] as string | undefined)
    response.writeHead(200, known[encoding] as string[])
    response.end(request.method === 'HEAD' ? undefined : encoding === 'br' ? variants.brotli : encoding === 'gzip' ? variants.gzip : variants.raw)
  }

  function servers(request: IncomingMessage, response: ServerResponse): void {
    if (env.RATE_LIMITS) {
      const wait = allReads.take(limitKeyOf(addressOf(request)))
      if (wait > 0) return answer(response, refusalAnswer('TOO_MANY_REQUESTS', wait))
    }
    const { snapshot } = publisher
    if (snapshot === undefined) return answer(response, refusalAnswer('UNAVAILABLE', 1))
    const branch = branchOf(request.url ?? '')
    if (branch === 'none') return send(request, response, snapshot, snapshot)
    if (branch === 'invalid') return answer(response, refusalAnswer('QUERY_INVALID'))
    const variants = publisher.branch(snapshot, branch.name)
    if (!(variants instanceof Promise)) return send(request, response, variants, snapshot)
    variants.then((ready) => send(request, response, ready, snapshot), () => answer(response, refusalAnswer('UNAVAILABLE', 1)))
  }

  return {
    announce,
    servers,
    leave: (request, response) => settle(response, announcing.leave(request.headers.authorization, addressOf(request))),
    take(request, response) {
      const { method, url } = request
      if (method === 'POST' && url === '/announce') announce(request, response)
      else if ((method === 'GET' || method === 'HEAD') && url !== undefined && (url === '/servers' || url.startsWith('/servers?'))) servers(request, response)
      else return false
      return true
    },
    drain() {
      isDraining = true
    },
  }
}

/** IPv4 is its own key; only IPv6 has to be cut to its /64. */
function limitKeyOf(address: string): string {
  return address.includes(':') ? limitKey(address) : address
}

/** `?branch=` of a list read; other parameters are for later versions and are passed over. */
function branchOf(url: string): 'none' | 'invalid' | { readonly name: string } {
  const query = url.indexOf('?')
  if (query === -1) return 'none'
  const names = new URLSearchParams(url.slice(query + 1)).getAll('branch')
  const [name] = names
  if (name === undefined || name === '') return 'none'
  return names.length > 1 || name.length > 32 ? 'invalid' : { name }
}
