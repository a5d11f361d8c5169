/** Saves what changed, in batches, one at a time. When the database is away it keeps what waits and goes on when it is back. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Deps } from '#backend/platform/deps.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { LiveCredential, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { ATTEMPTS_KEPT, type Attempts, type Noted } from './attempts.ts'
import { Backlog } from './backlog.ts'
import {
  type AttemptRow,
  type PlayersColumns,
  insertAttempts,
  presenceBatch,
  touchCredentials,
  touchPresence,
  updatePlayers,
  upsertPresence,
} from './masterlist.writes.ts'
import { isShown, playersOf, presenceOf } from './presence-row.ts'

export const MOST_IN_ONE_BATCH = 5000
/** How often the times of unchanged servers are written: what a crash may lose of "last announced at". */
const SLOW_LANE_MS = 300_000
/** How long changes wait that no reader of the list sees. */
const QUIET_LANE_MS = 1000
/** After a failure the next try waits, so that a database that is coming back is not run over. */
const RETRY_MS = 1000
/** Tries at the last flush; the program is given 20 s to end. */
const LAST_TRIES = 5
const TRIES_IF_DELETED = 6
const FOREIGN_KEY_VIOLATION = '23503'

/** The other nodes that write to the same database. */
interface Others {
  /** They are to know of what was saved. */
  saved(publicIds: readonly string[]): void
  /** What they wrote is newer, as far as they did, than what was to be saved of these. */
  lost(publicIds: readonly string[]): Promise<void>
  /** Attempts to announce that were saved. */
  attempted(attempts: readonly AttemptRow[]): void
}

export class Writer {
  readonly #deps: Pick<Deps, 'db' | 'pulse' | 'bus' | 'clock' | 'log'>
  readonly #registry: Registry
  readonly #attempts: Attempts
  readonly #others: Others
  #running: Promise<void> | undefined
  /** Of the live states that wait to be saved. */
  readonly backlog: Backlog
  #slowLaneAt: number
  #flushedAt = 0
  #retryAt = 0
  #hasFailed = false
  /** Wall milliseconds of what the slow lane wrote last. */
  #touchedUpTo: number

  constructor(deps: Pick<Deps, 'db' | 'pulse' | 'bus' | 'clock' | 'log'>, registry: Registry, attempts: Attempts, others: Others) {
    this.#deps = deps
    this.#registry = registry
    this.#attempts = attempts
    this.#others = others
    this.backlog = new Backlog(deps.clock, () => this.#running === undefined && registry.unsaved.size === 0)
    this.#slowLaneAt = deps.clock.uptime() + SLOW_LANE_MS
    this.#touchedUpTo = deps.clock.now()
    // Whoever finds a gap after an outage has just heard the database again, mostly sooner than the next try here would be.
    deps.bus.onGap(async () => this.#retryNow())
  }

  /** How many changes wait for the database. */
  get pending(): number {
    return this.#registry.unsaved.size + this.#attempts.pending
  }

  /**
   * Saves what has changed up to now. Resolves when it is saved or has failed (then it stays for the next call); where an earlier
   * flush still runs, resolves with that one.
   */
  flush(): Promise<void> {
    if (this.#running !== undefined) return this.#running
    const uptime = this.#deps.clock.uptime()
    const isSlowLaneDue = uptime >= this.#slowLaneAt
    if ((this.pending === 0 && !isSlowLaneDue) || uptime < this.#retryAt) return Promise.resolve()
    this.#flushedAt = uptime
    this.#running = this.#write(isSlowLaneDue).finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** Whether something waits that no publish brings along: hidden servers, attempts. Those are not urgent. */
  get isDue(): boolean {
    const uptime = this.#deps.clock.uptime()
    return (this.pending > 0 && uptime >= this.#flushedAt + QUIET_LANE_MS) || uptime >= this.#slowLaneAt
  }

  /** Resolves when no flush is under way. */
  async idle(): Promise<void> {
    await this.#running
  }

  /** The last flush of this process: everything, the slow lane too. */
  async finish(): Promise<void> {
    await this.#running
    for (let tries = 1; tries <= LAST_TRIES; tries += 1) {
      this.#retryAt = 0
      this.#slowLaneAt = 0
      await this.flush()
      if (!this.#hasFailed) return
      await sleep(RETRY_MS)
    }
    this.#deps.log.error(
      { changes: this.pending },
      'The database did not come back in time: the newest live states and attempts are not saved.',
    )
  }

  async #write(withSlowLane: boolean): Promise<void> {
    const began = this.#deps.clock.uptime()
    const { players, whole } = this.#registry.unsaved.take()
    // Before anything is waited for: what is announced or shown meanwhile is no part of what follows on what was shown until now.
    const followOns = Array.from(batches(players.filter(isShown)), (servers) => playersOf(servers, this.#deps.clock.now()))
    const toSave = [...whole, ...players.filter((server) => !isShown(server))]
    const attempts = [...this.#attempts.take((server) => this.#isKnown(server))]
    try {
      for (const columns of followOns) toSave.push(...(await this.#savePlayers(columns)))
      for (const batch of batches(toSave)) await this.#savePresence(batch)
      this.backlog.done(began)
      if (withSlowLane) await this.#touch()
      while (attempts.length > 0) await this.#saveAttempts(attempts)
      this.#attempts.settle([])
      if (this.#hasFailed) this.#deps.log.info('The master list saves its changes again.')
      this.#hasFailed = false
    } catch (error) {
      for (const server of [...players, ...whole]) if (this.#isKnown(server)) this.#registry.unsaved.add(server)
      this.#attempts.settle(attempts)
      this.#retryAt = this.#deps.clock.uptime() + RETRY_MS
      if (!this.#hasFailed) this.#deps.log.warn({ err: error }, 'The master list can not save its changes; it keeps them and tries again.')
      this.#hasFailed = true
    }
  }

  /** Answers those that have to be saved whole: the database holds something else of them than what was shown last. */
  async #savePlayers(columns: PlayersColumns): Promise<readonly ServerRecord[]> {
    const unwritten = new Set(await updatePlayers(this.#deps.db, columns))
    this.#others.saved(columns.ids.filter((publicId) => !unwritten.has(publicId)))
    return [...unwritten].flatMap((publicId) => this.#registry.get(publicId) ?? [])
  }

  async #savePresence(servers: readonly ServerRecord[]): Promise<void> {
    const unwritten = new Set(
      await againIfDeleted(() => upsertPresence(this.#deps.db, presenceBatch(servers.flatMap((server) => presenceOf(server))))),
    )
    this.#others.saved(servers.map((server) => server.publicId).filter((publicId) => !unwritten.has(publicId)))
    const left = servers.filter((server) => unwritten.has(server.publicId) && this.#isKnown(server))
    if (left.length === 0) return
    // Until something newer is learned: one that is not there yet, or changes hands at this moment, is tried again.
    for (const server of left) this.#registry.unsaved.add(server)
    await this.#others.lost(left.map((server) => server.publicId))
  }

  /** Writes the first batch and takes it off the list. */
  async #saveAttempts(attempts: Noted[]): Promise<void> {
    try {
      await againIfDeleted(() => insertAttempts(this.#deps.db, attempts.slice(0, MOST_IN_ONE_BATCH), ATTEMPTS_KEPT))
      this.#others.attempted(attempts.slice(0, MOST_IN_ONE_BATCH))
    } catch (error) {
      // A row that the database can not hold would come back for ever and keep everything behind it from being saved.
      if (!(error instanceof pg.DatabaseError && error.code?.startsWith('22') === true)) throw error
      this.#deps.log.error({ err: error }, 'Announce attempts that the database can not hold were dropped.')
    }
    attempts.splice(0, MOST_IN_ONE_BATCH)
  }

  async #touch(): Promise<void> {
    const from = this.#touchedUpTo
    const upTo = this.#deps.clock.now()
    // Here: what other nodes heard they write.
    const isHeard = ({ lastUsedAt }: LiveCredential) => lastUsedAt >= from
    const seen = [...this.#registry.all()].filter((server) => server.credentials.some(isHeard))
    for (const batch of batches(seen)) {
      await touchPresence(
        this.#deps.db,
        batch.map((server) => ({ serverId: server.publicId, lastAnnounceAt: server.lastAnnounceAt })),
      )
    }
    const used = [...this.#registry.all()].flatMap((server) =>
      server.credentials.flatMap(({ id, lastUsedAt }) => (lastUsedAt >= from ? [{ credentialId: id, lastUsedAt }] : [])),
    )
    for (const batch of batches(used)) await touchCredentials(this.#deps.db, batch)
    // Only now: what failed is tried again with all that it held.
    this.#touchedUpTo = upTo
    this.#slowLaneAt = this.#deps.clock.uptime() + SLOW_LANE_MS
  }

  /** The database is said to be there: what waits is due, unless it would still be refused unasked, and wait anew for that. */
  #retryNow(): void {
    if (this.#deps.pulse.isLost) return
    this.#retryAt = 0
    this.#flushedAt = 0
  }

  #isKnown(server: ServerRecord): boolean {
    return this.#registry.get(server.publicId) === server
  }
}

/**
 * A server may be deleted between the look at it and the check of the reference to it; the next look does not find it. Where many are
 * deleted at once, the next look may meet the next of them.
 */
async function againIfDeleted<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write()
    } catch (error) {
      const isDeleted = error instanceof pg.DatabaseError && error.code === FOREIGN_KEY_VIOLATION
      if (!isDeleted || tries >= TRIES_IF_DELETED) throw error
    }
  }
}

function* batches<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += MOST_IN_ONE_BATCH) yield all.slice(from, from + MOST_IN_ONE_BATCH)
}
