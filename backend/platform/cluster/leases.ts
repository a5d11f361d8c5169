/**
 * Leases for work that only one node at a time may do: rows that expire by the database's clock. The holder stops early, by both of its clocks:
 * the monotonic one stands still while the machine is suspended, and the wall clock may be set back. Two nodes can still overlap (a call in
 * flight, a paused process, a clock not yet corrected), so work under a lease must tolerate that.
 */
import { sql } from 'kysely'
import { readClocks } from '#backend/platform/clock.ts'
import type { Deps } from '#backend/platform/deps.ts'

/** After the holder is killed, no node acts for this long. */
const DURATION_SECONDS = 15
/** The holder can fail to renew it three times. */
const RENEW_MS = 3000
/** The holder stops this long before the end, because work in flight takes time. */
const MARGIN_MS = 3000

type LeaseDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'bus' | 'databaseHealth'>

/** One moment on the monotonic clock and on the wall clock. */
type Moment = Readonly<ReturnType<typeof readClocks>>
/** Whole numbers: an infinity would make the engine allocate two more objects per announce. */
const NEVER: Moment = { uptime: 0, now: 0 }

export class Lease {
  readonly #deps: LeaseDeps
  readonly #name: string
  #heldUntil: Moment = NEVER
  #term = 0
  #renewal: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(deps: LeaseDeps, name: string) {
    this.#deps = deps
    this.#name = name
  }

  /** Whether this node may act now. A single node always may. */
  get isHeld(): boolean {
    const { bus, clock } = this.#deps
    return !this.#isClosed && (bus.isSingleNode || (clock.uptime() < this.#heldUntil.uptime && clock.now() < this.#heldUntil.now))
  }

  /** Counts how often this node got the lease. Between two terms another node may have acted. */
  get term(): number {
    return this.#term
  }

  /** Resolves after the first attempt to acquire the lease; attempts continue. */
  async start(): Promise<void> {
    if (this.#deps.bus.isSingleNode) return
    this.#timer = setInterval(() => void this.#tick(), RENEW_MS).unref()
    await this.#tick()
  }

  /** Releases the lease. Work under it must have ended before. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#renewal
    const { db, bus, log, databaseHealth } = this.#deps
    const wasHeld = !bus.isSingleNode && this.isHeld
    this.#isClosed = true
    if (!wasHeld || databaseHealth.isLost) return
    await db
      .deleteFrom('leases')
      .where('name', '=', this.#name)
      .where('owner_node_id', '=', bus.node)
      .execute()
      .catch((error: unknown) => log.info({ err: error, lease: this.#name }, 'lease release failed'))
  }

  #tick(): Promise<void> {
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined
    })
    return this.#renewal
  }

  async #renew(): Promise<void> {
    const { db, bus, clock, log, databaseHealth } = this.#deps
    // Read before the database's clock, so that this node stops first.
    const from = readClocks(clock)
    if (databaseHealth.isLost) return
    const expiresAt = sql<Date>`now() + make_interval(secs => ${DURATION_SECONDS})`
    try {
      const acquired = await db
        .insertInto('leases')
        .values({ name: this.#name, owner_node_id: bus.node, expires_at: expiresAt })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ owner_node_id: bus.node, expires_at: expiresAt })
            .where((row) => row.or([row('leases.expires_at', '<', sql<Date>`now()`), row('leases.owner_node_id', '=', bus.node)])),
        )
        .returning('name')
        .executeTakeFirst()
      if (acquired !== undefined && !this.isHeld) this.#term += 1
      const durationMs = DURATION_SECONDS * 1000 - MARGIN_MS
      this.#heldUntil = acquired === undefined ? NEVER : { uptime: from.uptime + durationMs, now: from.now + durationMs }
    } catch (error) {
      // A lease that this node holds stays valid until its end.
      log.debug({ err: error, lease: this.#name }, 'lease renewal failed, will retry')
    }
  }
}
