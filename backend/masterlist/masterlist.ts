/** The master list put together: registry, credentials, binding, saving and publishing, and the beat that drives them. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AnnounceAttempt } from '#contract/servers.ts'
import { CoalescingLoader } from '#backend/platform/concurrency/coalescing-loader.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { AnnouncePipeline } from '#backend/masterlist/announces/announce-pipeline.ts'
import { type AnnounceObserver, boundAddressOf, noopObserver } from '#backend/masterlist/announces/announce-observer.ts'
import { Changes, ListInfo } from '#backend/masterlist/lists/changes.ts'
import { Publisher } from '#backend/masterlist/lists/publisher.ts'
import { Versions } from '#backend/masterlist/lists/versions.ts'
import { CredentialIndex } from '#backend/masterlist/registry/credential-index.ts'
import { HeldNotice } from '#backend/masterlist/registry/held-notice.ts'
import { type Moment, Registry } from '#backend/masterlist/registry/registry.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { ShownLog } from '#backend/masterlist/registry/shown-log.ts'
import { Attempts, attemptsOf } from '#backend/masterlist/saving/attempts.ts'
import { LATE_MS } from '#backend/masterlist/saving/backlog.ts'
import { Binder } from '#backend/masterlist/saving/binding.ts'
import { forgetFormerLiveState } from '#backend/masterlist/saving/masterlist.writes.ts'
import { findInDatabase, loadAll, loadOne } from '#backend/masterlist/saving/loading.ts'
import { PresenceFile } from '#backend/masterlist/saving/presence-file.ts'
import { Syncing } from '#backend/masterlist/saving/syncing.ts'
import { Writer } from '#backend/masterlist/saving/writer.ts'
import type { RequestStats } from '#backend/masterlist/wire/request-stats.ts'
import { ChangeFeed } from './change-feed.ts'
import { stateOf } from './listing.ts'
import type { MasterList } from './master-list.ts'

/** How often the list looks whether anything changed. */
const BEAT_MS = 250
/** A database slower than this does not hold the list up. */
const FLUSH_PATIENCE_MS = 500
const REFRESH_AGAIN_MS = 1000

export interface MasterListStats {
  readonly registered: number
  readonly online: number
  /** Announces since the start: ACCEPTED, and each refusal by its code. */
  readonly announces: ReadonlyMap<string, number>
  /** How long the last publish took, without the flush before it. */
  readonly publishMilliseconds: number
  /** Changes that wait for the database. */
  readonly pendingWrites: number
  /** Readers who follow the stream. */
  readonly streams: number
  /** Since the file with the live states was written; undefined where none is kept, and before the first. */
  readonly presenceFileAgeSeconds: number | undefined
}

export function createMasterList(deps: Deps): RunningMasterList {
  return new RunningMasterList(deps)
}

/** The whole list: what the backend may ask of it, what its own listener needs, and its life. */
export class RunningMasterList implements MasterList {
  readonly #deps: Deps
  readonly registry: Registry
  readonly #log = new ShownLog()
  readonly #versions: Versions
  readonly changes: Changes
  readonly publisher: Publisher
  readonly info: ListInfo
  readonly pipeline: AnnouncePipeline
  readonly #credentials: CredentialIndex
  readonly #attempts = new Attempts()
  readonly #feed: ChangeFeed
  readonly #writer: Writer
  readonly #loader: CoalescingLoader
  readonly #syncing: Syncing
  /** What changed while everything was being read: what was read may be older. */
  #toReadAgain: Set<string> | undefined = new Set()
  /** Only beside a database that may lose the live states. */
  readonly #file: PresenceFile | undefined
  /** Servers of which a change is being read, or could not be, and since which uptime: who waits longest first. */
  readonly #unread = new Map<string, number>()
  /** Servers that this node changed and has not read since. */
  readonly #changedHere = new Set<string>()
  /** Servers that changed hands, of which the database may still hold what its former owner's announces said. */
  readonly #toForget = new Set<string>()
  #observer: AnnounceObserver = noopObserver
  #timer: NodeJS.Timeout | undefined
  #beating: Promise<void> = Promise.resolve()
  #isClosed = false
  readonly #heldNotice: HeldNotice
  #isDatabaseSlow = false
  /** The uptime up to which changes have been taken to be shown. */
  #takenUpTo = -Infinity
  /** How many follow the stream; the listener says. */
  countStreams: () => number = () => 0
  requestStats: RequestStats | undefined

  constructor(deps: Deps) {
    const { env, db, clock, bus } = deps
    this.#deps = deps
    this.registry = new Registry(env.ANNOUNCE_TTL_SECONDS * 1000, this.#moment())
    this.#heldNotice = new HeldNotice(deps.log, this.registry)
    this.registry.onShown = (server, how) => this.#log.note(server, how)
    this.#credentials = new CredentialIndex(clock, (hash) => findInDatabase(db, hash, clock.now()))
    this.#feed = new ChangeFeed(clock)
    this.#loader = new CoalescingLoader((publicId) => this.#read(publicId))
    const { registry } = this
    this.#syncing = new Syncing({ deps, registry, refresh: (publicId) => this.#loader.load(publicId) })
    this.#writer = new Writer(deps, registry, this.#attempts, this.#syncing)
    const isUnreadLate = () => clock.uptime() - (this.#unread.values().next().value ?? Infinity) > LATE_MS
    const isBehind = () => [this.#syncing.isBehind, this.#writer.backlog.isLate(), isUnreadLate()].includes(true)
    this.#versions = new Versions(clock, randomBytes(6).toString('hex'), isBehind)
    this.changes = new Changes(this.#log, this.#versions)
    this.info = new ListInfo(this.#log, this.changes)
    this.publisher = new Publisher(clock, this.#log, this.changes, (error) =>
      deps.log.error({ err: error }, 'The list could not be built; it is tried again.'),
    )
    this.#file = env.DATABASE_URL === undefined ? undefined : new PresenceFile(deps, this.registry)
    this.registry.onStir = (server, isOnlyCount = false) => this.#feed.stir(server, isOnlyCount)
    this.pipeline = new AnnouncePipeline({
      env,
      clock,
      bus,
      registry: this.registry,
      credentials: this.#credentials,
      binder: new Binder(db, clock),
      attempts: this.#attempts,
      refresh: (publicId) => this.#loader.load(publicId),
      heard: (server, at) => this.#syncing.heard(server, at),
    })
  }

  /** How many announces of a server were accepted since this was last asked. */
  paceOf(server: ServerRecord): number {
    const count = this.#attempts.countOf(server)
    const since = count - server.pacedAt
    server.pacedAt = count
    // It counts anew after a change of address.
    return since < 0 ? count : since
  }

  /** From now on this one is called for what happens. */
  observe(observer: AnnounceObserver): void {
    this.#observer = observer
    this.pipeline.observer = observer
  }

  /** Reads the database and publishes the list as it was. */
  async start(): Promise<void> {
    await this.#file?.prepare()
    await this.#syncing.start()
    await loadAll(this.#deps, this.registry, this.#credentials, this.#moment())
    await this.#file?.restore(this.#moment())
    await this.#readAgain()
    this.#syncing.follow()
    this.#takenUpTo = this.#moment().uptime
    this.#show(this.#log.take(), this.#takenUpTo)
    this.#keepBeating()
  }

  /** Saves everything that only memory knew. Announces from now on are refused with 503. */
  async close(): Promise<void> {
    this.pipeline.stop()
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#beating
    await this.#syncing.close()
    await this.publisher.idle()
    // Beside each other: a database that is gone takes its time, and that is when the file is needed.
    await Promise.all([this.#file?.close(), this.#writer.finish()])
    this.#feed.close()
  }

  async refresh(publicId: string, isElsewhere = false): Promise<void> {
    if (!isElsewhere) this.#changedHere.add(publicId)
    if (this.#toReadAgain !== undefined) return void this.#toReadAgain.add(publicId)
    if (!this.#unread.has(publicId)) this.#unread.set(publicId, this.#deps.clock.uptime())
    try {
      await this.#loader.load(publicId)
      this.#unread.delete(publicId)
    } catch (error) {
      // The change is committed, so it must come true here as well: a revoked credential may not live on because the database stuttered.
      if (!this.#isClosed) setTimeout(() => void this.refresh(publicId, isElsewhere).catch(() => undefined), REFRESH_AGAIN_MS).unref()
      throw error
    }
  }

  stateOf(publicId: string): ReturnType<MasterList['stateOf']> {
    const server = this.registry.get(publicId)
    return server === undefined ? undefined : stateOf(server, this.#deps.env.ANNOUNCE_TTL_SECONDS)
  }

  attemptsOf(publicId: string): Promise<AnnounceAttempt[]> {
    return attemptsOf(this.#deps.db, this.#attempts, publicId, this.registry.get(publicId))
  }

  onChange(...[listener, wantsCounts]: Parameters<MasterList['onChange']>): () => void {
    return this.#feed.listen(listener, wantsCounts)
  }

  counts(): { servers: number; players: number } {
    return { servers: this.#log.servers, players: this.#log.players }
  }

  stats(): MasterListStats {
    return {
      registered: this.registry.size,
      online: this.registry.online,
      announces: this.pipeline.counts,
      publishMilliseconds: this.publisher.milliseconds,
      pendingWrites: this.#writer.pending,
      streams: this.countStreams(),
      presenceFileAgeSeconds: this.#file?.ageSeconds,
    }
  }

  #moment(): Moment {
    const { clock } = this.#deps
    return { uptime: clock.uptime(), now: clock.now() }
  }

  async #read(publicId: string): Promise<void> {
    const wasChangedHere = this.#changedHere.delete(publicId)
    const known = this.registry.get(publicId)
    const before = known && { fields: known.fields, credentials: known.credentials, boundAddress: boundAddressOf(known) }
    if (await loadOne(this.#deps, this.registry, this.#credentials, publicId, (former) => this.#letGo(publicId, former))) {
      const now = this.registry.get(publicId)
      // What was changed here since it began may be seen by it already, and then no more by the next one.
      const isHere = wasChangedHere || this.#changedHere.has(publicId)
      if (now !== undefined) this.#observer.changed(now, now === known ? before : undefined, isHere)
      return
    }
    const server = this.registry.get(publicId)
    if (server !== undefined) this.#attempts.forget(server)
    this.registry.remove(publicId)
    this.#observer.gone(publicId)
  }

  /**
   * From where its former owner announced is not the next one's to know: what was being saved of him as the server changed hands goes,
   * too, if not at this try then at the next.
   */
  async #letGo(publicId: string, former: ServerRecord | undefined): Promise<void> {
    if (former !== undefined) {
      this.#attempts.forget(former)
      this.#toForget.add(publicId)
      this.#observer.gone(publicId)
    }
    if (!this.#toForget.has(publicId)) return
    await this.#writer.idle()
    await forgetFormerLiveState(this.#deps.db, publicId)
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

  /** Expires, saves, publishes: in this order, so that what players see is there again after a crash. */
  async #beat(): Promise<void> {
    const at = this.#moment()
    this.#syncing.beat(at)
    this.#versions.beat(at)
    if (!this.#syncing.holdsEvictions) this.registry.expire(at)
    this.#heldNotice.beat()
    this.#file?.beat()
    if (this.#log.hasNews || this.#writer.isDue) {
      const taken = this.#log.take()
      const since = this.#takenUpTo
      this.#takenUpTo = at.uptime
      await this.#save()
      this.#show(taken, since)
    } else this.#takenUpTo = at.uptime
    this.publisher.beat()
  }

  /** @param since the uptime from which on it has been noted. */
  #show(taken: ReturnType<ShownLog['take']>, since: number): void {
    const at = this.#moment()
    if (!this.#log.show(taken, at.uptime)) return
    this.changes.ticked(at)
    this.publisher.ticked(since)
  }

  /** Saves all that has changed until now, also where an earlier flush still runs; a sick database does not stop the list. */
  async #save(): Promise<void> {
    const saved = this.#writer
      .idle()
      .then(() => this.#writer.flush())
      .then(() => true)
    const isInTime = await Promise.race([saved, sleep(FLUSH_PATIENCE_MS, false, { ref: false })])
    if (!isInTime && !this.#isDatabaseSlow)
      this.#deps.log.info('The database takes long to save: what the list shows meanwhile would not be there after a crash.')
    this.#isDatabaseSlow = !isInTime
  }
}
