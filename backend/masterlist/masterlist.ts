/** The master list put together, and the beat that saves and publishes it. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AnnounceAttempt } from '#contract/servers.ts'
import type { ServerState, ServerStateSource } from '#backend/features/servers/server-services.ts'
import { readClocks } from '#backend/platform/clock.ts'
import { CoalescingLoader } from '#backend/platform/concurrency/coalescing-loader.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { AnnouncePipeline } from '#backend/masterlist/announces/announce-pipeline.ts'
import { type AnnounceObserver, boundAddressOf, noopObserver } from '#backend/masterlist/announces/announce-observer.ts'
import { Deltas, ListInfo } from '#backend/masterlist/lists/deltas.ts'
import { Publisher } from '#backend/masterlist/lists/publisher.ts'
import { Versions } from '#backend/masterlist/lists/versions.ts'
import { CredentialIndex } from '#backend/masterlist/registry/credential-index.ts'
import { ExpiryDeferralLog } from '#backend/masterlist/registry/expiry-deferral-log.ts'
import { Registry } from '#backend/masterlist/registry/registry.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { ChangeLog } from '#backend/masterlist/registry/change-log.ts'
import { Attempts, attemptsOf } from '#backend/masterlist/persistence/attempts.ts'
import { MAX_LAG_MS } from '#backend/masterlist/persistence/lag-tracker.ts'
import { AddressBinder } from '#backend/masterlist/persistence/address-binder.ts'
import { deleteFormerLiveState } from '#backend/masterlist/persistence/masterlist.writes.ts'
import { findCredential, loadAll, loadOne } from '#backend/masterlist/persistence/registry-loader.ts'
import { PresenceFile } from '#backend/masterlist/persistence/presence-file.ts'
import { PresenceSync } from '#backend/masterlist/persistence/presence-sync.ts'
import { Writer } from '#backend/masterlist/persistence/writer.ts'
import type { RequestStats } from '#backend/masterlist/wire/request-stats.ts'
import { ChangeFeed, type Listener, type WantsCounts } from './change-feed.ts'
import { stateOf } from './registry/listing.ts'

const BEAT_MS = 250
/** How long publishing waits for the save. */
const FLUSH_PATIENCE_MS = 500
const REFRESH_AGAIN_MS = 1000

export class RunningMasterList implements ServerStateSource {
  readonly #deps: Deps
  readonly registry: Registry
  readonly #log = new ChangeLog()
  readonly #versions: Versions
  readonly changes: Deltas
  readonly publisher: Publisher
  readonly info: ListInfo
  readonly pipeline: AnnouncePipeline
  readonly #credentials: CredentialIndex
  readonly attempts = new Attempts()
  readonly #feed: ChangeFeed
  readonly writer: Writer
  readonly #loader: CoalescingLoader
  readonly #syncing: PresenceSync
  /** What changed while everything was loaded; undefined once that is done. */
  #toReadAgain: Set<string> | undefined = new Set()
  /** Only beside a shared database, whose `presence` is unlogged (`setPresenceLogged` in platform/database/migrate.ts). */
  readonly presenceFile: PresenceFile | undefined
  /** Servers with a change that is not read yet, and since which uptime, oldest first. */
  readonly #unread = new Map<string, number>()
  /** Servers that this node changed and has not read since. */
  readonly #changedHere = new Set<string>()
  /** Servers that changed hands, while the database may still hold their former owners' live states. */
  readonly #toForget = new Set<string>()
  #observer: AnnounceObserver = noopObserver
  #timer: NodeJS.Timeout | undefined
  #beating: Promise<void> = Promise.resolve()
  #isClosed = false
  readonly #expiryDeferralLog: ExpiryDeferralLog
  #isDatabaseSlow = false
  /** The uptime up to which changes were taken from the log. */
  #takenUpTo = -Infinity
  /** Set by the listener. */
  countStreams: () => number = () => 0
  requestStats: RequestStats | undefined

  constructor(deps: Deps) {
    const { env, db, clock, bus } = deps
    this.#deps = deps
    this.registry = new Registry(env.ANNOUNCE_TTL_SECONDS * 1000, readClocks(clock))
    this.#expiryDeferralLog = new ExpiryDeferralLog(deps.log, this.registry)
    this.registry.onListChange = (server, how) => this.#log.enqueue(server, how)
    this.#credentials = new CredentialIndex(clock, (hash) => findCredential(db, hash, clock.now()))
    this.#feed = new ChangeFeed(clock)
    this.#loader = new CoalescingLoader((publicId) => this.#read(publicId))
    const { registry } = this
    this.#syncing = new PresenceSync({ deps, registry, refresh: (publicId) => this.#loader.load(publicId) })
    this.writer = new Writer(deps, registry, this.attempts, this.#syncing)
    const isUnreadLate = () => clock.uptime() - (this.#unread.values().next().value ?? Infinity) > MAX_LAG_MS
    const isBehind = () => [this.#syncing.isBehind, this.writer.lag.isLagging(), isUnreadLate()].includes(true)
    this.#versions = new Versions(clock, randomBytes(6).toString('hex'), isBehind)
    this.changes = new Deltas(this.#log, this.#versions)
    this.info = new ListInfo(this.#log, this.changes)
    this.publisher = new Publisher(clock, this.#log, this.changes, (error) =>
      deps.log.error({ err: error }, 'The list could not be built; it is tried again.'),
    )
    this.presenceFile = env.DATABASE_URL === undefined ? undefined : new PresenceFile(deps, this.registry)
    this.registry.onChange = (server, isOnlyCount = false) => this.#feed.markChanged(server, isOnlyCount)
    this.pipeline = new AnnouncePipeline({
      env,
      clock,
      bus,
      registry: this.registry,
      credentials: this.#credentials,
      binder: new AddressBinder(db, clock),
      attempts: this.attempts,
      refresh: (publicId) => this.#loader.load(publicId),
      heartbeat: (server, at) => this.#syncing.heartbeat(server, at),
    })
  }

  observe(observer: AnnounceObserver): void {
    this.#observer = observer
    this.pipeline.observer = observer
  }

  /** Loads and publishes the list as it was. */
  async start(): Promise<void> {
    await this.presenceFile?.prepare()
    await this.#syncing.start()
    const { clock } = this.#deps
    await loadAll(this.#deps, this.registry, this.#credentials, readClocks(clock))
    await this.presenceFile?.restore(readClocks(clock))
    await this.#readAgain()
    this.#syncing.follow()
    this.#takenUpTo = clock.uptime()
    this.#show(this.#log.drain(), this.#takenUpTo)
    this.#keepBeating()
  }

  /** Saves everything. Announces are rejected with 503 from now on. */
  async close(): Promise<void> {
    this.pipeline.stop()
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#beating
    await this.#syncing.close()
    await this.publisher.idle()
    // Concurrently, because a lost database takes its time, and then the file is needed.
    await Promise.all([this.presenceFile?.close(), this.writer.finish()])
    this.#feed.close()
  }

  /**
   * Reloads a server after a committed change to it, its credentials or its owner. When this resolves, a revoked credential is useless, and
   * readers see the change with the next tick; during the start it is only noted. Calls for one server never overtake each other.
   * @param isElsewhere whether it was changed on another node, which runs the checks itself.
   */
  async refresh(publicId: string, isElsewhere = false): Promise<void> {
    if (!isElsewhere) this.#changedHere.add(publicId)
    if (this.#toReadAgain !== undefined) return void this.#toReadAgain.add(publicId)
    if (!this.#unread.has(publicId)) this.#unread.set(publicId, this.#deps.clock.uptime())
    try {
      await this.#loader.load(publicId)
      this.#unread.delete(publicId)
    } catch (error) {
      // Retried, because a revoked credential must not live on after an error of the database.
      if (!this.#isClosed) setTimeout(() => void this.refresh(publicId, isElsewhere).catch(() => undefined), REFRESH_AGAIN_MS).unref()
      throw error
    }
  }

  stateOf(publicId: string): ServerState | undefined {
    const server = this.registry.get(publicId)
    return server === undefined ? undefined : stateOf(server, this.#deps.env.ANNOUNCE_TTL_SECONDS)
  }

  attemptsOf(publicId: string): Promise<AnnounceAttempt[]> {
    return attemptsOf(this.#deps.db, this.attempts, publicId, this.registry.get(publicId))
  }

  onChange(listener: Listener, wantsCounts: WantsCounts): () => void {
    return this.#feed.listen(listener, wantsCounts)
  }

  /** On the published list. */
  counts(): { servers: number; players: number } {
    return { servers: this.#log.servers, players: this.#log.players }
  }

  async #read(publicId: string): Promise<void> {
    const wasChangedHere = this.#changedHere.delete(publicId)
    const known = this.registry.get(publicId)
    const before = known && { fields: known.fields, credentials: known.credentials, boundAddress: boundAddressOf(known) }
    if (await loadOne(this.#deps, this.registry, this.#credentials, publicId, (former) => this.#letGo(publicId, former))) {
      const now = this.registry.get(publicId)
      // A change made here since this load began may be in it, and then the next load sees no difference.
      const isHere = wasChangedHere || this.#changedHere.has(publicId)
      if (now !== undefined) this.#observer.changed(now, now === known ? before : undefined, isHere)
      return
    }
    const server = this.registry.get(publicId)
    if (server !== undefined) this.attempts.forget(server)
    this.registry.remove(publicId)
    this.#observer.removed(publicId)
  }

  /** Forgets what was learned of a former owner, with what is just being saved. The next load retries it. */
  async #letGo(publicId: string, former: ServerRecord | undefined): Promise<void> {
    if (former !== undefined) {
      this.attempts.forget(former)
      this.#toForget.add(publicId)
      this.#observer.removed(publicId)
    }
    if (!this.#toForget.has(publicId)) return
    await this.writer.idle()
    await deleteFormerLiveState(this.#deps.db, publicId)
    this.#toForget.delete(publicId)
  }

  async #readAgain(): Promise<void> {
    const changed = [...(this.#toReadAgain ?? [])]
    this.#toReadAgain = undefined
    for (const publicId of changed) await this.refresh(publicId, true).catch(() => undefined)
  }

  #keepBeating(): void {
    const { clock, log } = this.#deps
    const began = clock.uptime()
    this.#beating = this.#beat()
      .catch((error: unknown) => log.error({ err: error }, 'The master list could not be published; it tries again.'))
      .finally(() => {
        if (!this.#isClosed) this.#timer = setTimeout(() => this.#keepBeating(), Math.max(0, BEAT_MS - (clock.uptime() - began)))
      })
  }

  /** Saves before it publishes, so that what players saw survives a crash. */
  async #beat(): Promise<void> {
    const at = readClocks(this.#deps.clock)
    this.#syncing.onCycle(at)
    this.#versions.onCycle(at)
    if (!this.#syncing.defersExpiry) this.registry.expire(at)
    this.#expiryDeferralLog.onCycle()
    this.presenceFile?.onCycle()
    if (this.#log.hasPending || this.writer.isDue) {
      const taken = this.#log.drain()
      const since = this.#takenUpTo
      this.#takenUpTo = at.uptime
      await this.#save()
      this.#show(taken, since)
    } else this.#takenUpTo = at.uptime
    this.publisher.onCycle()
  }

  /** @param since the uptime from which on changes were noted. */
  #show(taken: ReturnType<ChangeLog['drain']>, since: number): void {
    const at = readClocks(this.#deps.clock)
    if (!this.#log.commit(taken, at.uptime)) return
    this.changes.publishTick(at)
    this.publisher.markStale(since)
  }

  /** Saves all changes until now, also those that a running flush has not taken. A slow database does not hold the list up. */
  async #save(): Promise<void> {
    const saved = this.writer
      .idle()
      .then(() => this.writer.flush())
      .then(() => true)
    const isInTime = await Promise.race([saved, sleep(FLUSH_PATIENCE_MS, false, { ref: false })])
    if (!isInTime && !this.#isDatabaseSlow)
      this.#deps.log.info('The database takes long to save: what the list shows meanwhile would not be there after a crash.')
    this.#isDatabaseSlow = !isInTime
  }
}
