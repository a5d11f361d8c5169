/** `GET /servers` and `GET /servers/list` on node:http. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { m as texts } from '#api-messages'
import type { Deps } from '#backend/platform/deps.ts'
import { compareRows } from '#backend/masterlist/registry/list-order.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import { Rejection, rejectionReply, writeReply } from '#backend/masterlist/wire/reply.ts'
import { type Age, type Labels, listHeaders, unchangedHeaders } from '#backend/masterlist/wire/list-heads.ts'
import { encodingFor, matchesEtag } from '#backend/platform/http/negotiation.ts'
import { type SourceAddress, limitKey } from '#backend/platform/http/client-address.ts'
import { TokenBuckets } from '#backend/platform/http/rate-limit.ts'
import { BoundedQueue } from '#backend/platform/concurrency/bounded-queue.ts'
import { CONCURRENCY } from '#contract/api/limits.ts'
import { OutageLog } from '#backend/platform/outage-log.ts'
import type { Deltas, RunBuild } from './deltas.ts'
import type { EncodedBody } from './encoded-body.ts'
import { type ListBody, buildBody } from './list-bodies.ts'
import { LEGACY_LIST, type RowsQuery, parseListQuery } from './list-query.ts'
import { InFlightResponses } from './in-flight-responses.ts'
import type { Snapshots } from './snapshot.ts'

/** A longer delta counts as a whole list. A tiny one is not compressed. */
const LONG_DELTA_BYTES = 16 * 1024
const TINY_DELTA_BYTES = 1000
/** Limits for builds: concurrent, queued, and queued per address. */
const BUILD_QUEUE = { concurrency: 2, maxQueued: 100, maxQueuedPerKey: 4 }
/** Retry-After while too much is being built, or sent. */
const BUSY_SECONDS = 1
const IN_FLIGHT_SECONDS = 5

const WHOLE_LIST: RowsQuery = { ...LEGACY_LIST, key: 'whole', format: 'rows' }

type Source = Readonly<{ snapshots: Snapshots; changes: Deltas; registry: Pick<Registry, 'get'> }>
type Limits = Readonly<Record<'full' | 'all' | 'parts', TokenBuckets>>

export class ListHandler {
  readonly #source: Source
  readonly #addressOf: SourceAddress
  readonly #age: Age
  readonly #limits: Limits | undefined
  readonly #buildQueue: BoundedQueue
  readonly #inFlight: InFlightResponses
  readonly #outage: OutageLog

  /** @param age the `Age` header. */
  constructor({ env, clock, log, bus }: Pick<Deps, 'env' | 'clock' | 'log' | 'bus'>, source: Source, addressOf: SourceAddress, age: Age) {
    this.#source = source
    this.#addressOf = addressOf
    this.#age = age
    const limit = (name: keyof Limits) => new TokenBuckets({ clock, bus }, `list-${name}`)
    this.#limits = env.RATE_LIMITS ? { full: limit('full'), all: limit('all'), parts: limit('parts') } : undefined
    this.#buildQueue = new BoundedQueue({ ...BUILD_QUEUE, maxQueuedPerKey: env.RATE_LIMITS ? BUILD_QUEUE.maxQueuedPerKey : Infinity })
    this.#inFlight = new InFlightResponses(env.RATE_LIMITS ? CONCURRENCY['list-responses'].max : Infinity)
    this.#outage = new OutageLog({ log, level: 'error', begin: 'building the list failed', end: 'the list is built again' })
  }

  servers(request: IncomingMessage, response: ServerResponse): void {
    const { url = '' } = request
    const queryAt = url.indexOf('?')
    const query = queryAt === -1 ? undefined : parseListQuery(url.slice(queryAt + 1))
    void this.#respond(request, response, async () => {
      if (query === undefined || query.kind === 'all') await this.#sendWhole(request, response)
      else if (query.kind === 'since') await this.#sendDelta(request, response, query.version)
      else if (query.kind === 'invalid') throw new Rejection(rejectionReply('QUERY_INVALID', 0, query.sentences))
      else await this.#sendPart(request, response, query)
    })
  }

  /** Ignores the query, as the older API did. */
  legacyServers(request: IncomingMessage, response: ServerResponse): void {
    void this.#respond(request, response, () => this.#sendPart(request, response, LEGACY_LIST))
  }

  async #respond(request: IncomingMessage, response: ServerResponse, send: () => Promise<void>): Promise<void> {
    try {
      this.#limit('all', request)
      await send()
      this.#outage.succeeded()
    } catch (error) {
      if (!(error instanceof Rejection)) this.#outage.failed({ err: error })
      writeReply(response, error instanceof Rejection ? error.reply : rejectionReply('UNAVAILABLE', BUSY_SECONDS))
    }
  }

  async #sendWhole(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { snapshots } = this.#source
    const encoding = encodingFor(request.headers['accept-encoding'])
    const list = await snapshots.current().body(WHOLE_LIST, encoding, (build) => snapshots.measure(build))
    await this.#send(request, response, list.body, list)
  }

  async #sendPart(request: IncomingMessage, response: ServerResponse, query: RowsQuery): Promise<void> {
    const run: RunBuild = (build) => this.#runQueued(request, build)
    const encoding = encodingFor(request.headers['accept-encoding'])
    const list = await (query.ids === undefined
      ? this.#source.snapshots.current().body(query, encoding, run)
      : run(() => this.#buildChosen(query, query.ids ?? [], encoding)))
    await this.#send(request, response, list.body, list)
  }

  /**
   * The listed ones of these servers. Nearly every reader asks for others, so the body is not cached: it would evict bodies that readers share.
   * It costs less than a filter, because its few rows are looked up.
   */
  #buildChosen(query: RowsQuery, ids: readonly string[], encoding: ReturnType<typeof encodingFor>): Promise<ListBody> {
    const { changes, registry } = this.#source
    const rows = ids.flatMap((id) => registry.get(id)?.published ?? []).toSorted(compareRows)
    return buildBody(query, { version: changes.version, rows }, encoding)
  }

  async #sendDelta(request: IncomingMessage, response: ServerResponse, from: string): Promise<void> {
    const { changes } = this.#source
    const { version } = changes
    const delta = await changes.since(from, (build) => this.#runQueued(request, build))
    if (delta === 'too-old') throw new Rejection(rejectionReply('VERSION_TOO_OLD'))
    if (delta === 'invalid') throw new Rejection(rejectionReply('QUERY_INVALID', 0, () => [texts.input_since_invalid()]))
    await this.#send(request, response, delta, { etag: delta.etag, version, isDelta: true })
  }

  async #send(request: IncomingMessage, response: ServerResponse, body: EncodedBody, labels: Labels): Promise<void> {
    if (matchesEtag(request.headers['if-none-match'], labels.etag)) {
      response.writeHead(304, unchangedHeaders(labels, this.#age())).end()
      return
    }
    if (labels.isDelta !== true || body.length >= LONG_DELTA_BYTES) this.#limit('full', request)
    const isTiny = labels.isDelta === true && body.length < TINY_DELTA_BYTES
    const encoding = isTiny ? 'identity' : encodingFor(request.headers['accept-encoding'])
    const bytes = await body.body(encoding)
    const writeHead = () => response.writeHead(200, listHeaders(labels, encoding, bytes.length, this.#age()))
    if (request.method === 'HEAD') writeHead().end()
    else if (!this.#inFlight.end(response, this.#keyOf(request), bytes, writeHead))
      throw new Rejection(rejectionReply('TOO_MANY_UNREAD', IN_FLIGHT_SECONDS))
  }

  /** Queues builds, within the limits of this reader. */
  async #runQueued<T>(request: IncomingMessage, build: () => Promise<T>): Promise<T> {
    this.#limit('parts', request)
    const result = this.#buildQueue.run(this.#keyOf(request), build)
    if (typeof result !== 'string') return await result
    throw new Rejection(rejectionReply(result === 'full' ? 'LIST_BUSY' : 'TOO_MANY_WAITING', BUSY_SECONDS))
  }

  #limit(limit: keyof Limits, request: IncomingMessage): void {
    const wait = this.#limits?.[limit].take(this.#keyOf(request)) ?? 0
    if (wait > 0) throw new Rejection(rejectionReply('TOO_MANY_REQUESTS', wait))
  }

  /** IPv6 addresses count by their /64. */
  #keyOf(request: IncomingMessage): string {
    const address = this.#addressOf(request)
    return address.includes(':') ? limitKey(address) : address
  }
}
