/** `GET /servers/stream` on node:http: each tick's changes as one server-sent event, made once and written to all who listen. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Deps } from '#backend/platform/deps.ts'
import { AtOnce } from '#backend/platform/http/at-once.ts'
import { limitKey } from '#backend/platform/http/client-address.ts'
import { TokenBuckets } from '#backend/platform/http/rate-limit.ts'
import { nextRequestId } from '#backend/platform/http/request-id.ts'
import type { Changes } from './changes.ts'
import { breathe } from '#backend/platform/node-internals/breathe.ts'
import { isOver, whenOver } from '#backend/masterlist/wire/answer-over.ts'
import { refusalAnswer } from '#backend/masterlist/wire/answer.ts'
import { writeAnswer } from '#backend/masterlist/wire/raw-answer.ts'
import type { SourceAddress } from '#backend/masterlist/wire/source-address.ts'

/** Streams of one address (one IPv6 /64): at once, and how fast they are opened. A household or an office is one address. */
const MOST_STREAMS_EACH = 30
const STREAM_OPENS = { burst: 60, perSecond: 0.5 }
/** Each costs a socket and a write for each tick. */
const MOST_STREAMS = 10_000
/** Written to between two breaths of the event loop: about a millisecond. */
const READERS_IN_A_SLICE = 64
/** Below the 30 s after which common proxies cut a silent connection. */
const HEARTBEAT_MS = 15_000
/** Who is this far behind is gone or asleep; it goes on, or reads the list anew, when it comes back. */
const MOST_UNREAD_BYTES = 256 * 1024
/** Frames that wait while those before them are being written: four seconds of ticks. With more of them the node is too slow for its readers. */
const MOST_WAITING_FRAMES = 16
const MOST_WAITING_BYTES = 1024 * 1024
const MOST_MISSED_KEPT = 100
const MOST_MISSED_BYTES = 16 * 1024 * 1024
/** How long a reader waits before it comes back: a little different for each, and where all have to about a thousand of them in a second. */
const RETRY_MS = { least: 1000, spread: 2000, mostOfAll: 8000 }
/** Who has not taken the last words by then is cut off: when the list stops, and when only the streams end. */
const LAST_WORDS_MS = 1000
const ENDED_WITHIN_MS = 10_000
/** Seconds after which it is worth coming again where there were too many. */
const FULL_SECONDS = 30

const VERSION = /^[\w.-]{1,64}$/
const HEAD = [
  'Content-Type',
  'text/event-stream; charset=utf-8',
  'Cache-Control',
  'no-store',
  'X-Accel-Buffering',
  'no',
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'X-Request-Id',
  'X-Content-Type-Options',
  'nosniff',
]
const HEARTBEAT = Buffer.from(': still here\n\n')

interface Reader {
  /** Bytes that may lie unread. */
  readonly mostUnread: number
  /** The number of the first frame that it has not been told otherwise. */
  readonly first: number
}

export class ListStreams {
  readonly #changes: Changes
  readonly #addressOf: SourceAddress
  readonly #atOnce: AtOnce
  readonly #opens: TokenBuckets | undefined
  readonly #most: number
  readonly #open = new Map<ServerResponse, Reader>()
  /** What readers of each version have missed up to the newest one: after a restart they all come from a few. */
  readonly #missed = new Map<string, Buffer | 'VERSION_TOO_OLD'>()
  #missedVersion = ''
  #missedBytes = 0
  /** What is still to be written to all, and the number of the next one. */
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #nextFrame = 0
  #isSending = false
  #heartbeat: NodeJS.Timeout | undefined
  #hearNoMore: (() => void) | undefined
  #isDraining = false

  /** @param most in all. */
  constructor({ env, clock, bus }: Pick<Deps, 'env' | 'clock' | 'bus'>, changes: Changes, addressOf: SourceAddress, most = MOST_STREAMS) {
    this.#changes = changes
    this.#addressOf = addressOf
    this.#most = most
    this.#atOnce = new AtOnce(env.RATE_LIMITS ? MOST_STREAMS_EACH : Infinity)
    this.#opens = env.RATE_LIMITS ? new TokenBuckets({ ...STREAM_OPENS, clock, shared: { bus, name: 'list streams' } }) : undefined
  }

  /** How many listen. */
  get size(): number {
    return this.#open.size
  }

  stream(request: IncomingMessage, response: ServerResponse): void {
    const key = limitKey(this.#addressOf(request))
    const wait = this.#opens?.take(key) ?? 0
    if (wait > 0) return writeAnswer(response, refusalAnswer('TOO_MANY_REQUESTS', wait))
    if (this.#isDraining) return writeAnswer(response, refusalAnswer('UNAVAILABLE', 1))
    // An earlier call on the same connection ended it.
    if (isOver(response)) return
    const from = lastKnownOf(request)
    if (from instanceof Error) return writeAnswer(response, refusalAnswer('QUERY_INVALID', 0, [from.message]))
    const missed = this.#missedSince(from ?? this.#changes.version)
    if (typeof missed === 'string') return writeAnswer(response, refusalAnswer(missed))
    if (request.method === 'HEAD') {
      response.writeHead(200, headOfOne())
      response.end()
      return
    }
    if (this.#open.size >= this.#most) return writeAnswer(response, refusalAnswer('STREAMS_FULL', FULL_SECONDS))
    const over = this.#atOnce.begin(key)
    if (over === undefined) return writeAnswer(response, refusalAnswer('TOO_MANY_STREAMS', FULL_SECONDS))
    whenOver(response, () => {
      over()
      this.#leave(response)
    })
    response.on('error', () => this.#cutOff(response))
    response.writeHead(200, headOfOne())
    response.write(retryAfter(RETRY_MS.least + Math.random() * RETRY_MS.spread))
    response.write(missed)
    this.#open.set(response, { mostUnread: MOST_UNREAD_BYTES + missed.length, first: this.#nextFrame })
    this.#heartbeat ??= setInterval(() => this.#sendAll(HEARTBEAT), HEARTBEAT_MS).unref()
    // While nobody listens no tick is written down.
    this.#hearNoMore ??= this.#changes.onTick(({ version, json }) => {
      if (json === undefined) void this.#endAll()
      else this.#sendAll(frameOf(version, json))
    })
  }

  /** Ends every stream, and those that are still to come are refused: the program stops. */
  drain(): void {
    this.#isDraining = true
    const all = [...this.#open.keys()]
    for (const [index, response] of all.entries()) response.end(retryAfter(placeOf(index, all.length)))
    setTimeout(() => {
      for (const response of this.#open.keys()) this.#cutOff(response)
    }, LAST_WORDS_MS).unref()
  }

  #missedSince(from: string): Buffer | 'QUERY_INVALID' | 'VERSION_TOO_OLD' {
    const { version } = this.#changes
    if (version !== this.#missedVersion) {
      this.#missed.clear()
      this.#missedBytes = 0
      this.#missedVersion = version
    }
    const known = this.#missed.get(from)
    if (known !== undefined) return known
    const json = this.#changes.deltaJson(from)
    if (json === 'invalid') return 'QUERY_INVALID'
    const missed = json === 'too-old' ? 'VERSION_TOO_OLD' : frameOf(version, json)
    if (this.#missed.size < MOST_MISSED_KEPT && this.#missedBytes + missed.length <= MOST_MISSED_BYTES) {
      this.#missed.set(from, missed)
      this.#missedBytes += missed.length
    }
    return missed
  }

  /** To all who listen now: who comes later has it already. What comes while others are written waits, and goes out in one piece. */
  #sendAll(words: Buffer): void {
    this.#nextFrame += 1
    this.#waiting.push(words)
    this.#waitingBytes += words.length
    if (this.#waiting.length > MOST_WAITING_FRAMES || this.#waitingBytes > MOST_WAITING_BYTES) void this.#endAll()
    else if (!this.#isSending) void this.#sendWaiting()
  }

  async #sendWaiting(): Promise<void> {
    this.#isSending = true
    while (this.#waiting.length > 0 && !this.#isDraining) {
      const frames = this.#waiting
      this.#forgetWaiting()
      await this.#sendInSlices(frames)
    }
    this.#isSending = false
  }

  #forgetWaiting(): void {
    this.#waiting = []
    this.#waitingBytes = 0
  }

  /** @param frames the newest ones. */
  async #sendInSlices(frames: readonly Buffer[]): Promise<void> {
    const first = this.#nextFrame - frames.length
    /** By how many of them the reader has already. */
    const words: Buffer[] = []
    for (const [index, [response, reader]] of [...this.#open].entries()) {
      if (index % READERS_IN_A_SLICE === READERS_IN_A_SLICE - 1) await breathe()
      if (this.#isDraining) return
      if (!this.#open.has(response)) continue
      const known = Math.max(0, reader.first - first)
      if (known >= frames.length) continue
      const told = (words[known] ??= Buffer.concat(frames.slice(known)))
      if (response.writableLength <= reader.mostUnread) response.write(told)
      else this.#cutOff(response)
    }
  }

  /**
   * Where there is too much to tell: who comes back is told what it has missed, or that it has to read the list. Not all of them in one
   * moment, so each has its own time.
   */
  async #endAll(): Promise<void> {
    const ended = [...this.#open.keys()]
    this.#forgetWaiting()
    for (const response of ended) this.#leave(response)
    for (const [index, response] of ended.entries()) {
      if (index % READERS_IN_A_SLICE === READERS_IN_A_SLICE - 1) await breathe()
      response.end(retryAfter(placeOf(index, ended.length)))
    }
    setTimeout(() => {
      for (const response of ended) if (!response.writableFinished) response.req.socket.destroy()
    }, ENDED_WITHIN_MS).unref()
  }

  /** Its connection with it: where other requests came before it on that, it has no socket of its own yet. */
  #cutOff(response: ServerResponse): void {
    this.#leave(response)
    response.req.socket.destroy()
  }

  #leave(response: ServerResponse): void {
    this.#open.delete(response)
    if (this.#open.size > 0) return
    clearInterval(this.#heartbeat)
    this.#hearNoMore?.()
    this.#heartbeat = undefined
    this.#hearNoMore = undefined
  }
}

const headOfOne = () => [...HEAD, 'X-Request-Id', nextRequestId()]

/** The version that a reader goes on after; undefined where it begins. What comes with a reconnect is newer than the address it began with. */
function lastKnownOf(request: IncomingMessage): string | undefined | Error {
  const header = request.headers['last-event-id']
  if (typeof header === 'string' && header !== '') {
    return VERSION.test(header) ? header : new Error('Last-Event-ID must be the id of an event of this stream.')
  }
  const { url = '' } = request
  const at = url.indexOf('?')
  if (at === -1) return undefined
  const [since, ...more] = new URLSearchParams(url.slice(at + 1)).getAll('since')
  if (more.length > 0) return new Error('since can be given only once.')
  if (since === undefined || VERSION.test(since)) return since
  return new Error('since must be a version of this list, as the X-List-Version header or a delta names it.')
}

function frameOf(version: string, json: string): Buffer {
  return Buffer.from(`id: ${version}\ndata: ${json}\n\n`)
}

/** Milliseconds for one of so many who all have to come back. */
const placeOf = (index: number, count: number) => RETRY_MS.least + (Math.min(count, RETRY_MS.mostOfAll) * index) / count

const retryAfter = (milliseconds: number) => `retry: ${Math.round(milliseconds)}\n\n`
