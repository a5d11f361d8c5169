/**
 * Whether the database is there. A database that is gone without a word (a network that drops, a machine that hangs) would keep every
 * caller waiting for his time-out; so where somebody waits for it and nothing is heard it is asked on a connection of its own, and where that
 * is not answered either, what waits for it ends and what comes is refused at once, until it answers again. Where nobody waits it is asked
 * now and then. Time is counted in beats: one in which this process stood still is no more than one in which it did not.
 */
import { Socket } from 'node:net'
import pg from 'pg'
import type { Log } from '#backend/platform/log.ts'
import type { FailureKind } from './failure.ts'

const BEAT_MS = 250
/** Silence after which it is asked, where something waits for it or a connection was lost. */
const DOUBT_MS = 1000
/** The same where nobody wants anything of it: each question is a new connection. */
const IDLE_MS = 5000
/** So long after the last failure of a kind the next one is another outage. */
const OUTAGE_OVER_MS = 60_000
/** Together with the doubt, a query's whole time and a little more below the three seconds in which every call is answered. */
const ASK_BEATS = 5

/** How many connections the pool has, and how many calls wait for one. */
export interface PoolUse {
  readonly idle: number
  /** Given out, or being made. */
  readonly used: number
  readonly waiting: number
  readonly max: number
}

export class Pulse {
  readonly #config: pg.ClientConfig
  readonly #log: Log
  readonly pool: () => PoolUse
  /** Of all connections of the pool, also of those that are being made. */
  readonly #sockets = new Set<Socket>()
  readonly #timer: NodeJS.Timeout
  #silentMs = 0
  /** How long there has been reason to doubt that it is there. */
  #doubtMs = 0
  #hasFailed = false
  #isLost = false
  readonly #failures = new Map<FailureKind, number>()
  /** Of each kind that failed lately: milliseconds since the last failure. */
  readonly #quietMs = new Map<FailureKind, number>()
  #asking: { readonly socket: Socket; beats: number } | undefined

  /** @param config how to reach the database. @param pool what its connections do. */
  constructor(config: pg.ClientConfig, log: Log, pool: () => PoolUse) {
    this.#config = config
    this.#log = log
    this.pool = pool
    this.#timer = setInterval(() => this.#beat(), BEAT_MS).unref()
  }

  /** Nothing is heard of it, and nothing asked. */
  get isLost(): boolean {
    return this.#isLost
  }

  /** How long nothing has been heard of it; some seconds in an idle program. */
  get silentMs(): number {
    return this.#silentMs
  }

  /** Statements that failed since the start, by kind, and connections that could not be had. */
  get failures(): ReadonlyMap<FailureKind, number> {
    return this.#failures
  }

  /** Counts it; the first of an outage is logged with its stack. */
  countFailure(kind: FailureKind, error: Error): void {
    this.#failures.set(kind, (this.#failures.get(kind) ?? 0) + 1)
    if (!this.#quietMs.has(kind)) this.#log.warn({ err: error, stack: error.stack, kind }, 'database failed')
    this.#quietMs.set(kind, 0)
  }

  /** A socket for a connection of the pool. */
  open(): Socket {
    const socket = new Socket()
    this.#sockets.add(socket)
    return socket.once('close', () => this.#sockets.delete(socket))
  }

  /** It answered something. */
  answered(): void {
    this.#silentMs = 0
    this.#doubtMs = 0
    this.#hasFailed = false
    if (!this.#isLost) return
    this.#isLost = false
    this.#log.info('The database answers again.')
  }

  /** A connection was lost, or could not be made. */
  failed(): void {
    this.#hasFailed = true
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#asking?.socket.destroy()
  }

  #beat(): void {
    for (const [kind, ms] of this.#quietMs) {
      if (ms >= OUTAGE_OVER_MS) this.#quietMs.delete(kind)
      else this.#quietMs.set(kind, ms + BEAT_MS)
    }
    this.#silentMs += BEAT_MS
    this.#doubtMs = this.#hasFailed || this.pool().used > 0 || this.pool().waiting > 0 ? this.#doubtMs + BEAT_MS : 0
    if (this.#asking !== undefined) {
      this.#asking.beats += 1
      if (this.#asking.beats > ASK_BEATS) this.#asking.socket.destroy()
    } else if (this.#isLost || this.#doubtMs >= DOUBT_MS || this.#silentMs >= IDLE_MS) void this.#ask()
  }

  /** On a new connection: that it takes one is a part of the question. */
  async #ask(): Promise<void> {
    const socket = new Socket()
    this.#asking = { socket, beats: 0 }
    let client: pg.Client | undefined
    try {
      client = new pg.Client({ ...this.#config, stream: () => socket, application_name: 'muster pulse' })
      client.on('error', () => undefined)
      await client.connect()
      await client.query('select 1')
      this.answered()
    } catch (error) {
      if (isAnswer(error)) this.answered()
      else this.#lose(error)
    } finally {
      this.#asking = undefined
      // A word of farewell, and no more: who does not hear it is gone already.
      client?.end().catch(() => undefined)
    }
  }

  #lose(error: unknown): void {
    // Somebody else was answered meanwhile.
    if (this.#isLost || this.#silentMs < DOUBT_MS) return
    this.#isLost = true
    this.#log.warn({ err: error }, 'The database does not answer; what needs it is refused until it does.')
    for (const socket of this.#sockets) socket.destroy()
  }
}

/** Whoever refuses is there, but for one that says that it is stopping or starting. */
function isAnswer(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith('57P0') !== true
}
