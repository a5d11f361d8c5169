/** Saves changes in batches, one at a time, and keeps them while the database is unavailable. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Deps } from '#backend/platform/deps.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { LiveCredential, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { ATTEMPTS_KEPT, type Attempts } from './attempts.ts'
import { LagTracker } from './lag-tracker.ts'
import {
  type ServerAttempt,
  insertAttempts,
  presenceBatch,
  touchCredentials,
  touchPresence,
  updatePlayers,
  upsertPresence,
} from './masterlist.writes.ts'
import { type PlayersColumns, isPublished, playersColumnsOf, presenceOf } from './presence-row.ts'
import type { PresenceSync } from './presence-sync.ts'

export const MAX_BATCH = 5000
/** How often times of unchanged servers are written: what a crash may lose of "last announced at". */
const SLOW_LANE_MS = 300_000
/** How long changes wait that are not on the list. */
const QUIET_LANE_MS = 1000
const RETRY_MS = 1000
/** The process has 20 s to stop. */
const LAST_TRIES = 5
const TRIES_IF_DELETED = 6
const FOREIGN_KEY_VIOLATION = '23503'

type Needs = Pick<Deps, 'db' | 'databaseHealth' | 'bus' | 'clock' | 'log'>
type Others = Pick<PresenceSync, 'publishSaved' | 'mergeNewer' | 'publishRejections'>

export class Writer {
  readonly #deps: Needs
  readonly #registry: Registry
  readonly #attempts: Attempts
  readonly #others: Others
  #running: Promise<void> | undefined
  readonly lag: LagTracker
  #slowLaneAt: number
  #flushedAt = 0
  #retryAt = 0
  #hasFailed = false
  /** Up to when times were written, wall milliseconds. */
  #touchedUpTo: number

  constructor(deps: Needs, registry: Registry, attempts: Attempts, others: Others) {
    this.#deps = deps
    this.#registry = registry
    this.#attempts = attempts
    this.#others = others
    this.lag = new LagTracker(deps.clock, () => this.#running === undefined && registry.unsaved.size === 0)
    this.#slowLaneAt = deps.clock.uptime() + SLOW_LANE_MS
    this.#touchedUpTo = deps.clock.now()
    // After a gap the database is mostly available before the next try.
    deps.bus.onGap(async () => {
      if (deps.databaseHealth.isLost) return
      this.#retryAt = 0
      this.#flushedAt = 0
    })
  }

  get pending(): number {
    return this.#registry.unsaved.size + this.#attempts.pending
  }

  /** Saves what has changed, or joins a running flush. What fails stays for the next call. */
  flush(): Promise<void> {
    if (this.#running !== undefined) return this.#running
    const uptime = this.#deps.clock.uptime()
    if ((this.pending === 0 && uptime < this.#slowLaneAt) || uptime < this.#retryAt) return Promise.resolve()
    this.#flushedAt = uptime
    this.#running = this.#write(uptime).finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** Whether changes are due that no tick saves: hidden servers, attempts, times. */
  get isDue(): boolean {
    const uptime = this.#deps.clock.uptime()
    return (this.pending > 0 && uptime >= this.#flushedAt + QUIET_LANE_MS) || uptime >= this.#slowLaneAt
  }

  async idle(): Promise<void> {
    await this.#running
  }

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

  async #write(began: number): Promise<void> {
    const { players, whole } = this.#registry.unsaved.drain()
    // Before the first await: they are written only where the stored row is still the one shown now (docs/decisions/0034).
    const playersOnly = Array.from(batches(players.filter(isPublished)), (servers) => playersColumnsOf(servers, this.#deps.clock.now()))
    const toSave = [...whole, ...players.filter((server) => !isPublished(server))]
    const attempts = [...this.#attempts.drain((server) => this.#isKnown(server))]
    try {
      for (const columns of playersOnly) toSave.push(...(await this.#savePlayers(columns)))
      for (const batch of batches(toSave)) await this.#savePresence(batch)
      this.lag.caughtUpTo(began)
      if (began >= this.#slowLaneAt) await this.#touch()
      while (attempts.length > 0) await this.#saveAttempts(attempts)
      this.#attempts.settle([])
      if (this.#hasFailed) this.#deps.log.info('The master list saves its changes again.')
      this.#hasFailed = false
    } catch (error) {
      // Whole: the stored row may be older than the one that was to be replaced.
      for (const server of [...players, ...whole]) if (this.#isKnown(server)) this.#registry.unsaved.add(server)
      this.#attempts.settle(attempts)
      this.#retryAt = this.#deps.clock.uptime() + RETRY_MS
      if (!this.#hasFailed) this.#deps.log.warn({ err: error }, 'The master list can not save its changes; it keeps them and tries again.')
      this.#hasFailed = true
    }
  }

  /** Returns those that must be saved whole, because the database has another row than the published one. */
  async #savePlayers(columns: PlayersColumns): Promise<readonly ServerRecord[]> {
    const unwritten = new Set(await updatePlayers(this.#deps.db, columns))
    this.#others.publishSaved(columns.ids.filter((publicId) => !unwritten.has(publicId)))
    return [...unwritten].flatMap((publicId) => this.#registry.get(publicId) ?? [])
  }

  async #savePresence(servers: readonly ServerRecord[]): Promise<void> {
    const unwritten = new Set(
      await retryIfDeleted(() => upsertPresence(this.#deps.db, presenceBatch(servers.flatMap((server) => presenceOf(server) ?? [])))),
    )
    this.#others.publishSaved(servers.map((server) => server.publicId).filter((publicId) => !unwritten.has(publicId)))
    const left = servers.filter((server) => unwritten.has(server.publicId) && this.#isKnown(server))
    if (left.length === 0) return
    // Tried again until something newer is merged: the server may be new or change hands at this moment.
    for (const server of left) this.#registry.unsaved.add(server)
    await this.#others.mergeNewer(left.map((server) => server.publicId))
  }

  /** Writes the first batch and removes it from the list. */
  async #saveAttempts(attempts: ServerAttempt[]): Promise<void> {
    try {
      await retryIfDeleted(() => insertAttempts(this.#deps.db, attempts.slice(0, MAX_BATCH), ATTEMPTS_KEPT))
      this.#others.publishRejections(attempts.slice(0, MAX_BATCH))
    } catch (error) {
      // A row that the database can't hold would block all others forever.
      if (!(error instanceof pg.DatabaseError && error.code?.startsWith('22') === true)) throw error
      this.#deps.log.error({ err: error }, 'Announce attempts that the database can not hold were dropped.')
    }
    attempts.splice(0, MAX_BATCH)
  }

  async #touch(): Promise<void> {
    const from = this.#touchedUpTo
    const upTo = this.#deps.clock.now()
    // Other nodes write what they heard.
    const isHeard = ({ lastUsedAt }: LiveCredential) => lastUsedAt >= from
    const servers = [...this.#registry.all()].filter((server) => server.credentials.some(isHeard))
    const credentials = servers.flatMap((server) => server.credentials.filter(isHeard))
    for (const batch of batches(servers)) await touchPresence(this.#deps.db, batch)
    for (const batch of batches(credentials)) await touchCredentials(this.#deps.db, batch)
    // After a failure all of it is written again.
    this.#touchedUpTo = upTo
    this.#slowLaneAt = this.#deps.clock.uptime() + SLOW_LANE_MS
  }

  #isKnown(server: ServerRecord): boolean {
    return this.#registry.get(server.publicId) === server
  }
}

/** Retries a write that a concurrently deleted server broke; where many are deleted, the next try may meet another. */
async function retryIfDeleted<T>(write: () => Promise<T>): Promise<T> {
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
  for (let from = 0; from < all.length; from += MAX_BATCH) yield all.slice(from, from + MAX_BATCH)
}
