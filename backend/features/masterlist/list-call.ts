/** `GET /servers` on node:http: bytes and header lists lie ready, a request only chooses among them. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '#backend/clock.ts'
import { limitKey } from '#backend/http/client-address.ts'
import { TokenBuckets } from '#backend/http/rate-limit.ts'
import type { SourceAddress } from './announce-call.ts'
import { refusalAnswer } from './answer.ts'
import { type Encoding, encodingFor, isKnownTag } from './negotiation.ts'
import type { Publisher } from './publisher.ts'
import { writeAnswer } from './raw-answer.ts'
import type { Snapshot, Variants } from './snapshot.ts'

/** List reads of one address: whole lists, and all reads with the next-to-free answers that nothing has changed. */
export const FULL_READS = { burst: 120, perSecond: 10 }
export const ALL_READS = { burst: 600, perSecond: 60 }
const MOST_BRANCH_CHARACTERS = 32

/** Raw header lists of one published body, made once for each. */
interface Heads extends Readonly<Record<Encoding, string[]>> {
  readonly version: string
  readonly unchanged: string[]
}

interface Limits {
  readonly full: TokenBuckets
  readonly all: TokenBuckets
}

export class ListCall {
  readonly #publisher: Publisher
  readonly #addressOf: SourceAddress
  readonly #limits: Limits | undefined
  readonly #heads = new WeakMap<Variants, Heads>()

  constructor(publisher: Publisher, addressOf: SourceAddress, clock: Clock, isLimited: boolean) {
    this.#publisher = publisher
    this.#addressOf = addressOf
    this.#limits = isLimited
      ? { full: new TokenBuckets({ ...FULL_READS, clock }), all: new TokenBuckets({ ...ALL_READS, clock }) }
      : undefined
  }

  servers(request: IncomingMessage, response: ServerResponse): void {
    if (this.#limits !== undefined && this.#isTooOften(this.#limits.all, request, response)) return
    const { snapshot } = this.#publisher
    if (snapshot === undefined) return writeAnswer(response, refusalAnswer('UNAVAILABLE', 1))
    const branch = branchOf(request.url ?? '')
    if (branch === 'all') return this.#send(request, response, snapshot, snapshot)
    if (branch === 'too-old') return writeAnswer(response, refusalAnswer('VERSION_TOO_OLD'))
    if (branch === 'invalid') return writeAnswer(response, refusalAnswer('QUERY_INVALID'))
    const variants = this.#publisher.branch(snapshot, branch.name)
    if (!(variants instanceof Promise)) return this.#send(request, response, variants, snapshot)
    variants.then(
      (ready) => this.#send(request, response, ready, snapshot),
      () => writeAnswer(response, refusalAnswer('UNAVAILABLE', 1)),
    )
  }

  #send(request: IncomingMessage, response: ServerResponse, variants: Variants, snapshot: Snapshot): void {
    const heads = this.#headsOf(variants, snapshot)
    if (isKnownTag(request.headers['if-none-match'], variants.etag)) {
      response.writeHead(304, heads.unchanged)
      response.end()
      return
    }
    if (this.#limits !== undefined && this.#isTooOften(this.#limits.full, request, response)) return
    const encoding = encodingFor(request.headers['accept-encoding'])
    response.writeHead(200, heads[encoding])
    response.end(request.method === 'HEAD' ? undefined : variants[encoding])
  }

  #isTooOften(limit: TokenBuckets, request: IncomingMessage, response: ServerResponse): boolean {
    const address = this.#addressOf(request)
    // IPv4 is its own key; only IPv6 has to be cut to its /64.
    const wait = limit.take(address.includes(':') ? limitKey(address) : address)
    if (wait > 0) writeAnswer(response, refusalAnswer('TOO_MANY_REQUESTS', wait))
    return wait > 0
  }

  #headsOf(variants: Variants, { version }: Snapshot): Heads {
    const known = this.#heads.get(variants)
    // The empty list of a branch that nobody is on outlives its version.
    if (known?.version === version) return known
    // What a 304 must say again (RFC 9110 section 15.4.5) and no more: each header costs, and its reader has the rest.
    const unchanged = [
      'ETag',
      variants.etag,
      'Vary',
      'Accept-Encoding',
      'Cache-Control',
      'public, no-cache',
      'Access-Control-Allow-Origin',
      '*',
    ]
    const whole = (body: Buffer) => [
      ...unchanged,
      'X-List-Version',
      version,
      'Access-Control-Expose-Headers',
      'ETag, X-List-Version',
      'Content-Type',
      'application/json',
      'Content-Length',
      String(body.length),
    ]
    const heads: Heads = {
      version,
      unchanged,
      identity: whole(variants.identity),
      gzip: [...whole(variants.gzip), 'Content-Encoding', 'gzip'],
      br: [...whole(variants.br), 'Content-Encoding', 'br'],
    }
    this.#heads.set(variants, heads)
    return heads
  }
}

/**
 * What the query of a list read asks for. Changes since a version are not kept: every version is too old, which readers of the
 * contract understand as "read it all again". A format that is not there is said, not passed over.
 */
function branchOf(url: string): 'all' | 'invalid' | 'too-old' | { readonly name: string } {
  const query = url.indexOf('?')
  if (query === -1) return 'all'
  const parameters = new URLSearchParams(url.slice(query + 1))
  if (parameters.has('since')) return 'too-old'
  if (parameters.has('format')) return 'invalid'
  const [name, ...more] = parameters.getAll('branch')
  if (name === undefined || name === '') return 'all'
  return more.length > 0 || name.length > MOST_BRANCH_CHARACTERS ? 'invalid' : { name }
}
