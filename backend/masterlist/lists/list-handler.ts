/** `GET /servers` and `GET /servers/list` on node:http. A request only chooses among prepared bodies. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Deps } from '#backend/platform/deps.ts'
import { publishedInListOrder } from '#backend/masterlist/registry/list-order.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import { rejectionReply, writeReply } from '#backend/masterlist/wire/reply.ts'
import { type Age, type Labels, listHeaders, unchangedHeaders } from '#backend/masterlist/wire/list-heads.ts'
import { type Encoding, encodingFor, matchesEtag } from '#backend/platform/http/negotiation.ts'
import { type SourceAddress, limitKey } from '#backend/platform/http/client-address.ts'
import { type BucketRule, TokenBuckets } from '#backend/platform/http/rate-limit.ts'
import { BoundedQueue } from '#backend/platform/concurrency/bounded-queue.ts'
import { sinceInvalid } from '#contract/messages.ts'
import type { Deltas, RunQueued } from './deltas.ts'
import { ListBodies, buildBody } from './list-bodies.ts'
import { LEGACY_LIST, type RowsQuery, parseListQuery } from './list-query.ts'
import { MAX_IN_FLIGHT_PER_ADDRESS, InFlightResponses } from './in-flight-responses.ts'
import type { Publisher } from './publisher.ts'
import type { Snapshot, Variants } from './snapshot.ts'

/** Limits per address: whole lists, and all reads including 304s. */
export const FULL_READS = { burst: 120, perSecond: 10 }
export const ALL_READS = { burst: 600, perSecond: 60 }
/** Parts of the list and long deltas that must be built. */
const PART_BUILDS = { burst: 40, perSecond: 4 }
/** A longer delta counts as a whole list. A tiny one is not compressed. */
const LONG_DELTA_BYTES = 16 * 1024
const TINY_DELTA_BYTES = 1000
/** Limits for builds: concurrent, queued, and queued per address. */
const BUILD_QUEUE = { concurrency: 2, maxQueued: 100, maxQueuedPerKey: 4 }
/** Retry-After while too much is being built, or sent. */
const BUSY_SECONDS = 1
const IN_FLIGHT_SECONDS = 5

type Source = Readonly<{ publisher: Publisher; changes: Deltas; registry: Pick<Registry, 'get'> }>
type Limits = Readonly<Record<'full' | 'all' | 'parts', TokenBuckets>>

export class ListHandler {
  readonly #source: Source
  readonly #addressOf: SourceAddress
  readonly #log: Deps['log']
  readonly #age: Age
  readonly #limits: Limits | undefined
  readonly #parts = new ListBodies()
  readonly #buildQueue: BoundedQueue
  readonly #inFlight: InFlightResponses
  #lastError: unknown

  /** @param age seconds since this node lost the other nodes; undefined while connected. */
  constructor({ env, clock, log, bus }: Pick<Deps, 'env' | 'clock' | 'log' | 'bus'>, source: Source, addressOf: SourceAddress, age: Age) {
    this.#source = source
    this.#addressOf = addressOf
    this.#log = log
    this.#age = age
    const limit = (name: keyof Limits, rule: BucketRule) => new TokenBuckets({ ...rule, clock, shared: { bus, name: `list-${name}` } })
    this.#limits = env.RATE_LIMITS
      ? { full: limit('full', FULL_READS), all: limit('all', ALL_READS), parts: limit('parts', PART_BUILDS) }
      : undefined
    this.#buildQueue = new BoundedQueue({ ...BUILD_QUEUE, maxQueuedPerKey: env.RATE_LIMITS ? BUILD_QUEUE.maxQueuedPerKey : Infinity })
    this.#inFlight = new InFlightResponses(env.RATE_LIMITS ? MAX_IN_FLIGHT_PER_ADDRESS : Infinity)
  }

  servers(request: IncomingMessage, response: ServerResponse): void {
    if (this.#rejectIfLimited('all', request, response)) return
    const { url = '' } = request
    const queryAt = url.indexOf('?')
    if (queryAt === -1) return this.#sendAll(request, response)
    const query = parseListQuery(url.slice(queryAt + 1))
    if (query.kind === 'all') return this.#sendAll(request, response)
    if (query.kind === 'since') return this.#sendDelta(request, response, query.version)
    if (query.kind === 'invalid') return writeReply(response, rejectionReply('QUERY_INVALID', 0, query.sentences))
    if (query.ids !== undefined) return this.#sendRowsOf(query.ids, request, response, query)
    this.#sendRows(request, response, query)
  }

  /** Ignores the query, as the older API did. */
  legacyServers(request: IncomingMessage, response: ServerResponse): void {
    if (!this.#rejectIfLimited('all', request, response)) this.#sendRows(request, response, LEGACY_LIST)
  }

  #sendRows(request: IncomingMessage, response: ServerResponse, query: RowsQuery): void {
    this.#whenReady(response, this.#source.publisher.read(), (snapshot) => this.#sendPart(request, response, query, snapshot))
  }

  #sendAll(request: IncomingMessage, response: ServerResponse): void {
    const list = this.#source.publisher.whole(request.headers['accept-encoding'] ?? 'identity')
    if (list instanceof Promise) this.#whenReady(response, list, (ready) => this.#send(request, response, ready, ready))
    else this.#send(request, response, list, list)
  }

  #sendDelta(request: IncomingMessage, response: ServerResponse, from: string): void {
    const { changes } = this.#source
    const delta = changes.since(from, this.#runQueuedFor(request, response))
    if (delta === undefined) return
    if (delta === 'too-old') return writeReply(response, rejectionReply('VERSION_TOO_OLD'))
    if (delta === 'invalid')
      return writeReply(
        response,
        rejectionReply('QUERY_INVALID', 0, () => [sinceInvalid()]),
      )
    const { version } = changes
    this.#whenReady(response, delta, (body) =>
      this.#send(request, response, body, { etag: body.etag, version, isDelta: true }, body.length),
    )
  }

  #sendPart(request: IncomingMessage, response: ServerResponse, query: RowsQuery, snapshot: Snapshot): void {
    const encoding = encodingFor(request.headers['accept-encoding'])
    const body = this.#parts.find(query, snapshot) ?? this.#parts.build(query, snapshot, encoding, this.#runQueuedFor(request, response))
    if (body !== undefined) this.#whenReady(response, body, (ready) => this.#send(request, response, ready.variants, ready))
  }

  /**
   * Sends the listed ones of these servers. Nearly every reader asks for others, so the body is not cached: it would evict bodies that readers
   * share. It costs less than a filter, because its few rows are looked up. Builds are limited and queued like all others.
   */
  #sendRowsOf(ids: readonly string[], request: IncomingMessage, response: ServerResponse, query: RowsQuery): void {
    const { changes, registry } = this.#source
    const encoding = encodingFor(request.headers['accept-encoding'])
    const build = () => {
      const rows = publishedInListOrder(ids.flatMap((id) => registry.get(id) ?? []))
      return buildBody(query, { version: changes.version, rows }, encoding)
    }
    const body = this.#runQueuedFor(request, response)(build)
    if (body !== undefined) this.#whenReady(response, body, (ready) => this.#send(request, response, ready.variants, ready))
  }

  /** Queues builds for this reader. If the queue rejects one, the request is rejected. */
  #runQueuedFor(request: IncomingMessage, response: ServerResponse): RunQueued {
    return (build) => {
      if (this.#rejectIfLimited('parts', request, response)) return undefined
      const result = this.#buildQueue.run(this.#keyOf(request), build)
      if (typeof result !== 'string') return result
      writeReply(response, rejectionReply(result === 'full' ? 'LIST_BUSY' : 'TOO_MANY_WAITING', BUSY_SECONDS))
      return undefined
    }
  }

  #send(request: IncomingMessage, response: ServerResponse, variants: Variants, labels: Labels, deltaLength = Infinity): void {
    if (matchesEtag(request.headers['if-none-match'], labels.etag)) {
      response.writeHead(304, unchangedHeaders(labels, this.#age())).end()
      return
    }
    if (deltaLength >= LONG_DELTA_BYTES && this.#rejectIfLimited('full', request, response)) return
    const encoding = deltaLength < TINY_DELTA_BYTES ? 'identity' : encodingFor(request.headers['accept-encoding'])
    const body = variants.body(encoding)
    if (body instanceof Promise) this.#whenReady(response, body, (ready) => this.#end(response, labels, encoding, ready))
    else this.#end(response, labels, encoding, body)
  }

  #end(response: ServerResponse, labels: Labels, encoding: Encoding, body: Buffer): void {
    const begin = () => response.writeHead(200, listHeaders(labels, encoding, body.length, this.#age()))
    if (response.req.method === 'HEAD') {
      begin().end()
    } else if (!this.#inFlight.end(response, this.#keyOf(response.req), body, begin))
      writeReply(response, rejectionReply('TOO_MANY_UNREAD', IN_FLIGHT_SECONDS))
  }

  #whenReady<T>(response: ServerResponse, value: T | Promise<T>, send: (ready: T) => void): void {
    if (!(value instanceof Promise)) return send(value)
    value.then(send).catch((error: unknown) => {
      // All readers waiting for one body get the same error.
      if (error !== this.#lastError) this.#log.error({ err: error }, 'building the list for readers failed')
      this.#lastError = error
      writeReply(response, rejectionReply('UNAVAILABLE', 1))
    })
  }

  #rejectIfLimited(limit: keyof Limits, request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#limits === undefined) return false
    const wait = this.#limits[limit].take(this.#keyOf(request))
    if (wait > 0) writeReply(response, rejectionReply('TOO_MANY_REQUESTS', wait))
    return wait > 0
  }

  /** IPv6 addresses count by their /64. */
  #keyOf(request: IncomingMessage): string {
    const address = this.#addressOf(request)
    return address.includes(':') ? limitKey(address) : address
  }
}
