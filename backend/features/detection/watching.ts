/**
 * Runs the detectors over announces, changes and players. Only rejected announces and those above the slots come here at once, at the
 * price of a look into a map; everything else is done once a minute.
 */
import { setTimeout as sleep, setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { IssueKind } from '#contract/protection.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { type SampledServer, PlayerSampler, storedSamples } from '#backend/features/history/player-sampler.ts'
import { type AnnounceObserver, type Before, boundAddressOf } from '#backend/masterlist/announces/announce-observer.ts'
import type { RefusalCode } from '#backend/masterlist/registry/reasons.ts'
import type { LiveCredential, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { Conclusion, RunningDetector } from '#backend/features/protection/detector.ts'
import { DETECTORS } from '#backend/features/protection/detectors.ts'
import type { Finding, Findings } from '#backend/features/protection/finding.ts'
import { listOpen } from './watching.queries.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const LEARNED_MS = 24 * HOUR_MS
/** Stored hours learned before other work gets a turn: about a millisecond. */
const HOURS_IN_A_SLICE = 50
/** Where servers announce less often than once a minute, a number that stays only means that nobody asked. */
const MAX_TTL_OF_CURVES_SECONDS = 150
/** How long the end of the program waits for a database that does not answer. */
const CLOSE_WITHIN_MS = 3000

interface Servers {
  get(publicId: string): ServerRecord | undefined
  all(): Iterable<ServerRecord>
}

interface Running {
  readonly kind: IssueKind
  readonly refusal: string | undefined
  readonly detector: RunningDetector
}

export class Watching implements AnnounceObserver {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log' | 'env'>
  readonly #servers: Servers
  readonly #findings: Findings
  readonly #running: readonly Running[]
  readonly #byRefusal: ReadonlyMap<string | undefined, readonly Running[]>
  /** Those that judge the players minute by minute. */
  readonly #ofCurves: readonly RunningDetector[]
  readonly #paceOf: (server: ServerRecord) => number
  readonly #sampling: PlayerSampler
  readonly #isHolder: () => boolean
  #hasLearned = false
  #isStopping = false
  /** The slots of the servers as the list was read, until the stored minutes are learned. */
  #slots = new Map<string, number>()
  /** Servers that were deleted or changed hands since the last minute. Only the deleted ones' samples are forgotten. */
  readonly #left = new Set<string>()
  #pruneAt = 0
  #hasFailed = false

  /**
   * @param paceOf how many announces of a server were accepted since that was last asked. @param isHolder whether this node judges what all
   * of them see.
   */
  constructor(
    deps: Pick<Deps, 'db' | 'clock' | 'log' | 'env'>,
    servers: Servers,
    findings: Findings,
    paceOf: (server: ServerRecord) => number,
    sampling = new PlayerSampler(deps, () => servers.all()),
    isHolder = () => true,
  ) {
    const ttlSeconds = deps.env.ANNOUNCE_TTL_SECONDS
    const settings = { ttlMs: ttlSeconds * 1000, places: sampling.places, isDryRun: false }
    this.#deps = deps
    this.#servers = servers
    this.#findings = findings
    this.#running = Object.values(DETECTORS).flatMap(({ kind, refusal, create }) =>
      create === undefined ? [] : [{ kind, refusal, detector: create(settings) }],
    )
    this.#byRefusal = Map.groupBy(this.#running, ({ refusal }) => refusal)
    const curves = this.#running.filter(({ detector }) => detector.players !== undefined)
    this.#ofCurves = ttlSeconds <= MAX_TTL_OF_CURVES_SECONDS ? curves.map(({ detector }) => detector) : []
    this.#paceOf = paceOf
    this.#sampling = sampling
    this.#isHolder = isHolder
  }

  start(): void {
    for (const { publicId, fields, announced } of this.#servers.all()) {
      for (const { detector } of this.#running) detector.learn?.(fields)
      if (announced !== undefined) this.#slots.set(publicId, announced.maxPlayersCount)
    }
  }

  refused(server: ServerRecord, code: RefusalCode, address: string, at: number, credential: LiveCredential | undefined): void {
    const interested = this.#byRefusal.get(code)
    if (interested === undefined) return
    this.#safely(() => {
      const bound = boundElsewhere(server, address, credential)
      const announce = { publicId: server.publicId, at, address, bound, boundSeenAt: server.online ? server.lastAnnounceAt : undefined }
      for (const { detector } of interested) this.#raise(detector.refused?.(announce))
    })
  }

  aboveSlots({ publicId, announced }: ServerRecord, players: number, at: number, isInARow: boolean): void {
    const announce = { publicId, at, players, slots: announced?.maxPlayersCount ?? 0, isInARow }
    this.#safely(() => {
      for (const { detector } of this.#running) this.#raise(detector.aboveSlots?.(announce))
    })
  }

  changed(server: ServerRecord, before: Before | undefined, isHere: boolean): void {
    const current = ({ credentials }: Pick<Before, 'credentials'>) => credentials.find((one) => one.graceUntil === undefined)?.id
    const change = {
      server: server.fields,
      before: before?.fields,
      isReissued: before !== undefined && current(before) !== current(server),
      isAddressReset: before?.boundAddress !== undefined && boundAddressOf(server) === undefined,
      isHere,
      at: this.#deps.clock.now(),
    }
    this.#safely(() => {
      for (const { kind, detector } of this.#running) {
        const conclusion = detector.changed?.(change)
        if (isHere) this.#conclude(kind, server.publicId, conclusion)
      }
    })
  }

  gone(publicId: string): void {
    for (const { detector } of this.#running) detector.forget(publicId)
    this.#left.add(publicId)
  }

  /** The repeating task: looks at the players once a minute, and writes down what it saw now and then. */
  async beat(): Promise<void> {
    if (!this.#hasLearned) await this.#learn()
    if (this.#isStopping) return
    for (const publicId of this.#left) if (this.#servers.get(publicId) === undefined) this.#sampling.forget(publicId)
    this.#left.clear()
    await this.#sampling.sample((server, players, at) => this.#safely(() => this.#see(server, players, at)))
    const uptime = this.#deps.clock.uptime()
    if (uptime >= this.#pruneAt) {
      this.#pruneAt = uptime + HOUR_MS
      for (const { detector } of this.#running) detector.prune?.(this.#deps.clock.now())
    }
    if (this.#isHolder()) for (const running of this.#running) if (running.detector.isReviewDue === true) await this.#review(running)
    if (this.#sampling.isFlushDue) await this.#sampling.flush()
  }

  /** The program ends, and nobody waits for what is stored to be learned. */
  stop(): void {
    this.#isStopping = true
    this.#sampling.stop()
  }

  async close(): Promise<void> {
    // Before that, what is stored of this hour is unknown, and would be overwritten.
    if (!this.#hasLearned) return
    const flushed = this.#sampling
      .flush(true)
      .catch((error: unknown) => this.#deps.log.info({ err: error }, 'The newest numbers of players are not saved.'))
    await Promise.race([flushed, sleep(CLOSE_WITHIN_MS, undefined, { ref: false })])
  }

  #see({ publicId, announced }: SampledServer, players: number, at: number): void {
    const server = this.#servers.get(publicId)
    if (server !== undefined) {
      const pace = { publicId, at, accepted: this.#paceOf(server), address: server.address }
      for (const { detector } of this.#running) this.#raise(detector.pace?.(pace))
    }
    const { maxPlayersCount: slots = 0, queueCount = 0 } = announced ?? {}
    for (const detector of this.#ofCurves) {
      // Every node sees all players, so that the next node to judge knows what was before.
      const finding = detector.players?.({ publicId, at, players, slots, isAwaited: queueCount > 0 })
      if (this.#isHolder()) this.#raise(finding)
    }
  }

  /** Learns the players of the last day, before a restart. */
  async #learn(): Promise<void> {
    let learned = 0
    for await (const page of storedSamples(this.#deps.db, this.#deps.clock.now() - LEARNED_MS)) {
      if (this.#isStopping) return
      for (const { server_id: publicId, hour, players } of page) {
        learned += 1
        if (learned % HOURS_IN_A_SLICE === 0) {
          await yieldToEventLoop()
          if (this.#isStopping) return
        }
        this.#sampling.restore(publicId, hour, players)
        this.#learnHour(publicId, hour.getTime(), players)
      }
    }
    await this.#sampling.restoreList()
    this.#slots.clear()
    this.#hasLearned = true
  }

  /** The slots of then are not stored: those of the last announce are taken. */
  #learnHour(publicId: string, hour: number, players: readonly number[]): void {
    const slots = this.#slots.get(publicId)
    if (slots === undefined || this.#servers.get(publicId) === undefined) return
    for (const detector of this.#ofCurves) {
      players.forEach((count, minute) =>
        detector.players?.({ publicId, at: hour + minute * MINUTE_MS, players: count, slots, isLearning: true }),
      )
    }
  }

  async #review({ kind, detector }: Running): Promise<void> {
    detector.isReviewDue = false
    try {
      for (const { publicId, fingerprint } of await listOpen(this.#deps.db, kind)) {
        const server = this.#servers.get(publicId)
        if (server !== undefined) this.#conclude(kind, publicId, detector.review?.(server.fields, fingerprint, this.#deps.clock.now()))
      }
    } catch (error) {
      detector.isReviewDue = true
      throw error
    }
  }

  #conclude(kind: IssueKind, publicId: string, conclusion: Conclusion | undefined): void {
    if (conclusion?.clear !== undefined) this.#findings.clear(kind, publicId, conclusion.clear)
    this.#raise(conclusion?.finding)
  }

  #raise(finding: Finding | undefined): void {
    // A kind that is switched off raises nothing. What it raised before still ends by an act of the owner.
    if (finding === undefined || this.#deps.env.PROTECTION_OFF.includes(finding.kind)) return
    // The owner at this moment: the finding waits to be written, and is not the next owner's.
    const ownerId = this.#servers.get(finding.publicId)?.fields.ownerId
    this.#findings.raise(ownerId === undefined ? finding : { ...finding, ownerId })
  }

  /** Whatever is wrong with a detector, announces go on. */
  #safely(act: () => void): void {
    try {
      act()
    } catch (error) {
      if (!this.#hasFailed) this.#deps.log.error({ err: error }, 'A detector failed; it goes on with the next announce.')
      this.#hasFailed = true
    }
  }
}

/** The address that the server's credential is bound to; undefined where the announce came from an address of its own. */
function boundElsewhere(server: ServerRecord, address: string, used: LiveCredential | undefined): string | undefined {
  // A credential that was never bound says nothing of any address, unless it is the one that was used. The server may be moving from its
  // old credential's address to the new one's.
  const isOwn = server.credentials.some((one) => (one.boundAddress ?? (one.id === used?.id ? address : undefined)) === address)
  return isOwn ? undefined : (used?.boundAddress ?? boundAddressOf(server))
}
