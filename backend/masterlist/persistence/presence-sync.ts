/** Exchanges live states between the nodes on one database (docs/decisions/0006): which ones were saved, and heartbeats. */
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import { FAMILIES, type Family } from '#backend/platform/http/client-address.ts'
import { readClocks } from '#backend/platform/clock.ts'
import type { Topics } from '#backend/platform/cluster/bus.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { isRejection } from '#backend/masterlist/registry/reasons.ts'
import { isExpiredHere, isRemoteOutdated } from '#backend/masterlist/registry/live-state.ts'
import type { Moment, Registry } from '#backend/masterlist/registry/registry.ts'
import { noteOtherPort } from '#backend/masterlist/registry/processes.ts'
import type { Attempt, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { LagTracker } from './lag-tracker.ts'
import { Reconciler } from './reconciler.ts'
import { liveStateOf } from './registry-loader.ts'
import { type LiveStateRow, listPresenceOf } from './masterlist.queries.ts'
import type { ServerAttempt } from './masterlist.writes.ts'
import { OutageLog } from '#backend/platform/outage-log.ts'

/** Messages of several nodes within this time share a query. */
const DEBOUNCE_MS = 75
const MAX_PER_READ = 2000
const RETRY_MS = 1000
/** Interval of published heartbeats, which is far below a server's TTL. */
const HEARTBEAT_INTERVAL_MS = 3000
const MIN_HEARTBEAT_INTERVAL_MS = 200
const HEARTBEATS_PER_TTL = 10
/** Maximum difference between two nodes' times of one announce; at most half of the TTL. */
const MAX_ANNOUNCE_SKEW_MS = 5000
const PAUSE_MS = 10_000
const CYCLES_AFTER_PAUSE = 4
const REFRESH_CONCURRENCY = 4

interface Parts {
  readonly deps: Pick<Deps, 'db' | 'env' | 'clock' | 'log' | 'bus'>
  readonly registry: Registry
  readonly refresh: (publicId: string) => Promise<void>
}

export class PresenceSync {
  readonly #parts: Parts
  /** Servers whose live states other nodes saved, still to be read. */
  readonly #toRead = new Set<string>()
  readonly #readLag: LagTracker
  #reading: Promise<void> | undefined
  /** Servers with unchanged announces that are not published yet. */
  readonly #heartbeats: Readonly<Record<Family, Set<ServerRecord>>> = { ipv4: new Set(), ipv6: new Set() }
  #heartbeatsSince: Moment = { uptime: 0, now: 0 }
  readonly #reconciler: Reconciler
  readonly #heartbeatInterval: number
  readonly #maxAnnounceSkew: number
  #cycleAt: number | undefined
  #cyclesToWait = 0
  #isStarted = false
  #isClosed = false

  readonly #readOutage: OutageLog

  constructor(parts: Parts) {
    this.#parts = parts
    const { bus, clock, env, log } = parts.deps
    this.#readOutage = new OutageLog({
      log,
      level: 'info',
      begin: "reading other nodes' changes failed, will retry",
      end: "reading other nodes' changes works again",
    })
    const ttl = env.ANNOUNCE_TTL_SECONDS * 1000
    this.#heartbeatInterval = Math.min(HEARTBEAT_INTERVAL_MS, Math.max(MIN_HEARTBEAT_INTERVAL_MS, ttl / HEARTBEATS_PER_TTL))
    this.#maxAnnounceSkew = Math.min(MAX_ANNOUNCE_SKEW_MS, ttl / 2)
    this.#readLag = new LagTracker(clock, () => this.#toRead.size === 0 && this.#reading === undefined)
    bus.on('presence', ({ publicIds }) => this.#scheduleRead(publicIds))
    bus.on('heartbeat', (message) => this.#mergeHeartbeats(message))
    bus.on('otherPort', (message) => this.#mergeOtherPort(message))
    bus.on('rejected', ({ rejections }) => this.#mergeRejections(rejections))
    const refresh = (publicIds: readonly string[]) => this.#refreshAll(publicIds)
    this.#reconciler = new Reconciler({ ...parts, refresh, mergeRows: (rows) => this.#mergeRows(rows) })
    bus.onGap((gap) => this.#reconciler.onGap(gap))
  }

  /** Whether no server may expire, because other nodes may receive announces that this one doesn't learn of. */
  get defersExpiry(): boolean {
    const { bus } = this.#parts.deps
    return this.#reconciler.isDisconnected || (bus.livePeers > 0 && (bus.disconnectedSince !== undefined || this.#cyclesToWait > 0))
  }

  /** Whether this node may lack old changes of other nodes, so that versions are not comparable. */
  get isBehind(): boolean {
    const isLagging = this.#readLag.isLagging || this.#reconciler.lag.isLagging
    return isLagging || this.defersExpiry || this.#parts.deps.bus.isSilent
  }

  heartbeat(server: ServerRecord, family: Family, at: Moment): void {
    if (this.#parts.deps.bus.livePeers === 0) return
    if (!this.#hasHeartbeats) this.#heartbeatsSince = at
    this.#heartbeats[family].add(server)
  }

  get #hasHeartbeats(): boolean {
    return this.#heartbeats.ipv4.size + this.#heartbeats.ipv6.size > 0
  }

  /** Publishes which live states were saved, so that other nodes read them. */
  publishSaved(publicIds: readonly string[]): void {
    if (publicIds.length > 0) this.#parts.deps.bus.publish('presence', { publicIds })
  }

  /** Merges live states that were not saved, because the database may have newer ones. */
  async mergeNewer(publicIds: readonly string[]): Promise<void> {
    await this.#mergeRows(await listPresenceOf(this.#parts.deps.db, publicIds))
  }

  /** Publishes rejections, so that owners see them on any node. */
  publishRejections(attempts: readonly ServerAttempt[]): void {
    const { bus } = this.#parts.deps
    if (bus.livePeers === 0) return
    const newest = new Map(attempts.map(({ server, ...attempt }) => [server.publicId, attempt]))
    const rejections = [...newest].filter(([, { code }]) => isRejection(code))
    if (rejections.length > 0) bus.publish('rejected', { rejections: Object.fromEntries(rejections) })
  }

  /** Starts to apply other nodes' changes. Call once everything is loaded. */
  follow(): void {
    this.#isStarted = true
    this.#reconciler.follow()
    this.#scheduleRead([])
  }

  onCycle(at: Moment): void {
    const { bus } = this.#parts.deps
    this.#readLag.onCycle()
    this.#reconciler.lag.onCycle()
    if (bus.isSingleNode) return
    // After a pause the process has not read the other nodes' messages yet.
    if (at.uptime - (this.#cycleAt ?? at.uptime) > PAUSE_MS) this.#cyclesToWait = CYCLES_AFTER_PAUSE
    else if (this.#cyclesToWait > 0) this.#cyclesToWait -= 1
    this.#cycleAt = at.uptime
    if (this.#hasHeartbeats && at.uptime - this.#heartbeatsSince.uptime >= this.#heartbeatInterval) this.#publishHeartbeats()
    this.#reconciler.onCycle(at)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#publishHeartbeats()
    await this.#reading
    await this.#reconciler.close()
  }

  #publishHeartbeats(): void {
    const at = Math.floor(this.#heartbeatsSince.now)
    for (const family of FAMILIES) {
      const servers = this.#heartbeats[family]
      if (servers.size === 0) continue
      this.#parts.deps.bus.publish('heartbeat', { publicIds: Array.from(servers, (server) => server.publicId), at, family })
      servers.clear()
    }
  }

  #mergeHeartbeats({ publicIds, at, family }: Topics['heartbeat']): void {
    const { registry, deps } = this.#parts
    const moment = readClocks(deps.clock)
    for (const publicId of publicIds) {
      const server = registry.get(publicId)
      // This node lacks the row that brought the server online.
      if (server?.online !== true) this.#scheduleRead([publicId])
      else {
        registry.heartbeat(server, family, at, moment)
        if (server.lastRejection !== undefined && server.lastRejection.at < at) this.#setRejection(server, undefined)
      }
    }
  }

  #mergeRejections(rejections: Topics['rejected']['rejections']): void {
    for (const [publicId, rejection] of Object.entries(rejections)) {
      const server = this.#parts.registry.get(publicId)
      const isNewer = server !== undefined && rejection.at >= server.lastAnnounceAt && rejection.at > (server.lastRejection?.at ?? 0)
      if (isNewer) this.#setRejection(server, rejection)
    }
  }

  /** Another process announced or said goodbye here with the credential of a server. */
  publishOtherPort({ publicId }: ServerRecord, port: number, hasLeft: boolean): void {
    const { bus } = this.#parts.deps
    if (bus.livePeers > 0) bus.publish('otherPort', { publicId, port, hasLeft })
  }

  #mergeOtherPort({ publicId, port, hasLeft }: Topics['otherPort']): void {
    const { registry, deps } = this.#parts
    const server = registry.get(publicId)
    if (server === undefined) return
    if (hasLeft) return registry.forgetProcess(server, port)
    noteOtherPort(server, port, readClocks(deps.clock), deps.env.ANNOUNCE_TTL_SECONDS * 1000)
    registry.onChange(server)
  }

  #setRejection(server: ServerRecord, rejection: Attempt | undefined): void {
    server.lastRejection = rejection
    this.#parts.registry.onChange(server)
  }

  #scheduleRead(publicIds: readonly string[]): void {
    for (const publicId of publicIds) this.#toRead.add(publicId)
    if (!this.#isStarted || this.#isClosed || this.#toRead.size === 0) return
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
      this.#scheduleRead([])
    })
  }

  async #read(): Promise<void> {
    const { db, clock } = this.#parts.deps
    await sleep(DEBOUNCE_MS)
    if (this.#isClosed) return
    const began = clock.uptime()
    const isWholeQueue = this.#toRead.size <= MAX_PER_READ
    const publicIds = [...this.#toRead].slice(0, MAX_PER_READ)
    for (const publicId of publicIds) this.#toRead.delete(publicId)
    try {
      await this.#mergeRows(await listPresenceOf(db, publicIds))
      if (isWholeQueue) this.#readLag.markProcessedUpTo(began)
      this.#readOutage.succeeded()
    } catch (error) {
      this.#readOutage.failed({ err: error })
      for (const publicId of publicIds) this.#toRead.add(publicId)
      if (!this.#isClosed) await sleep(RETRY_MS, undefined, { ref: false })
    }
  }

  /** Merges newer states. Marks a server as unsaved if the database has an older state. */
  async #mergeRows(rows: readonly LiveStateRow[]): Promise<void> {
    const { registry } = this.#parts
    const stale = rows.filter((row) => !isApplicableRow(registry.get(row.server_id), row))
    await this.#refreshAll(stale.map((row) => row.server_id))
    const at = readClocks(this.#parts.deps.clock)
    for (const row of rows) {
      const server = registry.get(row.server_id)
      if (server === undefined) continue
      const saved = liveStateOf(row)
      if (isExpiredHere(saved, server, this.#maxAnnounceSkew)) {
        // It stays offline: the row has only a later time of the same announce.
        server.lastAnnounceAt = saved.lastAnnounceAt
        registry.unsaved.add(server)
      } else if (!registry.mergeRemote(server, saved, at) && isRemoteOutdated(saved, server)) registry.unsaved.add(server)
    }
  }

  async #refreshAll(publicIds: readonly string[]): Promise<void> {
    const limit = pLimit(REFRESH_CONCURRENCY)
    try {
      await limit.map(publicIds, (publicId) => this.#parts.refresh(publicId))
    } finally {
      // The others would fail too.
      limit.clearQueue()
    }
  }
}

/** Whether this node knows the row's server, and its credential if it is online. */
function isApplicableRow(server: ServerRecord | undefined, row: LiveStateRow): boolean {
  return server !== undefined && (!row.online || server.credentials.some((credential) => credential.id === row.credential_id))
}
