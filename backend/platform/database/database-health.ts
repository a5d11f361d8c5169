/**
 * Whether the database is there. One that is gone without a word (a dropped network, a hanging machine) would keep every caller waiting for a
 * timeout. So where something waits and nothing is heard, it is probed on a connection of its own. If that fails, waiting calls end and new
 * ones are refused until it answers again. Time is counted in beats, so that a pause of this process does not count as silence.
 */
import { Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import type { Log } from '#backend/platform/log.ts'
import type { FailureKind } from './failure.ts'

const BEAT_MS = 250
/** Silence until a probe, where something waits for the database or a connection was lost. */
const DOUBT_MS = 1000
/** The same where nothing does: each probe is a new connection. */
const IDLE_MS = 5000
/** A failure of a kind so long after the last one is another outage. */
const OUTAGE_OVER_MS = 60_000
/** With the doubt, and a query's time before, below the three seconds in which every call is answered. */
const PROBE_BEATS = 5

/** How many connections the pool has, and how many calls wait for one. */
export interface PoolUse {
  readonly idle: number
  /** Given out, or being made. */
  readonly used: number
  readonly waiting: number
  readonly max: number
}

export class DatabaseHealth {
  readonly #config: pg.ClientConfig
  readonly #log: Log
  readonly pool: () => PoolUse
  /** Of all connections of the pool, also of those that are being made. */
  readonly #sockets = new Set<Socket>()
  readonly #timer: NodeJS.Timeout
  #silentMs = 0
  #doubtMs = 0
  #hasFailed = false
  #isLost = false
  readonly #failures = new Map<FailureKind, number>()
  /** The kinds that failed lately. */
  readonly #outages = new LRUCache<FailureKind, true>({ max: 10, ttl: OUTAGE_OVER_MS })
  #probe: { readonly socket: Socket; beats: number } | undefined

  constructor(config: pg.ClientConfig, log: Log, pool: () => PoolUse) {
    this.#config = config
    this.#log = log
    this.pool = pool
    this.#timer = setInterval(() => this.#beat(), BEAT_MS).unref()
  }

  /** It does not answer; calls are refused. */
  get isLost(): boolean {
    return this.#isLost
  }

  /** How long nothing has been heard of it; some seconds in an idle program. */
  get lastResponseAgeMs(): number {
    return this.#silentMs
  }

  /** Failed statements and connections since the start, by kind. */
  get failures(): ReadonlyMap<FailureKind, number> {
    return this.#failures
  }

  /** Counts it; the first of an outage is logged with its stack. */
  countFailure(kind: FailureKind, error: Error): void {
    this.#failures.set(kind, (this.#failures.get(kind) ?? 0) + 1)
    if (!this.#outages.has(kind)) this.#log.warn({ err: error, stack: error.stack, kind }, 'database failed')
    this.#outages.set(kind, true)
  }

  open(): Socket {
    const socket = new Socket()
    this.#sockets.add(socket)
    return socket.once('close', () => this.#sockets.delete(socket))
  }

  answered(): void {
    this.#silentMs = 0
    this.#doubtMs = 0
    this.#hasFailed = false
    if (!this.#isLost) return
    this.#isLost = false
    this.#log.info('The database answers again.')
  }

  failed(): void {
    this.#hasFailed = true
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#probe?.socket.destroy()
  }

  #beat(): void {
    this.#silentMs += BEAT_MS
    this.#doubtMs = this.#hasFailed || this.pool().used > 0 || this.pool().waiting > 0 ? this.#doubtMs + BEAT_MS : 0
    if (this.#probe !== undefined) {
      this.#probe.beats += 1
      if (this.#probe.beats > PROBE_BEATS) this.#probe.socket.destroy()
    } else if (this.#isLost || this.#doubtMs >= DOUBT_MS || this.#silentMs >= IDLE_MS) void this.#ask()
  }

  /** On a new connection: that the database takes one is a part of the question. */
  async #ask(): Promise<void> {
    const socket = new Socket()
    this.#probe = { socket, beats: 0 }
    let client: pg.Client | undefined
    try {
      client = new pg.Client({ ...this.#config, stream: () => socket, application_name: 'muster health check' })
      client.on('error', () => undefined)
      await client.connect()
      await client.query('select 1')
      this.answered()
    } catch (error) {
      if (isAnswer(error)) this.answered()
      else this.#lose(error)
    } finally {
      this.#probe = undefined
      client?.end().catch(() => undefined)
    }
  }

  #lose(error: unknown): void {
    // Silent for less: another connection was answered meanwhile.
    if (this.#isLost || this.#silentMs < DOUBT_MS) return
    this.#isLost = true
    this.#log.warn({ err: error }, 'The database does not answer; what needs it is refused until it does.')
    for (const socket of this.#sockets) socket.destroy()
  }
}

/** A database that refuses is there, unless it says that it is stopping or starting. */
function isAnswer(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith('57P0') !== true
}
