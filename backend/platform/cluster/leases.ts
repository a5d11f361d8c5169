/**
 * Who does what only one of the nodes may do. A lease is a row with an end; the database's clock decides who has it. Its holder stops
 * acting some time before the end, by both of its clocks: the one that does not jump stands still while its machine is suspended, and
 * the wall clock may be put back. Whatever keeps him from renewing, the next one begins only when he has stopped. An overlap is none the
 * less possible for what was begun before (a call under way, a process that stood still) and for the moment in which a machine that was
 * suspended has not been told the time yet, so what runs under a lease must bear one.
 */
import { sql } from 'kysely'
import type { Deps } from '#backend/platform/deps.ts'

/** How long it lasts unless it is renewed, and so how long nobody acts after its holder was killed. */
const LASTS_SECONDS = 15
const RENEW_MS = 5000
/** So long before its end the holder acts no more: what he has under way takes its time, too. */
const MARGIN_MS = 3000
/** How often it is looked whether it is time to renew. */
const BEAT_MS = 1000

interface Moment {
  readonly uptime: number
  readonly now: number
}
/** Whole numbers, for all moments are one shape to the engine: with one infinity among them each announce's would be two objects more. */
const NEVER: Moment = { uptime: 0, now: 0 }

export class Lease {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log' | 'bus' | 'pulse'>
  readonly #name: string
  /** On the clock that does not jump, and on the wall. */
  #actsUntil: Moment = NEVER
  #askedAt = -Infinity
  #asking: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log' | 'bus' | 'pulse'>, name: string) {
    this.#deps = deps
    this.#name = name
  }

  /** Whether this node may act now. A node that is alone by its nature always may. */
  get isHeld(): boolean {
    const { bus, clock } = this.#deps
    return !this.#isClosed && (bus.isAlone || (clock.uptime() < this.#actsUntil.uptime && clock.now() < this.#actsUntil.now))
  }

  /** Tries to have it from now on. Resolves after the first try. */
  async start(): Promise<void> {
    if (this.#deps.bus.isAlone) return
    this.#timer = setInterval(() => void this.#beat(), BEAT_MS).unref()
    await this.#beat()
  }

  /** Gives it back. What ran under it is over by then. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#asking
    const { db, bus, log, pulse } = this.#deps
    const wasHeld = !bus.isAlone && this.isHeld
    this.#isClosed = true
    if (!wasHeld || pulse.isLost) return
    await db
      .deleteFrom('leases')
      .where('name', '=', this.#name)
      .where('holder', '=', bus.node)
      .execute()
      // It ends by itself.
      .catch((error: unknown) => log.info({ err: error, lease: this.#name }, 'A lease could not be given back.'))
  }

  async #beat(): Promise<void> {
    const { clock } = this.#deps
    const uptime = clock.uptime()
    if (this.#asking !== undefined || uptime - this.#askedAt < RENEW_MS || this.#deps.pulse.isLost) return
    this.#askedAt = uptime
    this.#asking = this.#ask({ uptime, now: clock.now() }).finally(() => {
      this.#asking = undefined
    })
    await this.#asking
  }

  /** @param from before it is asked: the database counts from later on. */
  async #ask(from: Moment): Promise<void> {
    const { db, bus, log } = this.#deps
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
      // Somebody else's: also where this node thought that it had it.
      const lasts = LASTS_SECONDS * 1000 - MARGIN_MS
      this.#actsUntil = taken === undefined ? NEVER : { uptime: from.uptime + lasts, now: from.now + lasts }
    } catch (error) {
      // Asked again soon; what is held is held until its end.
      this.#askedAt = from.uptime - RENEW_MS + BEAT_MS
      log.debug({ err: error, lease: this.#name }, 'A lease could not be asked for.')
    }
  }
}
