/** `GET /servers/stream` on node:http: each tick's changes as one server-sent event, serialized once for all readers. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { m as texts } from '#api-messages'
import type { Deps } from '#backend/platform/deps.ts'
import { KeyedConcurrencyLimit } from '#backend/platform/concurrency/keyed-concurrency-limit.ts'
import { type SourceAddress, limitKey } from '#backend/platform/http/client-address.ts'
import { TokenBuckets } from '#backend/platform/http/rate-limit.ts'
import { nextRequestId } from '#backend/platform/http/request-id.ts'
import { CONCURRENCY } from '#contract/api/limits.ts'
import { mustBeGivenOnce } from '#contract/text/messages.ts'
import { sentence } from '#backend/platform/messages/sentence.ts'
import type { Deltas } from './deltas.ts'
import { hasEnded, onceEnded } from '#backend/masterlist/wire/response-end.ts'
import { rejectionReply, writeReply } from '#backend/masterlist/wire/reply.ts'

/** Each stream costs a socket, and a write per tick. */
const MAX_STREAMS = 10_000
/** About a millisecond of writes. */
const READERS_PER_SLICE = 64
/** Below the 30 s after which common proxies close a silent connection. */
const HEARTBEAT_MS = 15_000
/** A reader this far behind is gone or suspended, and is disconnected. */
const MAX_UNREAD_BYTES = 256 * 1024
/** Frames queued behind earlier ones: four seconds of ticks. With more, the node is too slow for its readers. */
const MAX_QUEUED_FRAMES = 16
const MAX_QUEUED_BYTES = 1024 * 1024
const MISSED_CACHE = { max: 100, maxSize: 16 * 1024 * 1024 }
/** Reconnect delay: random per reader, and spread to a thousand readers per second when all must reconnect. */
const RETRY_MS = { min: 1000, spread: 2000, maxOfAll: 8000 }
/** How long readers have to receive the last frame: at shutdown, and when there is too much to send. */
const SHUTDOWN_GRACE_MS = 1000
const END_GRACE_MS = 10_000
/** Retry-After when there are too many streams. */
const FULL_SECONDS = 30

const VERSION = /^[\w.-]{1,64}$/
const HEAD = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'X-Request-Id',
  'X-Content-Type-Options': 'nosniff',
}
const HEARTBEAT = Buffer.from(': still here\n\n')

interface Reader {
  readonly maxUnreadBytes: number
  /** The number of the first frame that it needs. */
  readonly firstFrame: number
}

export class ListStreams {
  readonly #changes: Deltas
  readonly #addressOf: SourceAddress
  readonly #perAddress: KeyedConcurrencyLimit
  readonly #openRate: TokenBuckets | undefined
  readonly #max: number
  readonly #open = new Map<ServerResponse, Reader>()
  /** Missed changes by version, because after a restart all readers resume from a few versions. */
  readonly #missed = new LRUCache<string, Buffer | 'VERSION_TOO_OLD'>({ ...MISSED_CACHE, sizeCalculation: ({ length }) => length })
  #missedVersion = ''
  /** Queued frames for all readers, and the number of the next frame. */
  #queue: Buffer[] = []
  #nextFrame = 0
  #isSending = false
  #heartbeat: NodeJS.Timeout | undefined
  #unsubscribe: (() => void) | undefined
  #isDraining = false

  constructor({ env, clock, bus }: Pick<Deps, 'env' | 'clock' | 'bus'>, changes: Deltas, addressOf: SourceAddress, max = MAX_STREAMS) {
    this.#changes = changes
    this.#addressOf = addressOf
    this.#max = max
    this.#perAddress = new KeyedConcurrencyLimit(env.RATE_LIMITS ? CONCURRENCY['list-streams'].max : Infinity)
    this.#openRate = env.RATE_LIMITS ? new TokenBuckets({ clock, bus }, 'list-streams') : undefined
  }

  get size(): number {
    return this.#open.size
  }

  stream(request: IncomingMessage, response: ServerResponse): void {
    const key = limitKey(this.#addressOf(request))
    const wait = this.#openRate?.take(key) ?? 0
    if (wait > 0) return writeReply(response, rejectionReply('TOO_MANY_REQUESTS', wait))
    if (this.#isDraining) return writeReply(response, rejectionReply('UNAVAILABLE', 1))
    // An earlier request on this connection ended it.
    if (hasEnded(response)) return
    const from = lastVersionOf(request)
    if (typeof from === 'function')
      return writeReply(
        response,
        rejectionReply('QUERY_INVALID', 0, () => [from()]),
      )
    const missed = this.#missedSince(from ?? this.#changes.version)
    if (typeof missed === 'string') return writeReply(response, rejectionReply(missed))
    if (request.method === 'HEAD') {
      response.writeHead(200, headWithId()).end()
      return
    }
    if (this.#open.size >= this.#max) return writeReply(response, rejectionReply('STREAMS_FULL', FULL_SECONDS))
    const release = this.#perAddress.acquire(key)
    if (release === undefined) return writeReply(response, rejectionReply('TOO_MANY_STREAMS', FULL_SECONDS))
    onceEnded(response, () => {
      release()
      this.#remove(response)
    })
    response.on('error', () => this.#disconnect(response))
    response.writeHead(200, headWithId())
    response.write(retryField(RETRY_MS.min + Math.random() * RETRY_MS.spread))
    response.write(missed)
    this.#open.set(response, { maxUnreadBytes: MAX_UNREAD_BYTES + missed.length, firstFrame: this.#nextFrame })
    this.#heartbeat ??= setInterval(() => this.#sendAll(HEARTBEAT), HEARTBEAT_MS).unref()
    // Without readers no tick is serialized.
    this.#unsubscribe ??= this.#changes.onTick(({ version, json }) => {
      if (json === undefined) void this.#endAll(END_GRACE_MS)
      else this.#sendAll(frameOf(version, json))
    })
  }

  /** Ends all streams and rejects new ones, because the program stops. */
  drain(): void {
    this.#isDraining = true
    void this.#endAll(SHUTDOWN_GRACE_MS)
  }

  #missedSince(from: string): Buffer | 'QUERY_INVALID' | 'VERSION_TOO_OLD' {
    const { version } = this.#changes
    if (version !== this.#missedVersion) {
      this.#missed.clear()
      this.#missedVersion = version
    }
    const cached = this.#missed.get(from)
    if (cached !== undefined) return cached
    const json = this.#changes.deltaJson(from)
    if (json === 'invalid') return 'QUERY_INVALID'
    const missed = json === 'too-old' ? 'VERSION_TOO_OLD' : frameOf(version, json)
    this.#missed.set(from, missed)
    return missed
  }

  /** Sends a frame to all current readers. Frames that arrive during a send are sent together. */
  #sendAll(frame: Buffer): void {
    this.#nextFrame += 1
    this.#queue.push(frame)
    const bytes = this.#queue.reduce((sum, { length }) => sum + length, 0)
    if (this.#queue.length > MAX_QUEUED_FRAMES || bytes > MAX_QUEUED_BYTES) void this.#endAll(END_GRACE_MS)
    else if (!this.#isSending) void this.#sendQueue()
  }

  async #sendQueue(): Promise<void> {
    this.#isSending = true
    while (this.#queue.length > 0) {
      const frames = this.#queue
      this.#queue = []
      await this.#sendInSlices(frames)
    }
    this.#isSending = false
  }

  /** @param frames the newest ones. */
  async #sendInSlices(frames: readonly Buffer[]): Promise<void> {
    const first = this.#nextFrame - frames.length
    /** By the number of frames that the reader already has. */
    const joined: Buffer[] = []
    for (const [index, [response, reader]] of [...this.#open].entries()) {
      if (index % READERS_PER_SLICE === READERS_PER_SLICE - 1) await yieldToEventLoop()
      if (!this.#open.has(response)) continue
      const alreadySent = Math.max(0, reader.firstFrame - first)
      if (alreadySent >= frames.length) continue
      const unsent = (joined[alreadySent] ??= Buffer.concat(frames.slice(alreadySent)))
      if (response.writableLength <= reader.maxUnreadBytes) response.write(unsent)
      else this.#disconnect(response)
    }
  }

  /** Each reader reconnects at its own time and gets the missed changes, or a 410. @param graceMs how long it has to receive the last frame. */
  async #endAll(graceMs: number): Promise<void> {
    const ended = [...this.#open.keys()]
    this.#queue = []
    for (const response of ended) this.#remove(response)
    for (const [index, response] of ended.entries()) {
      if (index % READERS_PER_SLICE === READERS_PER_SLICE - 1) await yieldToEventLoop()
      response.end(retryField(retryDelayOf(index, ended.length)))
    }
    setTimeout(() => {
      for (const response of ended) if (!response.writableFinished) response.req.socket.destroy()
    }, graceMs).unref()
  }

  /** Destroys the connection, because behind pipelined requests the response has no socket yet. */
  #disconnect(response: ServerResponse): void {
    this.#remove(response)
    response.req.socket.destroy()
  }

  #remove(response: ServerResponse): void {
    this.#open.delete(response)
    if (this.#open.size > 0) return
    clearInterval(this.#heartbeat)
    this.#unsubscribe?.()
    this.#heartbeat = undefined
    this.#unsubscribe = undefined
  }
}

const headWithId = () => ({ ...HEAD, 'X-Request-Id': nextRequestId() })

/** Returns the version after which a reader resumes, undefined for a new reader, or what is wrong with the request. `Last-Event-ID` is newer than `since` in the URL. */
function lastVersionOf(request: IncomingMessage): string | undefined | (() => string) {
  const header = request.headers['last-event-id']
  if (typeof header === 'string' && header !== '') {
    return VERSION.test(header) ? header : () => sentence('LIST_EVENT_ID_INVALID')
  }
  const { url = '' } = request
  const at = url.indexOf('?')
  if (at === -1) return undefined
  const [since, ...more] = new URLSearchParams(url.slice(at + 1)).getAll('since')
  if (more.length > 0) return mustBeGivenOnce('since')
  if (since === undefined || VERSION.test(since)) return since
  return texts.input_since_invalid
}

const frameOf = (version: string, json: string) => Buffer.from(`id: ${version}\ndata: ${json}\n\n`)

/** Reconnect delay of one of `count` readers that must all reconnect, in milliseconds. */
const retryDelayOf = (index: number, count: number) => RETRY_MS.min + (Math.min(count, RETRY_MS.maxOfAll) * index) / count

const retryField = (milliseconds: number) => `retry: ${Math.round(milliseconds)}\n\n`
