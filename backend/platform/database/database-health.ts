/**
 * Monitors whether the database answers. If it silently disappears (lost network, hung machine), every query would wait for a timeout. So if
 * queries wait and nothing answers, a separate connection probes it. After a failed probe, waiting queries fail and new ones are rejected until the
 * database answers again. Time is counted in ticks, so that a pause of this process does not count.
 */
import { Socket } from 'node:net'
import pg from 'pg'
import type { Log } from '#backend/platform/log.ts'
import type { FailureKind } from './failure.ts'
import { OutageLog } from '#backend/platform/outage-log.ts'

const TICK_MS = 250
/** Time without a response before a probe, while a query waits or after a lost connection. */
const PROBE_AFTER_MS = 1000
/** The same while idle. Longer, because each probe is a new connection. */
const IDLE_PROBE_AFTER_MS = 5000
/** An outage of a kind is over this long after its last failure. */
const OUTAGE_OVER_MS = 60_000
/** Detection and probe together stay below the three seconds in which every call is answered. */
const PROBE_TIMEOUT_TICKS = 5

/** The pool's connections, and how many queries wait for one. */
export interface PoolUse {
  readonly idle: number
  /** In use or connecting. */
  readonly used: number
  readonly waiting: number
  readonly max: number
}

export class DatabaseHealth {
  readonly #config: pg.ClientConfig
  readonly #log: Log
  readonly pool: () => PoolUse
  /** All sockets of the pool, including connecting ones. */
  readonly #sockets = new Set<Socket>()
  readonly #timer: NodeJS.Timeout
  #sinceResponseMs = 0
  #waitingMs = 0
  #hasFailed = false
  readonly #loss: OutageLog
  readonly #failures = new Map<FailureKind, number>()
  readonly #outages = new Map<FailureKind, OutageLog>()
  #probe: { readonly socket: Socket; ticks: number } | undefined

  constructor(config: pg.ClientConfig, log: Log, pool: () => PoolUse) {
    this.#config = config
    this.#log = log
    this.pool = pool
    this.#loss = new OutageLog({ log, begin: 'database unavailable, rejecting queries', end: 'database available again' })
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref()
  }

  /** Whether the database does not answer, so that queries are rejected. */
  get isLost(): boolean {
    return this.#loss.isFailing
  }

  /** Milliseconds since the last response; a few seconds in an idle program. */
  get lastResponseAgeMs(): number {
    return this.#sinceResponseMs
  }

  /** Failed statements and connections since the start, by kind. */
  get failures(): ReadonlyMap<FailureKind, number> {
    return this.#failures
  }

  /** Counts a failure, and logs the first of an outage with its stack. */
  countFailure(kind: FailureKind, error: Error): void {
    this.#failures.set(kind, (this.#failures.get(kind) ?? 0) + 1)
    const outage = this.#outages.get(kind) ?? this.#outageOf(kind)
    this.#outages.set(kind, outage)
    outage.failed({ err: error, stack: error.stack })
  }

  #outageOf(kind: FailureKind): OutageLog {
    const texts = { begin: 'database failed', end: 'database no longer fails' }
    return new OutageLog({ log: this.#log, ...texts, fields: { kind }, quietMs: OUTAGE_OVER_MS })
  }

  openSocket(): Socket {
    const socket = new Socket()
    this.#sockets.add(socket)
    return socket.once('close', () => this.#sockets.delete(socket))
  }

  markAnswered(): void {
    this.#sinceResponseMs = 0
    this.#waitingMs = 0
    this.#hasFailed = false
    this.#loss.succeeded()
  }

  markFailed(): void {
    this.#hasFailed = true
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#probe?.socket.destroy()
  }

  #tick(): void {
    this.#sinceResponseMs += TICK_MS
    this.#waitingMs = this.#hasFailed || this.pool().used > 0 || this.pool().waiting > 0 ? this.#waitingMs + TICK_MS : 0
    if (this.#probe !== undefined) {
      this.#probe.ticks += 1
      if (this.#probe.ticks > PROBE_TIMEOUT_TICKS) this.#probe.socket.destroy()
    } else if (this.isLost || this.#waitingMs >= PROBE_AFTER_MS || this.#sinceResponseMs >= IDLE_PROBE_AFTER_MS) void this.#runProbe()
  }

  /** Uses a new connection, to check that the database accepts one. */
  async #runProbe(): Promise<void> {
    const socket = new Socket()
    this.#probe = { socket, ticks: 0 }
    let client: pg.Client | undefined
    try {
      client = new pg.Client({ ...this.#config, stream: () => socket, application_name: 'muster health check' })
      client.on('error', () => undefined)
      await client.connect()
      await client.query('select 1')
      this.markAnswered()
    } catch (error) {
      if (isAnswer(error)) this.markAnswered()
      else this.#markLost(error)
    } finally {
      this.#probe = undefined
      client?.end().catch(() => undefined)
    }
  }

  #markLost(error: unknown): void {
    // Another connection got an answer in the meantime.
    if (this.#sinceResponseMs < PROBE_AFTER_MS || !this.#loss.failed({ err: error })) return
    for (const socket of this.#sockets) socket.destroy()
  }
}

/** A database that rejects the connection is available, unless it is starting or stopping. */
function isAnswer(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith('57P0') !== true
}
