/** Exchanges live states between the nodes on one database (docs/decisions/0026): which were saved, and unchanged announces. */
import { setTimeout as sleep } from 'node:timers/promises'
import { readClocks } from '#backend/platform/clock.ts'
import type { Topics } from '#backend/platform/cluster/bus.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { isRejection } from '#backend/masterlist/registry/reasons.ts'
import { isExpiredHere, isRemoteOutdated } from '#backend/masterlist/registry/live-state.ts'
import type { Moment, Registry } from '#backend/masterlist/registry/registry.ts'
import type { Rejection, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { LagTracker } from './lag-tracker.ts'
import { Reconciler } from './reconciler.ts'
import { liveStateOf } from './registry-loader.ts'
import { type LiveStateRow, listPresenceOf } from './masterlist.queries.ts'
import { type ServerAttempt, presenceEpoch } from './masterlist.writes.ts'

/** Saves of several nodes within this time share a query. */
const GATHER_MS = 75
const MAX_PER_READ = 2000
const READ_AGAIN_MS = 1000
/** How often unchanged announces are published: far less than a game server's time to live. */
const SEEN_EVERY_MS = 3000
const MIN_SEEN_EVERY_MS = 200
const SEEN_PARTS_OF_TTL = 10
/** The maximum between two nodes' times of one announce, but never more than half of the time to live. */
const SAME_ANNOUNCE_MS = 5000
const LIFE_EVERY_MS = 2000
const PAUSE_MS = 10_000
const BEATS_AFTER_A_PAUSE = 4
const REFRESHES_AT_ONCE = 4

interface Parts {
  readonly deps: Pick<Deps, 'db' | 'env' | 'clock' | 'log' | 'bus'>
  readonly registry: Registry
  readonly refresh: (publicId: string) => Promise<void>
}

export class PresenceSync {
  readonly #parts: Parts
  /** Live states that other nodes saved, still to be read. */
  readonly #toRead = new Set<string>()
  readonly #backlog: LagTracker
  #reading: Promise<void> | undefined
  /** Unchanged announces that are not published yet. */
  #heard = new Set<ServerRecord>()
  #heardSince: Moment = { uptime: 0, now: 0 }
  #life: string | undefined
  #lifeAt = 0
  #lookingAtLife: Promise<void> | undefined
  readonly #catchingUp: Reconciler
  readonly #seenEvery: number
  readonly #sameAnnounce: number
  #beatAt: number | undefined
  #beatsToWait = 0
  #isStarted = false
  #isClosed = false

  constructor(parts: Parts) {
    this.#parts = parts
    const { bus, clock, env } = parts.deps
    const ttl = env.ANNOUNCE_TTL_SECONDS * 1000
    this.#seenEvery = Math.min(SEEN_EVERY_MS, Math.max(MIN_SEEN_EVERY_MS, ttl / SEEN_PARTS_OF_TTL))
    this.#sameAnnounce = Math.min(SAME_ANNOUNCE_MS, ttl / 2)
    this.#backlog = new LagTracker(clock, () => this.#toRead.size === 0 && this.#reading === undefined)
    bus.on('presence', ({ publicIds }) => this.#gather(publicIds))
    bus.on('heartbeat', (said) => this.#takeSeen(said))
    bus.on('rejected', ({ rejections }) => this.#mergeRejections(rejections))
    const refresh = (publicIds: readonly string[]) => this.#refreshAll(publicIds)
    this.#catchingUp = new Reconciler({ ...parts, refresh, mergeRows: (rows) => this.#learn(rows) })
    bus.onGap((why) => this.#catchingUp.onGap(why))
  }

  /** Whether no server may expire, because other nodes may receive its announces without this one knowing. */
  get defersExpiry(): boolean {
    const { bus } = this.#parts.deps
    return this.#catchingUp.isDisconnected || (bus.livePeers > 0 && (bus.disconnectedSince !== undefined || this.#beatsToWait > 0))
  }

  /** Whether this node may lack changes that others published long ago, so that versions can't be compared. */
  get isBehind(): boolean {
    // Asks both, because each records when nothing was pending.
    const isLate = [this.#backlog, this.#catchingUp.lag].map((backlog) => backlog.isLagging()).includes(true)
    return isLate || this.defersExpiry || this.#parts.deps.bus.isSilent
  }

  heartbeat(server: ServerRecord, at: Moment): void {
    if (this.#parts.deps.bus.livePeers === 0) return
    if (this.#heard.size === 0) this.#heardSince = at
    this.#heard.add(server)
  }

  /** Publishes what was saved, for the others to read. */
  publishSaved(publicIds: readonly string[]): void {
    if (publicIds.length > 0) this.#parts.deps.bus.publish('presence', { publicIds })
  }

  /** These were not saved, because the database may have something newer. */
  async mergeNewer(publicIds: readonly string[]): Promise<void> {
    await this.#learn(await listPresenceOf(this.#parts.deps.db, publicIds))
  }

  /** Publishes rejections, so that owners see them on any node. */
  publishRejections(attempts: readonly ServerAttempt[]): void {
    const { bus } = this.#parts.deps
    if (bus.livePeers === 0) return
    const newest = new Map(attempts.map(({ server, ...attempt }) => [server.publicId, attempt]))
    const refusals = [...newest].filter(([, { code }]) => isRejection(code))
    if (refusals.length > 0) bus.publish('rejected', { rejections: Object.fromEntries(refusals) })
  }

  /** Called before everything is read, so that a later loss is noticed. */
  async start(): Promise<void> {
    if (!this.#parts.deps.bus.isSingleNode) await this.#lookAtLife()
  }

  /** Everything has been read: follows the others from now on. */
  follow(): void {
    this.#isStarted = true
    this.#catchingUp.follow()
    this.#gather([])
  }

  onCycle(at: Moment): void {
    const { bus } = this.#parts.deps
    if (bus.isSingleNode) return
    // The process was paused and has not read the others' messages yet.
    if (at.uptime - (this.#beatAt ?? at.uptime) > PAUSE_MS) this.#beatsToWait = BEATS_AFTER_A_PAUSE
    else if (this.#beatsToWait > 0) this.#beatsToWait -= 1
    this.#beatAt = at.uptime
    if (this.#heard.size > 0 && at.uptime - this.#heardSince.uptime >= this.#seenEvery) this.#publishHeard()
    this.#catchingUp.onCycle(at)
    if (this.#lookingAtLife !== undefined || at.uptime < this.#lifeAt) return
    this.#lifeAt = at.uptime + LIFE_EVERY_MS
    this.#lookingAtLife = this.#lookAtLife()
      // A lost database is reported elsewhere.
      .catch(() => undefined)
      .finally(() => {
        this.#lookingAtLife = undefined
      })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#heard.size > 0) this.#publishHeard()
    await this.#reading
    await this.#lookingAtLife
    await this.#catchingUp.close()
  }

  #publishHeard(): void {
    this.#parts.deps.bus.publish('heartbeat', {
      publicIds: Array.from(this.#heard, (server) => server.publicId),
      at: Math.floor(this.#heardSince.now),
    })
    this.#heard = new Set()
  }

  #takeSeen({ publicIds, at }: Topics['heartbeat']): void {
    const { registry, deps } = this.#parts
    const moment = readClocks(deps.clock)
    for (const publicId of publicIds) {
      const server = registry.get(publicId)
      // This node lacks the row that brought it online.
      if (server?.online !== true) this.#gather([publicId])
      else {
        registry.heartbeat(server, at, moment)
        if (server.lastRejection !== undefined && server.lastRejection.at < at) this.#refuse(server, undefined)
      }
    }
  }

  #mergeRejections(refusals: Topics['rejected']['rejections']): void {
    for (const [publicId, refusal] of Object.entries(refusals)) {
      const server = this.#parts.registry.get(publicId)
      const isNews = server !== undefined && refusal.at >= server.lastAnnounceAt && refusal.at > (server.lastRejection?.at ?? 0)
      if (isNews) this.#refuse(server, refusal)
    }
  }

  #refuse(server: ServerRecord, refusal: Rejection | undefined): void {
    server.lastRejection = refusal
    this.#parts.registry.onChange(server)
  }

  #gather(publicIds: readonly string[]): void {
    for (const publicId of publicIds) this.#toRead.add(publicId)
    if (!this.#isStarted || this.#isClosed || this.#toRead.size === 0) return
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
      this.#gather([])
    })
  }

  async #read(): Promise<void> {
    const { db, log, clock } = this.#parts.deps
    await sleep(GATHER_MS)
    if (this.#isClosed) return
    const began = clock.uptime()
    const isAll = this.#toRead.size <= MAX_PER_READ
    const publicIds = [...this.#toRead].slice(0, MAX_PER_READ)
    for (const publicId of publicIds) this.#toRead.delete(publicId)
    try {
      await this.#learn(await listPresenceOf(db, publicIds))
      if (isAll) this.#backlog.caughtUpTo(began)
    } catch (error) {
      log.info({ err: error }, 'What other nodes saved could not be read yet; it is tried again.')
      for (const publicId of publicIds) this.#toRead.add(publicId)
      if (!this.#isClosed) await sleep(READ_AGAIN_MS, undefined, { ref: false })
    }
  }

  /** Takes over newer states, and saves where the database has an older one. */
  async #learn(rows: readonly LiveStateRow[]): Promise<void> {
    const { registry } = this.#parts
    const stale = rows.filter((row) => !isUnderstood(registry.get(row.server_id), row))
    await this.#refreshAll(stale.map((row) => row.server_id))
    const at = readClocks(this.#parts.deps.clock)
    for (const row of rows) {
      const server = registry.get(row.server_id)
      if (server === undefined) continue
      const saved = liveStateOf(row)
      if (isExpiredHere(saved, server, this.#sameAnnounce)) {
        // It stays ended: the row has only a later time of the same announce.
        server.lastAnnounceAt = saved.lastAnnounceAt
        registry.unsaved.add(server)
      } else if (!registry.mergeRemote(server, saved, at) && isRemoteOutdated(saved, server)) registry.unsaved.add(server)
    }
  }

  async #refreshAll(publicIds: readonly string[]): Promise<void> {
    const left = publicIds.values()
    const refreshRest = async () => {
      for (const publicId of left) await this.#parts.refresh(publicId)
    }
    await Promise.all(Array.from({ length: REFRESHES_AT_ONCE }, refreshRest))
  }

  /** Restores the live states that are known here where the database has lost them. */
  async #lookAtLife(): Promise<void> {
    const life = await presenceEpoch(this.#parts.deps.db)
    if (this.#life !== undefined && life !== this.#life) await this.#catchingUp.compareLiveStates()
    this.#life = life
  }
}

/** Whether the row's server is known, and its credential where it is online. */
function isUnderstood(server: ServerRecord | undefined, row: LiveStateRow): boolean {
  return server !== undefined && (!row.online || server.credentials.some((credential) => credential.id === row.credential_id))
}
