/**
 * What the nodes on one database tell each other of live states (docs/decisions/0026): which were saved, and who announced without a change.
 * Where anything may have been missed, everything is compared.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Topics } from '#backend/platform/cluster/bus.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { isRefusal } from '#backend/masterlist/reasons.ts'
import { type Remembered, isEndedHere, isOutdated } from '#backend/masterlist/registry/live-state.ts'
import type { Moment, Registry } from '#backend/masterlist/registry/registry.ts'
import type { Refusal, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { Backlog } from './backlog.ts'
import { CatchingUp } from './catching-up.ts'
import { rememberedOf } from './loading.ts'
import { type LiveStateRow, findPresenceLife, listPresenceOf } from './masterlist.queries.ts'
import { type AttemptRow, beginPresenceLife } from './masterlist.writes.ts'

/** What several nodes saved within this time is read by one query. */
const GATHER_MS = 75
const MOST_IN_ONE_READ = 2000
const READ_AGAIN_MS = 1000
/** How often who announced without a change is told: far less than a game server may be silent. */
const SEEN_EVERY_MS = 3000
const SEEN_AT_MOST_EVERY_MS = 200
const SEEN_PARTS_OF_TTL = 10
/** What that, clocks and slow beats make of one announce's time on two nodes; never more than half of what a server may be silent. */
const SAME_ANNOUNCE_MS = 5000
const LIFE_EVERY_MS = 2000
const PAUSE_MS = 10_000
const BEATS_AFTER_A_PAUSE = 4
/** Each is two queries. */
const REFRESHES_AT_ONCE = 4

interface Parts {
  readonly deps: Pick<Deps, 'db' | 'env' | 'clock' | 'log' | 'bus'>
  readonly registry: Registry
  /** Reads a server anew from the database. */
  readonly refresh: (publicId: string) => Promise<void>
}

export class Syncing {
  readonly #parts: Parts
  /** Live states that other nodes saved and that have not been read since. */
  readonly #toRead = new Set<string>()
  /** Of these. */
  readonly #backlog: Backlog
  #readTimer: NodeJS.Timeout | undefined
  #reading: Promise<void> | undefined
  /** Who announced here without a change and has not been told of yet. */
  #heard = new Set<ServerRecord>()
  /** When the first of them did. */
  #heardSince: Moment = { uptime: 0, now: 0 }
  /** Under which id the live states lie in the database. */
  #life: string | undefined
  #lifeAt = 0
  #lookingAtLife: Promise<void> | undefined
  readonly #catchingUp: CatchingUp
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
    this.#seenEvery = Math.min(SEEN_EVERY_MS, Math.max(SEEN_AT_MOST_EVERY_MS, ttl / SEEN_PARTS_OF_TTL))
    this.#sameAnnounce = Math.min(SAME_ANNOUNCE_MS, ttl / 2)
    this.#backlog = new Backlog(clock, () => this.#toRead.size === 0 && this.#reading === undefined)
    bus.on('presence', ({ publicIds }) => this.#gather(publicIds))
    bus.on('seen', (said) => this.#takeSeen(said))
    bus.on('refused', ({ refusals }) => this.#takeRefusals(refusals))
    const refresh = (publicIds: readonly string[]) => this.#refreshAll(publicIds)
    this.#catchingUp = new CatchingUp({ ...parts, refresh, learn: (rows) => this.#learn(rows) })
    bus.onGap((why) => this.#catchingUp.missed(why))
  }

  /**
   * Whether nobody may be taken for gone: announces may be heard by other nodes and this one does not learn of it. A node that knew no
   * others hears all there are.
   */
  get holdsEvictions(): boolean {
    const { bus } = this.#parts.deps
    return this.#catchingUp.isDeaf || (bus.others > 0 && (bus.cutOffSince !== undefined || this.#beatsToWait > 0))
  }

  /** Whether this node may lack what others have shown long ago, so that no version of its own may be compared with theirs. */
  get isBehind(): boolean {
    // Each of them is asked: it remembers when nothing waited.
    const isLate = [this.#backlog, this.#catchingUp.backlog].map((backlog) => backlog.isLate()).includes(true)
    return isLate || this.holdsEvictions || this.#parts.deps.bus.isUnheard
  }

  /** A server announced here and nothing of it changed. */
  heard(server: ServerRecord, at: Moment): void {
    if (this.#parts.deps.bus.others === 0) return
    if (this.#heard.size === 0) this.#heardSince = at
    this.#heard.add(server)
  }

  /** The others are to read these. */
  saved(publicIds: readonly string[]): void {
    if (publicIds.length > 0) this.#parts.deps.bus.say('presence', { publicIds })
  }

  /** What was to be saved of these was not: something newer may be there. */
  async lost(publicIds: readonly string[]): Promise<void> {
    await this.#learn(await listPresenceOf(this.#parts.deps.db, publicIds))
  }

  /** Their owners see why on any node. */
  attempted(attempts: readonly AttemptRow[]): void {
    const { bus } = this.#parts.deps
    if (bus.others === 0) return
    const newest = new Map(attempts.map((attempt) => [attempt.serverId, attempt]))
    const refusals = [...newest.values()].flatMap(({ serverId, code, address, detail, at }) =>
      isRefusal(code) ? [[serverId, { code, address, detail, at }] as const] : [],
    )
    if (refusals.length > 0) bus.say('refused', { refusals: Object.fromEntries(refusals) })
  }

  /** Before everything is read: if it is lost from then on, that is seen. */
  async start(): Promise<void> {
    if (!this.#parts.deps.bus.isAlone) await this.#lookAtLife()
  }

  /** Everything has been read; from now on the others are followed. */
  follow(): void {
    this.#isStarted = true
    this.#catchingUp.follow()
    this.#gather([])
  }

  beat(at: Moment): void {
    const { bus } = this.#parts.deps
    if (bus.isAlone) return
    // This program stood still: what the others said meanwhile has not been read yet.
    if (at.uptime - (this.#beatAt ?? at.uptime) > PAUSE_MS) this.#beatsToWait = BEATS_AFTER_A_PAUSE
    else if (this.#beatsToWait > 0) this.#beatsToWait -= 1
    this.#beatAt = at.uptime
    if (this.#heard.size > 0 && at.uptime - this.#heardSince.uptime >= this.#seenEvery) this.#tellHeard()
    this.#catchingUp.beat(at)
    if (this.#lookingAtLife !== undefined || at.uptime < this.#lifeAt) return
    this.#lifeAt = at.uptime + LIFE_EVERY_MS
    this.#lookingAtLife = this.#lookAtLife()
      // Where the database is away, others say so; where its connections all were, this is called again.
      .catch(() => undefined)
      .finally(() => {
        this.#lookingAtLife = undefined
      })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#readTimer)
    if (this.#heard.size > 0) this.#tellHeard()
    await this.#reading
    await this.#lookingAtLife
    await this.#catchingUp.close()
  }

  #tellHeard(): void {
    this.#parts.deps.bus.say('seen', {
      publicIds: Array.from(this.#heard, (server) => server.publicId),
      at: Math.floor(this.#heardSince.now),
    })
    this.#heard = new Set()
  }

  #takeSeen({ publicIds, at }: Topics['seen']): void {
    const { registry } = this.#parts
    const moment = this.#moment()
    const offline: string[] = []
    for (const publicId of publicIds) {
      const server = registry.get(publicId)
      if (server?.online === true) {
        registry.seen(server, at, moment)
        if (server.refusal !== undefined && server.refusal.at < at) this.#refuse(server, undefined)
      }
      // It came online, or was saved, a moment ago.
      else offline.push(publicId)
    }
    this.#gather(offline)
  }

  #takeRefusals(refusals: Topics['refused']['refusals']): void {
    for (const [publicId, refusal] of Object.entries(refusals)) {
      const server = this.#parts.registry.get(publicId)
      const isNews = server !== undefined && refusal.at >= server.lastAnnounceAt && refusal.at > (server.refusal?.at ?? 0)
      if (isNews) this.#refuse(server, refusal)
    }
  }

  #refuse(server: ServerRecord, refusal: Refusal | undefined): void {
    server.refusal = refusal
    this.#parts.registry.onStir(server)
  }

  #gather(publicIds: readonly string[]): void {
    for (const publicId of publicIds) this.#toRead.add(publicId)
    if (!this.#isStarted || this.#isClosed || this.#toRead.size === 0 || this.#reading !== undefined) return
    this.#readTimer ??= setTimeout(() => {
      this.#readTimer = undefined
      this.#reading = this.#read().finally(() => {
        this.#reading = undefined
        this.#gather([])
      })
    }, GATHER_MS)
  }

  async #read(): Promise<void> {
    const { db, log, clock } = this.#parts.deps
    const began = clock.uptime()
    const isAll = this.#toRead.size <= MOST_IN_ONE_READ
    const publicIds = [...this.#toRead].slice(0, MOST_IN_ONE_READ)
    for (const publicId of publicIds) this.#toRead.delete(publicId)
    try {
      await this.#learn(await listPresenceOf(db, publicIds))
      if (isAll) this.#backlog.done(began)
    } catch (error) {
      log.info({ err: error }, 'What other nodes saved could not be read yet; it is tried again.')
      for (const publicId of publicIds) this.#toRead.add(publicId)
      if (!this.#isClosed) await sleep(READ_AGAIN_MS, undefined, { ref: false })
    }
  }

  /** Takes over what is newer; what is older there is saved again. */
  async #learn(rows: readonly LiveStateRow[]): Promise<void> {
    const { registry } = this.#parts
    const stale = rows.filter((row) => !isUnderstood(registry.get(row.server_id), row))
    await this.#refreshAll(stale.map((row) => row.server_id))
    const at = this.#moment()
    for (const row of rows) {
      const server = registry.get(row.server_id)
      if (server === undefined) continue
      const told = rememberedOf(row)
      if (this.#keepsEnd(server, told)) continue
      if (!registry.learn(server, told, at) && isOutdated(told, server)) registry.unsaved.add(server)
    }
  }

  /** What was ended here stays so where nothing but a later time of the same announce is told. */
  #keepsEnd(server: ServerRecord, told: Remembered): boolean {
    if (!isEndedHere(told, server, this.#sameAnnounce)) return false
    server.lastAnnounceAt = told.lastAnnounceAt
    this.#parts.registry.unsaved.add(server)
    return true
  }

  async #refreshAll(publicIds: readonly string[]): Promise<void> {
    const left = [...publicIds]
    const next = async (): Promise<void> => {
      for (let publicId = left.pop(); publicId !== undefined; publicId = left.pop()) await this.#parts.refresh(publicId)
    }
    await Promise.all(Array.from({ length: Math.min(REFRESHES_AT_ONCE, left.length) }, next))
  }

  /** Notices that the database lost the live states, and gives it back those that are known here. */
  async #lookAtLife(): Promise<void> {
    const { db } = this.#parts.deps
    let life = await findPresenceLife(db)
    if (life === undefined) {
      await beginPresenceLife(db)
      life = await findPresenceLife(db)
    }
    if (this.#life !== undefined && life !== this.#life) await this.#catchingUp.exchange()
    this.#life = life
  }

  #moment(): Moment {
    const { clock } = this.#parts.deps
    return { uptime: clock.uptime(), now: clock.now() }
  }
}

/** Whether all is known here that the row speaks of: a server, and a credential where it says that one works. */
function isUnderstood(server: ServerRecord | undefined, row: LiveStateRow): boolean {
  return server !== undefined && (!row.online || server.credentials.some((credential) => credential.id === row.credential_id))
}
