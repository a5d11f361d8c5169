/** Saves changes in batches, one batch at a time, and keeps them while the database is unavailable. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Deps } from '#backend/platform/deps.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { LiveCredential, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { MAX_ATTEMPTS_PER_SERVER, type Attempts } from './attempts.ts'
import { LagTracker } from './lag-tracker.ts'
import { type ServerAttempt, insertAttempts, presenceBatch, touchCredentials, touchPresence, upsertPresence } from './masterlist.writes.ts'
import { presenceOf } from './presence-row.ts'
import type { PresenceSync } from './presence-sync.ts'
import { OutageLog } from '#backend/platform/outage-log.ts'

export const MAX_BATCH = 5000
/** Interval for saving the times of unchanged servers. A crash loses at most this much of "last announced at". */
const TIMES_INTERVAL_MS = 300_000
/** How long changes that the list doesn't show wait. */
const LOW_PRIORITY_DELAY_MS = 1000
const RETRY_MS = 1000
/** The process has 20 s to stop. */
const SHUTDOWN_ATTEMPTS = 5
const MAX_ATTEMPTS_IF_DELETED = 6
const FOREIGN_KEY_VIOLATION = '23503'

type WriterDeps = Pick<Deps, 'db' | 'databaseHealth' | 'bus' | 'clock' | 'log'>
type Peers = Pick<PresenceSync, 'publishSaved' | 'mergeNewer' | 'publishRejections'>

export class Writer {
  readonly #deps: WriterDeps
  readonly #registry: Registry
  readonly #attempts: Attempts
  readonly #peers: Peers
  #running: Promise<void> | undefined
  readonly lag: LagTracker
  #timesDueAt: number
  #flushedAt = 0
  #retryAt = 0
  readonly #outage: OutageLog
  /** Times up to this one are saved; wall milliseconds. */
  #timesSavedUpTo: number

  constructor(deps: WriterDeps, registry: Registry, attempts: Attempts, peers: Peers) {
    this.#deps = deps
    this.#registry = registry
    this.#attempts = attempts
    this.#peers = peers
    this.#outage = new OutageLog({
      log: deps.log,
      level: 'warn',
      begin: 'saving failed, changes are kept and retried',
      end: 'saving works again',
    })
    this.lag = new LagTracker(deps.clock, () => this.#running === undefined && registry.unsaved.size === 0)
    this.#timesDueAt = deps.clock.uptime() + TIMES_INTERVAL_MS
    this.#timesSavedUpTo = deps.clock.now()
    // After a gap the database is usually back before the next retry.
    deps.bus.onGap(async () => {
      if (deps.databaseHealth.isLost) return
      this.#retryAt = 0
      this.#flushedAt = 0
    })
  }

  /** Whether the last save failed. Its changes wait for the next. */
  get isFailing(): boolean {
    return this.#outage.isFailing
  }

  get pending(): number {
    return this.#registry.unsaved.size + this.#attempts.pending
  }

  /** Saves what has changed, or joins a running flush. Failed changes stay for the next call. */
  flush(): Promise<void> {
    if (this.#running !== undefined) return this.#running
    const uptime = this.#deps.clock.uptime()
    if ((this.pending === 0 && uptime < this.#timesDueAt) || uptime < this.#retryAt) return Promise.resolve()
    this.#flushedAt = uptime
    this.#running = this.#write(uptime).finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** Whether changes are due that no tick saves: unlisted servers, attempts, times. */
  get isDue(): boolean {
    const uptime = this.#deps.clock.uptime()
    return (this.pending > 0 && uptime >= this.#flushedAt + LOW_PRIORITY_DELAY_MS) || uptime >= this.#timesDueAt
  }

  async idle(): Promise<void> {
    await this.#running
  }

  async finish(): Promise<void> {
    await this.#running
    for (let attempt = 1; attempt <= SHUTDOWN_ATTEMPTS; attempt += 1) {
      this.#retryAt = 0
      this.#timesDueAt = 0
      await this.flush()
      if (!this.#outage.isFailing) return
      await sleep(RETRY_MS)
    }
    this.#deps.log.error({ unsaved_changes: this.pending }, 'database did not return in time, newest live states and attempts are lost')
  }

  async #write(began: number): Promise<void> {
    const toSave = [...this.#registry.unsaved]
    this.#registry.unsaved.clear()
    const attempts = [...this.#attempts.drain((server) => this.#isKnown(server))]
    try {
      for (const batch of batches(toSave)) await this.#savePresence(batch)
      this.lag.markProcessedUpTo(began)
      if (began >= this.#timesDueAt) await this.#saveTimes()
      while (attempts.length > 0) await this.#saveAttempts(attempts)
      this.#attempts.finishSave([])
      this.#outage.succeeded()
    } catch (error) {
      for (const server of toSave) if (this.#isKnown(server)) this.#registry.unsaved.add(server)
      this.#attempts.finishSave(attempts)
      this.#retryAt = this.#deps.clock.uptime() + RETRY_MS
      this.#outage.failed({ err: error })
    }
  }

  async #savePresence(servers: readonly ServerRecord[]): Promise<void> {
    const unwritten = new Set(
      await retryIfDeleted(() => upsertPresence(this.#deps.db, presenceBatch(servers.flatMap((server) => presenceOf(server) ?? [])))),
    )
    this.#peers.publishSaved(servers.map((server) => server.publicId).filter((publicId) => !unwritten.has(publicId)))
    const unsaved = servers.filter((server) => unwritten.has(server.publicId) && this.#isKnown(server))
    if (unsaved.length === 0) return
    // Retried until a newer state is merged: the server may be new or in transfer right now.
    for (const server of unsaved) this.#registry.unsaved.add(server)
    await this.#peers.mergeNewer(unsaved.map((server) => server.publicId))
  }

  /** Writes the first batch and removes it from the list. */
  async #saveAttempts(attempts: ServerAttempt[]): Promise<void> {
    try {
      await retryIfDeleted(() => insertAttempts(this.#deps.db, attempts.slice(0, MAX_BATCH), MAX_ATTEMPTS_PER_SERVER))
      this.#peers.publishRejections(attempts.slice(0, MAX_BATCH))
    } catch (error) {
      // A row that the database can't store would block all others forever.
      if (!(error instanceof pg.DatabaseError && error.code?.startsWith('22') === true)) throw error
      this.#deps.log.error({ err: error }, 'dropped announce attempts that the database cannot store')
    }
    attempts.splice(0, MAX_BATCH)
  }

  async #saveTimes(): Promise<void> {
    const from = this.#timesSavedUpTo
    const upTo = this.#deps.clock.now()
    // Other nodes save the announces that they received.
    const wasUsedHere = ({ lastUsedAt }: LiveCredential) => lastUsedAt >= from
    const servers = [...this.#registry.all()].filter((server) => server.credentials.some(wasUsedHere))
    const credentials = servers.flatMap((server) => server.credentials.filter(wasUsedHere))
    for (const batch of batches(servers)) await touchPresence(this.#deps.db, batch)
    for (const batch of batches(credentials)) await touchCredentials(this.#deps.db, batch)
    // After a failure all times are saved again.
    this.#timesSavedUpTo = upTo
    this.#timesDueAt = this.#deps.clock.uptime() + TIMES_INTERVAL_MS
  }

  #isKnown(server: ServerRecord): boolean {
    return this.#registry.get(server.publicId) === server
  }
}

/** Retries a write that failed because a server was deleted concurrently. The next attempt may hit another one. */
async function retryIfDeleted<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write()
    } catch (error) {
      const isDeleted = error instanceof pg.DatabaseError && error.code === FOREIGN_KEY_VIOLATION
      if (!isDeleted || attempt >= MAX_ATTEMPTS_IF_DELETED) throw error
    }
  }
}

function* batches<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += MAX_BATCH) yield all.slice(from, from + MAX_BATCH)
}
