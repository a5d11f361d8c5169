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
import { type Snapshot, type Variants, packed } from './snapshot.ts'

/** List reads of one address: whole lists, and all reads with the next-to-free answers that nothing has changed. */
export const FULL_READS = { burst: 120, perSecond: 10 }
export const ALL_READS = { burst: 600, perSecond: 60 }
const MOST_BRANCH_CHARACTERS = 32

interface Limits {
  readonly full: TokenBuckets
  readonly all: TokenBuckets
}

export class ListCall {
  readonly #publisher: Publisher
  readonly #addressOf: SourceAddress
  readonly #limits: Limits | undefined

  constructor(publisher: Publisher, addressOf: SourceAddress, clock: Clock, isLimited: boolean) {
    this.#publisher = publisher
    this.#addressOf = addressOf
    this.#limits = isLimited
      ? { full: new TokenBuckets({ ...FULL_READS, clock }), all: new TokenBuckets({ ...ALL_READS, clock }) }
      : undefined
  }

  servers(request: IncomingMessage, response: ServerResponse): void {
    if (this.#limits !== undefined && this.#isTooOften(this.#limits.all, request, response)) return
    const branch = branchOf(request.url ?? '')
    if (branch === 'too-old') return writeAnswer(response, refusalAnswer('VERSION_TOO_OLD'))
    if (branch === 'invalid') return writeAnswer(response, refusalAnswer('QUERY_INVALID'))
    const snapshot = this.#publisher.read()
    if (branch === 'all' && !(snapshot instanceof Promise)) return this.#send(request, response, snapshot, snapshot)
    this.#later(request, response, snapshot, branch).catch(() => {
      if (!response.headersSent) writeAnswer(response, refusalAnswer('UNAVAILABLE', 1))
    })
  }

  async #later(
    request: IncomingMessage,
    response: ServerResponse,
    reading: Snapshot | Promise<Snapshot>,
    branch: 'all' | { readonly name: string },
  ): Promise<void> {
    const snapshot = await reading
    if (branch === 'all') return this.#send(request, response, snapshot, snapshot)
    this.#send(request, response, await packed(snapshot.rows.filter((row) => row.announced.branch === branch.name)), snapshot)
  }

  #send(request: IncomingMessage, response: ServerResponse, variants: Variants, { version }: Snapshot): void {
    // What a 304 must say again (RFC 9110 section 15.4.5) and no more: each header costs, and its reader has the rest.
    const known = [
      'ETag',
      variants.etag,
      'Vary',
      'Accept-Encoding',
      'Cache-Control',
      'public, no-cache',
      'Access-Control-Allow-Origin',
      '*',
    ]
    if (isKnownTag(request.headers['if-none-match'], variants.etag)) {
      response.writeHead(304, known)
      response.end()
      return
    }
    if (this.#limits !== undefined && this.#isTooOften(this.#limits.full, request, response)) return
    const encoding = encodingFor(request.headers['accept-encoding'])
    const body = variants.body(encoding)
    if (!(body instanceof Promise)) return sendBody(request, response, known, version, encoding, body)
    body.then(
      (ready) => sendBody(request, response, known, version, encoding, ready),
      () => writeAnswer(response, refusalAnswer('UNAVAILABLE', 1)),
    )
  }

  #isTooOften(limit: TokenBuckets, request: IncomingMessage, response: ServerResponse): boolean {
    const address = this.#addressOf(request)
    // IPv4 is its own key; only IPv6 has to be cut to its /64.
    const wait = limit.take(address.includes(':') ? limitKey(address) : address)
    if (wait > 0) writeAnswer(response, refusalAnswer('TOO_MANY_REQUESTS', wait))
    return wait > 0
  }
}

function sendBody(
  request: IncomingMessage,
  response: ServerResponse,
  known: readonly string[],
  version: string,
  encoding: Encoding,
  body: Buffer,
): void {
  response.writeHead(200, [
    ...known,
    'X-List-Version',
    version,
    'Access-Control-Expose-Headers',
    'ETag, X-List-Version',
    'Content-Type',
    'application/json',
    'Content-Length',
    String(body.length),
    ...(encoding === 'identity' ? [] : ['Content-Encoding', encoding]),
  ])
  response.end(request.method === 'HEAD' ? undefined : body)
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
