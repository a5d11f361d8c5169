/** `GET /servers` on node:http: a request only chooses among prepared bodies and heads. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Deps } from '#backend/platform/deps.ts'
import { rejectionReply } from '#backend/masterlist/wire/reply.ts'
import { type Age, Heads, type Labels } from '#backend/masterlist/wire/list-heads.ts'
import { type Encoding, encodingFor, matchesEtag } from '#backend/platform/http/negotiation.ts'
import type { HeadLines } from '#backend/platform/node-internals/prepared-head.ts'
import { writeReply } from '#backend/masterlist/wire/write-reply.ts'
import type { SourceAddress } from '#backend/masterlist/wire/source-address.ts'
import { limitKey } from '#backend/platform/http/client-address.ts'
import { type BucketRule, TokenBuckets } from '#backend/platform/http/rate-limit.ts'
import { BoundedQueue } from '#backend/platform/concurrency/bounded-queue.ts'
import type { Deltas, RunQueued } from './deltas.ts'
import { ListBodies } from './list-bodies.ts'
import { type RowsQuery, parseListQuery } from './list-query.ts'
import { MAX_IN_FLIGHT_EACH, InFlightResponses } from './in-flight-responses.ts'
import type { Publisher } from './publisher.ts'
import type { Snapshot, Variants } from './snapshot.ts'

/** List reads per address: whole lists, and all reads including 304s. */
export const FULL_READS = { burst: 120, perSecond: 10 }
export const ALL_READS = { burst: 600, perSecond: 60 }
/** Parts of the list and long deltas that must be made. */
const NEW_PARTS = { burst: 40, perSecond: 4 }
/** A longer delta counts as a whole list; a tiny one is not compressed. */
const LONG_DELTA_BYTES = 16 * 1024
const TINY_DELTA_BYTES = 1000
/** Limits for what must be made: concurrently, waiting, and waiting per address. */
const IN_LINE = { concurrency: 2, maxQueued: 100, maxQueuedPerKey: 4 }
/** Retry-After while much is being made, or sent. */
const BUSY_SECONDS = 1
const UNFINISHED_SECONDS = 5

type Source = Readonly<{ publisher: Publisher; changes: Deltas }>
type Limits = Readonly<Record<'full' | 'all' | 'parts', TokenBuckets>>

export class ListHandler {
  readonly #source: Source
  readonly #addressOf: SourceAddress
  readonly #log: Deps['log']
  readonly #age: Age
  readonly #limits: Limits | undefined
  readonly #parts = new ListBodies()
  readonly #line: BoundedQueue
  readonly #unfinished: InFlightResponses
  #lastError: unknown
  readonly #heads = new WeakMap<Variants, Heads>()

  /** @param age for how many seconds this node has been disconnected from the others; undefined while it is not. */
  constructor({ env, clock, log, bus }: Pick<Deps, 'env' | 'clock' | 'log' | 'bus'>, source: Source, addressOf: SourceAddress, age: Age) {
    this.#source = source
    this.#addressOf = addressOf
    this.#log = log
    this.#age = age
    const limit = (name: keyof Limits, rule: BucketRule) => new TokenBuckets({ ...rule, clock, shared: { bus, name: `list ${name}` } })
    this.#limits = env.RATE_LIMITS
      ? { full: limit('full', FULL_READS), all: limit('all', ALL_READS), parts: limit('parts', NEW_PARTS) }
      : undefined
    this.#line = new BoundedQueue({ ...IN_LINE, maxQueuedPerKey: env.RATE_LIMITS ? IN_LINE.maxQueuedPerKey : Infinity })
    this.#unfinished = new InFlightResponses(env.RATE_LIMITS ? MAX_IN_FLIGHT_EACH : Infinity)
  }

  servers(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isTooOften('all', request, response)) return
    const { url = '' } = request
    const query = url.indexOf('?')
    if (query === -1) return this.#all(request, response)
    const asked = parseListQuery(url.slice(query + 1))
    if (asked.kind === 'all') return this.#all(request, response)
    if (asked.kind === 'since') return this.#since(request, response, asked.version)
    if (asked.kind === 'invalid') return writeReply(response, rejectionReply('QUERY_INVALID', 0, asked.sentences))
    this.#whenThere(response, this.#source.publisher.read(), (snapshot) => this.#part(request, response, asked, snapshot))
  }

  #all(request: IncomingMessage, response: ServerResponse): void {
    const whole = this.#source.publisher.whole(request.headers['accept-encoding'] ?? 'identity')
    if (whole instanceof Promise) this.#whenThere(response, whole, (there) => this.#send(request, response, there, there))
    else this.#send(request, response, whole, whole)
  }

  #since(request: IncomingMessage, response: ServerResponse, from: string): void {
    const { changes } = this.#source
    const found = changes.since(from, this.#inTurn(request, response))
    if (found === undefined) return
    if (found === 'too-old') return writeReply(response, rejectionReply('VERSION_TOO_OLD'))
    if (found === 'invalid') return writeReply(response, rejectionReply('QUERY_INVALID', 0, ['since is no version of this list.']))
    const { version } = changes
    this.#whenThere(response, found, (delta) => this.#send(request, response, delta, { etag: delta.etag, version }, delta.length))
  }

  #part(request: IncomingMessage, response: ServerResponse, asked: RowsQuery, snapshot: Snapshot): void {
    const encoding = encodingFor(request.headers['accept-encoding'])
    const body = this.#parts.find(asked, snapshot) ?? this.#parts.make(asked, snapshot, encoding, this.#inTurn(request, response))
    if (body !== undefined) this.#whenThere(response, body, (there) => this.#send(request, response, there.variants, there))
  }

  /** Makes something for this reader; where that is rejected, so is the request. */
  #inTurn(request: IncomingMessage, response: ServerResponse): RunQueued {
    return (make) => {
      if (this.#isTooOften('parts', request, response)) return undefined
      const made = this.#line.run(this.#keyOf(request), make)
      if (typeof made !== 'string') return made
      writeReply(response, rejectionReply(made === 'full' ? 'LIST_BUSY' : 'TOO_MANY_WAITING', BUSY_SECONDS))
      return undefined
    }
  }

  #send(request: IncomingMessage, response: ServerResponse, variants: Variants, labels: Labels, deltaLength = Infinity): void {
    const heads = this.#headsOf(variants, labels)
    if (matchesEtag(request.headers['if-none-match'], labels.etag)) {
      heads.unchanged.write(response, this.#aged())
      response.end()
      return
    }
    if (deltaLength >= LONG_DELTA_BYTES && this.#isTooOften('full', request, response)) return
    const encoding = deltaLength < TINY_DELTA_BYTES ? 'identity' : encodingFor(request.headers['accept-encoding'])
    const body = variants.body(encoding)
    if (body instanceof Promise) this.#whenThere(response, body, (there) => this.#end(response, heads, encoding, there))
    else this.#end(response, heads, encoding, body)
  }

  #end(response: ServerResponse, heads: Heads, encoding: Encoding, body: Buffer): void {
    const begin = () => heads.whole(encoding, body.length).write(response, this.#aged())
    if (response.req.method === 'HEAD') {
      begin()
      response.end()
    } else if (!this.#unfinished.end(response, this.#keyOf(response.req), body, begin))
      writeReply(response, rejectionReply('TOO_MANY_UNREAD', UNFINISHED_SECONDS))
  }

  #aged(): HeadLines | undefined {
    const age = this.#age()
    return age === undefined ? undefined : ['Age', String(age)]
  }

  #headsOf(variants: Variants, labels: Labels): Heads {
    const known = this.#heads.get(variants)
    if (known !== undefined) return known
    const made = new Heads(labels)
    this.#heads.set(variants, made)
    return made
  }

  #whenThere<T>(response: ServerResponse, what: T | Promise<T>, send: (there: T) => void): void {
    if (!(what instanceof Promise)) return send(what)
    what.then(send).catch((error: unknown) => {
      // All who wait for the same body get the same error.
      if (error !== this.#lastError) this.#log.error({ err: error }, 'The list could not be made for its readers.')
      this.#lastError = error
      writeReply(response, rejectionReply('UNAVAILABLE', 1))
    })
  }

  #isTooOften(which: keyof Limits, request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#limits === undefined) return false
    const wait = this.#limits[which].take(this.#keyOf(request))
    if (wait > 0) writeReply(response, rejectionReply('TOO_MANY_REQUESTS', wait))
    return wait > 0
  }

  /** Only IPv6 needs its /64 cut out. */
  #keyOf(request: IncomingMessage): string {
    const address = this.#addressOf(request)
    return address.includes(':') ? limitKey(address) : address
  }
}
