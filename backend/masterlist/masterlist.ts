/** Assembles the master list, and runs the cycle that saves and publishes it. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AddressProblem } from '#contract/servers/servers-admin.ts'
import type { AnnounceAttempt } from '#contract/servers/servers.ts'
import type { ServerState, ServerStateSource } from '#backend/core/servers/server-state.ts'
import { moveAddress } from '#backend/core/servers/bound-addresses.ts'
import { familyOf } from '#backend/platform/http/client-address.ts'
import { readClocks } from '#backend/platform/clock.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { AnnouncePipeline } from '#backend/masterlist/announces/announce-pipeline.ts'
import type { AnnounceObserver } from '#backend/masterlist/registry/announce-observer.ts'
import { Deltas } from '#backend/masterlist/lists/deltas.ts'
import { Snapshots } from '#backend/masterlist/lists/snapshot.ts'
import { CredentialIndex } from '#backend/masterlist/registry/credential-index.ts'
import { Registry } from '#backend/masterlist/registry/registry.ts'
import { ChangeLog } from '#backend/masterlist/registry/change-log.ts'
import { Attempts, attemptsOf } from '#backend/masterlist/persistence/attempts.ts'
import { AddressBinder } from '#backend/masterlist/persistence/address-binder.ts'
import { findCredential, loadAll } from '#backend/masterlist/persistence/registry-loader.ts'
import { PresenceSync } from '#backend/masterlist/persistence/presence-sync.ts'
import { Reloads } from '#backend/masterlist/persistence/reloads.ts'
import { Versions } from '#backend/masterlist/persistence/versions.ts'
import { Writer } from '#backend/masterlist/persistence/writer.ts'
import { RequestStats } from '#backend/masterlist/wire/request-stats.ts'
import { ChangeFeed, type Listener, type WantsCounts } from './change-feed.ts'
import { hasAddressProblem } from './registry/address-notices.ts'
import { stateOf } from './registry/listing.ts'
import { OutageLog } from '#backend/platform/outage-log.ts'

const CYCLE_MS = 250
/** How long publishing waits for a save. */
const MAX_SAVE_WAIT_MS = 500

export class RunningMasterList implements ServerStateSource {
  readonly #deps: Deps
  readonly registry: Registry
  readonly #changeLog = new ChangeLog()
  readonly #versions: Versions
  readonly changes: Deltas
  readonly snapshots: Snapshots
  readonly pipeline: AnnouncePipeline
  readonly #credentials: CredentialIndex
  readonly attempts = new Attempts()
  readonly #feed: ChangeFeed
  readonly writer: Writer
  readonly #reloads: Reloads
  readonly #presenceSync: PresenceSync
  #timer: NodeJS.Timeout | undefined
  #cycle: Promise<void> = Promise.resolve()
  #isClosed = false
  readonly #expiryOutage: OutageLog
  readonly #cycleOutage: OutageLog
  readonly #saveOutage: OutageLog
  /** The uptime up to which changes were drained from the log. */
  #drainedUpTo = -Infinity
  /** Listed servers that were hidden, banned, unlisted or deleted since the start. Snapshots may show them a little longer. */
  withdrawals = 0
  /** When the list last changed, in wall milliseconds. */
  publishedAt: number | undefined
  /** The uptime of the last cycle that succeeded. */
  #cycledAt: number
  /** Set by the listener. */
  countStreams: () => number = () => 0
  readonly requestStats = new RequestStats()

  constructor(deps: Deps) {
    const { env, db, clock, bus } = deps
    this.#deps = deps
    this.#cycledAt = clock.uptime()
    this.registry = new Registry(env.ANNOUNCE_TTL_SECONDS * 1000, env.PRIVATE_ADDRESSES === 'reject')
    this.registry.onListChange = (server, change) => {
      this.#changeLog.enqueue(server, change)
      const isOnlyOffline = server.isPublic && this.registry.get(server.publicId) === server
      if (change === 'removed' && !isOnlyOffline) this.withdrawals += 1
    }
    this.#credentials = new CredentialIndex(clock, (hash) => findCredential(db, hash, clock.now()))
    this.#feed = new ChangeFeed(clock)
    const { registry, attempts } = this
    const untilSaved = () => this.writer.idle()
    this.#reloads = new Reloads({ deps, registry, credentials: this.#credentials, attempts, untilSaved })
    const refresh = (publicId: string) => this.#reloads.load(publicId)
    this.#presenceSync = new PresenceSync({ deps, registry, refresh })
    this.writer = new Writer(deps, registry, this.attempts, this.#presenceSync)
    const isBehind = () => this.#presenceSync.isBehind || this.writer.lag.isLagging || this.#reloads.isLagging
    this.#versions = new Versions(clock, randomBytes(6).toString('hex'), isBehind, bus.isSingleNode)
    this.changes = new Deltas(this.#changeLog, this.#versions)
    this.snapshots = new Snapshots(clock, this.#changeLog, this.#versions)
    const outage = (level: 'info' | 'warn' | 'error', begin: string, end: string) => new OutageLog({ log: deps.log, level, begin, end })
    const silence = 'many servers fell silent at once, check the inbound network; they stay listed for ten minutes at most'
    this.#expiryOutage = outage('warn', silence, 'silent servers expire again')
    this.#cycleOutage = outage('error', 'publishing the list failed, will retry', 'the list is published again')
    this.#saveOutage = outage('info', 'database slow, list is ahead of storage', 'storage has caught up with the list')
    this.registry.onChange = (server, isCountsOnly = false) => this.#feed.markChanged(server, isCountsOnly)
    this.pipeline = new AnnouncePipeline({
      env,
      clock,
      bus,
      registry,
      credentials: this.#credentials,
      binder: new AddressBinder(db, clock),
      attempts,
      refresh,
      moveAddress: (move) => moveAddress(db, move, new Date(clock.now())),
      isCutOff: () => this.#presenceSync.defersExpiry,
      otherProcess: (server, port, hasLeft) => this.#presenceSync.publishOtherPort(server, port, hasLeft),
      heartbeat: (server, address, at) => this.#presenceSync.heartbeat(server, familyOf(address), at),
    })
  }

  observe(observer: AnnounceObserver): void {
    this.#reloads.observer = observer
    this.pipeline.observer = observer
  }

  /** Loads and publishes the last known list. */
  async start(): Promise<void> {
    const { clock } = this.#deps
    await loadAll(this.#deps, this.registry, this.#credentials, readClocks(clock))
    await this.#reloads.start()
    this.#presenceSync.follow()
    this.#drainedUpTo = clock.uptime()
    this.#publish(this.#changeLog.drain(), this.#drainedUpTo)
    this.#runCycles()
  }

  /** Saves everything. Rejects announces with 503 from now on. */
  async close(): Promise<void> {
    this.pipeline.stop()
    this.#isClosed = true
    this.#reloads.close()
    clearTimeout(this.#timer)
    await this.#cycle
    await this.#presenceSync.close()
    await this.writer.finish()
    this.#feed.close()
  }

  /**
   * Reloads a server after a committed change to it, its credentials or its owner. Once this resolves, revoked credentials are rejected, and
   * readers see the change with the next tick. While the list starts, the change is only recorded. Calls for one server stay in order.
   * @param isRemote whether another node made the change; that node runs the checks.
   */
  refresh(publicId: string, isRemote = false): Promise<void> {
    return this.#reloads.reload(publicId, isRemote)
  }

  stateOf(publicId: string): ServerState | undefined {
    const server = this.registry.get(publicId)
    return server === undefined
      ? undefined
      : stateOf(server, this.#deps.env.ANNOUNCE_TTL_SECONDS, this.registry.otherPortOf(server, readClocks(this.#deps.clock)))
  }

  attemptsOf(publicId: string): Promise<AnnounceAttempt[]> {
    return attemptsOf(this.#deps.db, this.attempts, publicId, this.registry.get(publicId))
  }

  /** The public IDs of online servers with one of these problems. */
  withAddressProblem(problems: readonly AddressProblem[]): string[] {
    const servers = [...this.registry.all()].filter((server) => problems.some((problem) => hasAddressProblem(server, problem)))
    return servers.map(({ publicId }) => publicId)
  }

  onChange(listener: Listener, wantsCounts: WantsCounts): () => void {
    return this.#feed.subscribe(listener, wantsCounts)
  }

  /** Milliseconds since a cycle last began that succeeded; about 250 while all is well. */
  get sinceCycleMs(): number {
    return this.#deps.clock.uptime() - this.#cycledAt
  }

  /** Published servers, and players on them. */
  counts(): { servers: number; players: number } {
    return { servers: this.#changeLog.servers, players: this.#changeLog.players }
  }

  #runCycles(): void {
    const { clock } = this.#deps
    const began = clock.uptime()
    this.#cycle = this.#runCycle()
      .then(
        () => {
          this.#cycledAt = began
          this.#cycleOutage.succeeded()
        },
        (error: unknown) => void this.#cycleOutage.failed({ err: error }),
      )
      .finally(() => {
        if (!this.#isClosed) this.#timer = setTimeout(() => this.#runCycles(), Math.max(0, CYCLE_MS - (clock.uptime() - began)))
      })
  }

  /** Saves before publishing, so that the published list survives a crash. */
  async #runCycle(): Promise<void> {
    const at = readClocks(this.#deps.clock)
    this.#presenceSync.onCycle(at)
    this.writer.lag.onCycle()
    this.#versions.onCycle(at)
    if (!this.#presenceSync.defersExpiry) this.registry.expire(at)
    const { deferred } = this.registry.expiry
    if (deferred > 0) this.#expiryOutage.failed({ deferred, online: this.registry.onlineCount })
    else this.#expiryOutage.succeeded()
    if (this.#changeLog.hasPending || this.writer.isDue || this.#versions.isTickDue(at)) {
      const drained = this.#changeLog.drain()
      const since = this.#drainedUpTo
      this.#drainedUpTo = at.uptime
      await this.#save()
      this.#publish(drained, since)
    } else this.#drainedUpTo = at.uptime
  }

  /** @param since the uptime since which these changes were queued. */
  #publish(drained: ReturnType<ChangeLog['drain']>, since: number): void {
    const at = readClocks(this.#deps.clock)
    if (!this.#changeLog.commit(drained, at.uptime, this.#versions.isTickDue(at))) return
    this.publishedAt = at.now
    this.#versions.assign(this.#changeLog.tick, at)
    this.changes.publishTick()
    this.snapshots.markStale(since)
  }

  /** Saves all current changes, including those that a running flush has not drained. A slow database doesn't delay the list. */
  async #save(): Promise<void> {
    const saved = this.writer
      .idle()
      .then(() => this.writer.flush())
      .then(() => !this.writer.isFailing)
    const isSaved = await Promise.race([saved, sleep(MAX_SAVE_WAIT_MS, false, { ref: false })])
    if (isSaved) this.#saveOutage.succeeded()
    else this.#saveOutage.failed({})
  }
}
