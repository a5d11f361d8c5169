/** Compares everything with the database after messages of other nodes may have been missed. */
import { isDeepStrictEqual } from 'node:util'
import type { Gap } from '#backend/platform/cluster/bus.ts'
import { readClocks } from '#backend/platform/clock.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Moment, Registry } from '#backend/masterlist/registry/registry.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { LagTracker } from './lag-tracker.ts'
import { fieldsOf } from './registry-loader.ts'
import { type CredentialRow, type LiveStateRow, listValidCredentialsOf, pagesOfPresence, pagesOfServers } from './masterlist.queries.ts'
import { OutageLog } from '#backend/platform/outage-log.ts'

/** Minimum interval between comparisons after nodes that disappeared. */
const MIN_INTERVAL_MS = 60_000
const RETRY_MS = 1000
const SERVERS_PER_PAGE = 500
const STATES_PER_PAGE = 2000

interface Parts {
  readonly deps: Pick<Deps, 'db' | 'env' | 'clock' | 'log'>
  readonly registry: Registry
  readonly refresh: (publicIds: readonly string[]) => Promise<void>
  /** Merges newer states. */
  readonly mergeRows: (rows: readonly LiveStateRow[]) => Promise<void>
}

export class Reconciler {
  readonly #parts: Parts
  /** Counts from when another node may have left something unpublished. */
  readonly lag: LagTracker
  readonly #started = Promise.withResolvers<void>()
  /** Whether this node was disconnected and has not compared everything since. */
  isDisconnected = false
  /** The uptime of the next comparison; undefined if none is due. */
  #compareAt: number | undefined
  #comparedAt = -Infinity
  #comparing: Promise<void> | undefined

  readonly #outage: OutageLog

  constructor(parts: Parts) {
    this.#parts = parts
    this.#outage = new OutageLog({
      log: parts.deps.log,
      level: 'info',
      begin: 'comparing with the database failed, will retry',
      end: 'comparing with the database works again',
    })
    this.lag = new LagTracker(parts.deps.clock, () => this.#compareAt === undefined && this.#comparing === undefined)
  }

  /** Call once everything is loaded. */
  follow(): void {
    this.#started.resolve()
  }

  /**
   * After a disconnection, compares at once and gives every server a full TTL. After another node disappeared, compares at most once a
   * minute. It extends no TTL then, because only that node's last messages may be missing.
   */
  async onGap(gap: Gap): Promise<void> {
    const { clock } = this.#parts.deps
    if (gap === 'publisher_lost') {
      this.#compareAt ??= Math.max(clock.uptime(), this.#comparedAt + MIN_INTERVAL_MS)
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

  /** Starts a comparison if one is due. Call only after `follow`. */
  onCycle({ uptime }: Moment): void {
    if (this.#compareAt === undefined || uptime < this.#compareAt || this.#comparing !== undefined || this.isDisconnected) return
    this.#compareAt = undefined
    this.#comparedAt = uptime
    this.#comparing = this.#compare()
      .then(() => {
        this.lag.markProcessedUpTo(uptime)
        this.#outage.succeeded()
      })
      .catch((error: unknown) => {
        this.#outage.failed({ err: error })
        this.#compareAt = uptime + RETRY_MS
      })
      .finally(() => {
        this.#comparing = undefined
      })
  }

  async close(): Promise<void> {
    await this.#comparing
  }

  /** Compares owners' changes before live states, so that no server is listed wrongly. */
  async #compare(): Promise<void> {
    const { deps, registry, refresh } = this.#parts
    const inDatabase = new Set<string>()
    for await (const rows of pagesOfServers(deps.db, SERVERS_PER_PAGE)) {
      const ids = rows.map((row) => row.public_id)
      for (const id of ids) inDatabase.add(id)
      const credentials = Map.groupBy(await listValidCredentialsOf(deps.db, ids), (row) => row.server_id)
      const differing = rows.filter((row) => {
        const known = registry.get(row.public_id)
        if (known === undefined || !isDeepStrictEqual(known.fields, fieldsOf(row, deps.env))) return true
        return !hasSameCredentials(known, credentials.get(row.public_id) ?? [])
      })
      if (differing.length > 0) await refresh(differing.map((row) => row.public_id))
    }
    const gone = Array.from(registry.all(), (server) => server.publicId).filter((publicId) => !inDatabase.has(publicId))
    if (gone.length > 0) await refresh(gone)
    await this.#compareLiveStates()
  }

  /** Merges newer states, and saves those that the database lacks: after a failover, a replica may lack the newest. */
  async #compareLiveStates(): Promise<void> {
    const { deps, registry, mergeRows } = this.#parts
    const inDatabase = new Set<string>()
    for await (const rows of pagesOfPresence(deps.db, STATES_PER_PAGE)) {
      for (const row of rows) inDatabase.add(row.server_id)
      await mergeRows(rows)
    }
    for (const server of registry.all())
      if (server.announced !== undefined && !inDatabase.has(server.publicId)) registry.unsaved.add(server)
  }
}

function hasSameCredentials(known: ServerRecord, rows: readonly CredentialRow[]): boolean {
  if (rows.length !== known.credentials.length) return false
  return rows.every((row) => {
    const knownCredential = known.credentials.find(({ id }) => id === row.id)
    if (knownCredential === undefined) return false
    return knownCredential.graceUntil === row.grace_until?.getTime() && isDeepStrictEqual(knownCredential.bound, row.bound ?? {})
  })
}
