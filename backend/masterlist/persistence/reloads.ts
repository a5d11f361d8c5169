/** Reloads servers from the database after committed changes, and retries until each change is loaded. */
import { type AnnounceObserver, isBound, noopObserver } from '#backend/masterlist/registry/announce-observer.ts'
import type { CredentialIndex } from '#backend/masterlist/registry/credential-index.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { readClocks } from '#backend/platform/clock.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { OutageLog } from '#backend/platform/outage-log.ts'
import type { Attempts } from './attempts.ts'
import { MAX_LAG_MS } from './lag-tracker.ts'
import { deleteFormerLiveState } from './masterlist.writes.ts'
import { loadOne } from './registry-loader.ts'

const RETRY_MS = 1000

interface Parts {
  readonly deps: Pick<Deps, 'db' | 'env' | 'clock' | 'log'>
  readonly registry: Registry
  readonly credentials: CredentialIndex
  readonly attempts: Attempts
  /** Resolves once no save is in progress. */
  readonly untilSaved: () => Promise<void>
}

export class Reloads {
  readonly #parts: Parts
  /** The newest load of each server, and the one that has not begun. */
  readonly #newest = new Map<string, Promise<void>>()
  readonly #waiting = new Map<string, Promise<void>>()
  readonly #outage: OutageLog
  /** Servers that changed during the initial load; undefined once it is done. */
  #changedDuringLoad: Set<string> | undefined = new Set()
  /** When each server changed (uptime), until the change is loaded. Oldest first. */
  readonly #pending = new Map<string, number>()
  /** Servers that this node changed and has not reloaded since. */
  readonly #changedLocally = new Set<string>()
  /** Transferred servers whose former owner's live state may still be in the database. */
  readonly #formerStatesToDelete = new Set<string>()
  #isClosed = false
  observer: AnnounceObserver = noopObserver

  constructor(parts: Parts) {
    this.#parts = parts
    const [begin, end] = ['reloading a server failed, will retry', 'reloading servers works again']
    this.#outage = new OutageLog({ log: parts.deps.log, level: 'warn', begin, end })
  }

  /** Whether the oldest change has waited so long that readers of other nodes may have seen it already. */
  get isLagging(): boolean {
    const oldest = this.#pending.values().next().value ?? Infinity
    return this.#parts.deps.clock.uptime() - oldest > MAX_LAG_MS
  }

  /** Ends the initial load: reloads what changed in the meantime. */
  async start(): Promise<void> {
    const changed = [...(this.#changedDuringLoad ?? [])]
    this.#changedDuringLoad = undefined
    for (const publicId of changed) await this.reload(publicId, true).catch(() => undefined)
  }

  /** Ends the retries. */
  close(): void {
    this.#isClosed = true
  }

  /** Resolves after one load that began no earlier than this call. Calls for one server stay in order and share the load that waits. */
  load(publicId: string): Promise<void> {
    const waiting = this.#waiting.get(publicId)
    if (waiting !== undefined) return waiting
    const loading = this.#loadAfter(publicId, this.#newest.get(publicId))
    this.#waiting.set(publicId, loading)
    this.#newest.set(publicId, loading)
    return loading
  }

  async #loadAfter(publicId: string, previous: Promise<void> | undefined): Promise<void> {
    await previous?.catch(() => undefined)
    this.#waiting.delete(publicId)
    try {
      await this.#load(publicId)
    } finally {
      if (!this.#waiting.has(publicId)) this.#newest.delete(publicId)
    }
  }

  /** Like `load`, but retries a failure in the background. While the list starts, the change is only recorded. */
  async reload(publicId: string, isRemote: boolean): Promise<void> {
    if (!isRemote) this.#changedLocally.add(publicId)
    if (this.#changedDuringLoad !== undefined) return void this.#changedDuringLoad.add(publicId)
    if (!this.#pending.has(publicId)) this.#pending.set(publicId, this.#parts.deps.clock.uptime())
    try {
      await this.load(publicId)
      this.#pending.delete(publicId)
      if (this.#pending.size === 0) this.#outage.succeeded()
    } catch (error) {
      this.#outage.failed({ err: error })
      // Retried, because a revoked credential must not stay valid after a database error.
      if (!this.#isClosed) setTimeout(() => void this.reload(publicId, isRemote).catch(() => undefined), RETRY_MS).unref()
      throw error
    }
  }

  async #load(publicId: string): Promise<void> {
    const { deps, registry, credentials, attempts } = this.#parts
    const wasChangedLocally = this.#changedLocally.delete(publicId)
    const known = registry.get(publicId)
    const previous = known && { fields: known.fields, credentials: known.credentials, isBound: isBound(known) }
    if (await loadOne(deps, registry, credentials, publicId, (former) => this.#releaseFormerOwner(publicId, former))) {
      const current = registry.get(publicId)
      // This load may include a local change made after it began. The next load then sees no difference.
      const isLocal = wasChangedLocally || this.#changedLocally.has(publicId)
      if (current !== undefined) this.observer.changed(current, current === known ? previous : undefined, isLocal)
      return
    }
    const server = registry.get(publicId)
    if (server !== undefined) attempts.forget(server)
    registry.remove(publicId, readClocks(deps.clock))
    this.observer.removed(publicId)
  }

  /** Deletes a former owner's live state, including a write in progress. The next load retries a failure. */
  async #releaseFormerOwner(publicId: string, former: ServerRecord | undefined): Promise<void> {
    if (former !== undefined) {
      this.#parts.attempts.forget(former)
      this.#formerStatesToDelete.add(publicId)
      this.observer.removed(publicId)
    }
    if (!this.#formerStatesToDelete.has(publicId)) return
    await this.#parts.untilSaved()
    await deleteFormerLiveState(this.#parts.deps.db, publicId)
    this.#formerStatesToDelete.delete(publicId)
  }
}
