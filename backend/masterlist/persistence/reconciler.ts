/** Compares everything with the database where a node may have missed what others did. */
import type { Gap } from '#backend/platform/cluster/bus.ts'
import { readClocks } from '#backend/platform/clock.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Moment, Registry } from '#backend/masterlist/registry/registry.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { LagTracker } from './lag-tracker.ts'
import { fieldsOf } from './registry-loader.ts'
import { type CredentialRow, type LiveStateRow, listWorkingCredentialsOf, pagesOfPresence, pagesOfServers } from './masterlist.queries.ts'

/** The minimum between comparisons that other nodes cause by going without a goodbye. */
const COMPARE_EVERY_MS = 60_000
const COMPARE_AGAIN_MS = 1000
const SERVERS_PER_PAGE = 500
const STATES_PER_PAGE = 2000

interface Parts {
  readonly deps: Pick<Deps, 'db' | 'env' | 'clock' | 'log'>
  readonly registry: Registry
  readonly refresh: (publicIds: readonly string[]) => Promise<void>
  /** Takes over what is newer. */
  readonly mergeRows: (rows: readonly LiveStateRow[]) => Promise<void>
}

export class Reconciler {
  readonly #parts: Parts
  /** Late from the first moment on that others may have left something unpublished. */
  readonly lag: LagTracker
  readonly #started = Promise.withResolvers<void>()
  /** Whether this node was disconnected and has not compared everything since. */
  isDisconnected = false
  /** The uptime of the next comparison; undefined where none is due. */
  #compareAt: number | undefined
  #comparedAt = -Infinity
  #comparing: Promise<void> | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    this.lag = new LagTracker(parts.deps.clock, () => this.#compareAt === undefined && this.#comparing === undefined)
  }

  /** Everything has been read once. */
  follow(): void {
    this.#started.resolve()
  }

  /**
   * A node that was disconnected compares at once, and gives every server a full time to live. What others left unpublished is compared at
   * most once a minute and gives no time: it is only their last moments.
   */
  async onGap(why: Gap): Promise<void> {
    const { clock } = this.#parts.deps
    if (why === 'publisher_lost') {
      this.#compareAt ??= Math.max(clock.uptime(), this.#comparedAt + COMPARE_EVERY_MS)
      return
    }
    this.isDisconnected = true
    await this.#started.promise
    await this.#comparing
    this.#compareAt = undefined
    await this.#compare()
    this.#parts.registry.renewAll(readClocks(clock))
    this.isDisconnected = false
  }

  /** Begins a comparison that is due; called only after `follow`. */
  onCycle({ uptime }: Moment): void {
    if (this.#compareAt === undefined || uptime < this.#compareAt || this.#comparing !== undefined || this.isDisconnected) return
    this.#compareAt = undefined
    this.#comparedAt = uptime
    this.#comparing = this.#compare()
      .then(() => this.lag.caughtUpTo(uptime))
      .catch((error: unknown) => {
        this.#parts.deps.log.info({ err: error }, 'What other nodes may have left unsaid could not be read yet; it is tried again.')
        this.#compareAt = uptime + COMPARE_AGAIN_MS
      })
      .finally(() => {
        this.#comparing = undefined
      })
  }

  async compareLiveStates(): Promise<void> {
    const { deps, registry, mergeRows: learn } = this.#parts
    const there = new Set<string>()
    for await (const rows of pagesOfPresence(deps.db, STATES_PER_PAGE)) {
      for (const row of rows) there.add(row.server_id)
      await learn(rows)
    }
    for (const server of registry.all()) if (server.announced !== undefined && !there.has(server.publicId)) registry.unsaved.add(server)
  }

  async close(): Promise<void> {
    await this.#comparing
  }

  /** Owners' changes first, so that no server is listed that may not be, then the live states. */
  async #compare(): Promise<void> {
    const { deps, registry, refresh } = this.#parts
    const there = new Set<string>()
    for await (const rows of pagesOfServers(deps.db, SERVERS_PER_PAGE)) {
      const ids = rows.map((row) => row.public_id)
      for (const id of ids) there.add(id)
      const credentials = Map.groupBy(await listWorkingCredentialsOf(deps.db, ids), (row) => row.server_id)
      const differing = rows.filter((row) => {
        const known = registry.get(row.public_id)
        if (known === undefined || JSON.stringify(known.fields) !== JSON.stringify(fieldsOf(row, deps.env))) return true
        return !hasSameCredentials(known, credentials.get(row.public_id) ?? [])
      })
      if (differing.length > 0) await refresh(differing.map((row) => row.public_id))
    }
    const gone = Array.from(registry.all(), (server) => server.publicId).filter((publicId) => !there.has(publicId))
    if (gone.length > 0) await refresh(gone)
    await this.compareLiveStates()
  }
}

function hasSameCredentials(known: ServerRecord, rows: readonly CredentialRow[]): boolean {
  if (rows.length !== known.credentials.length) return false
  return rows.every((row) => {
    const old = known.credentials.find(({ id }) => id === row.id)
    if (old === undefined) return false
    return old.graceUntil === row.grace_until?.getTime() && old.boundAddress === (row.bound_address ?? undefined)
  })
}
