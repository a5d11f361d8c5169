/**
 * Work that only one node at a time may do. A lease is a row with an end by the database's clock. Its holder stops some time before the end by
 * both of its clocks: the one that does not jump stops while its machine is suspended, and the wall clock may be put back. An overlap is still
 * possible (a call under way, a process that stood still, a clock not yet corrected), so what runs under a lease must tolerate one.
 */
import { sql } from 'kysely'
import type { Deps } from '#backend/platform/deps.ts'

/** After its holder is killed, nobody acts for so long. */
const LASTS_SECONDS = 15
const RENEW_MS = 5000
/** The holder stops so long before the end: what is under way takes time, too. */
const MARGIN_MS = 3000
const BEAT_MS = 1000

type LeaseDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'bus' | 'databaseHealth'>

/** On the clock that does not jump, and on the wall clock. */
interface Moment {
  readonly uptime: number
  readonly now: number
}
/** Whole numbers: with an infinity among them, the engine would make two more objects for each announce. */
const NEVER: Moment = { uptime: 0, now: 0 }

export class Lease {
  readonly #deps: LeaseDeps
  readonly #name: string
  #actsUntil: Moment = NEVER
  #askedAt = -Infinity
  #asking: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(deps: LeaseDeps, name: string) {
    this.#deps = deps
    this.#name = name
  }

  /** Whether this node may act now. A node that is alone always may. */
  get isHeld(): boolean {
    const { bus, clock } = this.#deps
    return !this.#isClosed && (bus.isSingleNode || (clock.uptime() < this.#actsUntil.uptime && clock.now() < this.#actsUntil.now))
  }

  /** Resolves after the first try; it goes on trying. */
  async start(): Promise<void> {
    if (this.#deps.bus.isSingleNode) return
    this.#timer = setInterval(() => void this.#beat(), BEAT_MS).unref()
    await this.#beat()
  }

  /** Releases it. What ran under it must be over by then. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#asking
    const { db, bus, log, databaseHealth } = this.#deps
    const wasHeld = !bus.isSingleNode && this.isHeld
    this.#isClosed = true
    if (!wasHeld || databaseHealth.isLost) return
    await db
      .deleteFrom('leases')
      .where('name', '=', this.#name)
      .where('holder', '=', bus.node)
      .execute()
      .catch((error: unknown) => log.info({ err: error, lease: this.#name }, 'A lease could not be given back.'))
  }

  #beat(): Promise<void> {
    this.#asking ??= this.#renew().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async #renew(): Promise<void> {
    const { db, bus, clock, log, databaseHealth } = this.#deps
    // Before the database counts, so that this node stops first.
    const from = { uptime: clock.uptime(), now: clock.now() }
    if (from.uptime - this.#askedAt < RENEW_MS || databaseHealth.isLost) return
    this.#askedAt = from.uptime
    const until = sql<Date>`now() + make_interval(secs => ${LASTS_SECONDS})`
    try {
      const taken = await db
        .insertInto('leases')
        .values({ name: this.#name, holder: bus.node, until })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ holder: bus.node, until })
            .where((row) => row.or([row('leases.until', '<', sql<Date>`now()`), row('leases.holder', '=', bus.node)])),
        )
        .returning('name')
        .executeTakeFirst()
      const lasts = LASTS_SECONDS * 1000 - MARGIN_MS
      this.#actsUntil = taken === undefined ? NEVER : { uptime: from.uptime + lasts, now: from.now + lasts }
    } catch (error) {
      // Tried again soon; a lease that is held stays so until its end.
      this.#askedAt = from.uptime - RENEW_MS + BEAT_MS
      log.debug({ err: error, lease: this.#name }, 'A lease could not be asked for.')
    }
  }
}
