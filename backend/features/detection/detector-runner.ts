/**
 * Runs the detectors over announces, changes and players. Only rejected announces and those above the slots come here at once, at the
 * price of a look into a map; everything else is done once a minute.
 */
import { setTimeout as sleep, setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { IssueKind } from '#contract/protection.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { type SampledServer, PlayerSampler, storedSamples } from '#backend/features/history/player-sampler.ts'
import { type AnnounceObserver, type PreviousServer, boundAddressOf } from '#backend/masterlist/announces/announce-observer.ts'
import type { RejectionCode } from '#backend/masterlist/registry/reasons.ts'
import type { LiveCredential, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import type { Conclusion, RunningDetector } from '#backend/features/protection/detector.ts'
import { DETECTORS } from '#backend/features/protection/detectors.ts'
import type { Finding, FindingSink } from '#backend/features/protection/finding.ts'
import { listOpenIssues } from './detector-runner.queries.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const REPLAYED_MS = 24 * HOUR_MS
/** Stored hours learned before other work gets a turn: about a millisecond. */
const HOURS_PER_SLICE = 50
/** Where servers announce less often than once a minute, a number that stays only means that nobody asked. */
const MAX_CURVE_TTL_SECONDS = 150
/** How long the end of the program waits for a database that does not answer. */
const CLOSE_WITHIN_MS = 3000

interface Servers {
  get(publicId: string): ServerRecord | undefined
  all(): Iterable<ServerRecord>
}

interface ActiveDetector {
  readonly kind: IssueKind
  readonly rejectionCode: string | undefined
  readonly detector: RunningDetector
}

export class DetectorRunner implements AnnounceObserver {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log' | 'env'>
  readonly #servers: Servers
  readonly #findings: FindingSink
  readonly #detectors: readonly ActiveDetector[]
  readonly #byRejectionCode: ReadonlyMap<string | undefined, readonly ActiveDetector[]>
  /** Those that judge the players minute by minute. */
  readonly #playerDetectors: readonly RunningDetector[]
  readonly #announceRateOf: (server: ServerRecord) => number
  readonly #sampling: PlayerSampler
  readonly #isLeaseHolder: () => boolean
  #hasReplayed = false
  #isStopping = false
  /** The slots of the servers as the list was read, until the stored minutes are learned. */
  #slots = new Map<string, number>()
  /** Servers that were deleted or changed hands since the last minute. Only the deleted ones' samples are forgotten. */
  readonly #removed = new Set<string>()
  #pruneAt = 0
  #hasFailed = false

  /**
   * @param paceOf how many announces of a server were accepted since that was last asked. @param isHolder whether this node judges what all
   * of them see.
   */
  constructor(
    deps: Pick<Deps, 'db' | 'clock' | 'log' | 'env'>,
    servers: Servers,
    findings: FindingSink,
    paceOf: (server: ServerRecord) => number,
    sampling = new PlayerSampler(deps, () => servers.all()),
    isHolder = () => true,
  ) {
    const ttlSeconds = deps.env.ANNOUNCE_TTL_SECONDS
    const settings = { ttlMs: ttlSeconds * 1000, places: sampling.places, isDryRun: false }
    this.#deps = deps
    this.#servers = servers
    this.#findings = findings
    this.#detectors = Object.values(DETECTORS).flatMap(({ kind, rejectionCode, create }) =>
      create === undefined ? [] : [{ kind, rejectionCode, detector: create(settings) }],
    )
    this.#byRejectionCode = Map.groupBy(this.#detectors, ({ rejectionCode: refusal }) => refusal)
    const curves = this.#detectors.filter(({ detector }) => detector.players !== undefined)
    this.#playerDetectors = ttlSeconds <= MAX_CURVE_TTL_SECONDS ? curves.map(({ detector }) => detector) : []
    this.#announceRateOf = paceOf
    this.#sampling = sampling
    this.#isLeaseHolder = isHolder
  }

  start(): void {
    for (const { publicId, fields, announced } of this.#servers.all()) {
      for (const { detector } of this.#detectors) detector.loadServer?.(fields)
      if (announced !== undefined) this.#slots.set(publicId, announced.maxPlayersCount)
    }
  }

  rejected(server: ServerRecord, code: RejectionCode, address: string, at: number, credential: LiveCredential | undefined): void {
    const interested = this.#byRejectionCode.get(code)
    if (interested === undefined) return
    this.#safely(() => {
      const bound = otherBoundAddress(server, address, credential)
      const announce = { publicId: server.publicId, at, address, bound, boundSeenAt: server.online ? server.lastAnnounceAt : undefined }
      for (const { detector } of interested) this.#report(detector.rejected?.(announce))
    })
  }

  aboveSlots({ publicId, announced }: ServerRecord, players: number, at: number, isConsecutive: boolean): void {
    const announce = { publicId, at, players, slots: announced?.maxPlayersCount ?? 0, isConsecutive }
    this.#safely(() => {
      for (const { detector } of this.#detectors) this.#report(detector.aboveSlots?.(announce))
    })
  }

  changed(server: ServerRecord, previous: PreviousServer | undefined, isLocal: boolean): void {
    const current = ({ credentials }: Pick<PreviousServer, 'credentials'>) => credentials.find((one) => one.graceUntil === undefined)?.id
    const change = {
      server: server.fields,
      previous: previous?.fields,
      isReissued: previous !== undefined && current(previous) !== current(server),
      isAddressReset: previous?.boundAddress !== undefined && boundAddressOf(server) === undefined,
      isLocal,
      at: this.#deps.clock.now(),
    }
    this.#safely(() => {
      for (const { kind, detector } of this.#detectors) {
        const conclusion = detector.changed?.(change)
        if (isLocal) this.#applyConclusion(kind, server.publicId, conclusion)
      }
    })
  }

  removed(publicId: string): void {
    for (const { detector } of this.#detectors) detector.forget(publicId)
    this.#removed.add(publicId)
  }

  /** The repeating task: looks at the players once a minute, and writes down what it saw now and then. */
  async tick(): Promise<void> {
    if (!this.#hasReplayed) await this.#replayStoredSamples()
    if (this.#isStopping) return
    for (const publicId of this.#removed) if (this.#servers.get(publicId) === undefined) this.#sampling.forget(publicId)
    this.#removed.clear()
    await this.#sampling.sample((server, players, at) => this.#safely(() => this.#observe(server, players, at)))
    const uptime = this.#deps.clock.uptime()
    if (uptime >= this.#pruneAt) {
      this.#pruneAt = uptime + HOUR_MS
      for (const { detector } of this.#detectors) detector.prune?.(this.#deps.clock.now())
    }
    if (this.#isLeaseHolder()) for (const running of this.#detectors) if (running.detector.isReviewDue === true) await this.#review(running)
    if (this.#sampling.isFlushDue) await this.#sampling.flush()
  }

  /** The program ends, and nobody waits for what is stored to be learned. */
  stop(): void {
    this.#isStopping = true
    this.#sampling.stop()
  }

  async close(): Promise<void> {
    // Before that, what is stored of this hour is unknown, and would be overwritten.
    if (!this.#hasReplayed) return
    const flushed = this.#sampling
      .flush(true)
      .catch((error: unknown) => this.#deps.log.info({ err: error }, 'The newest numbers of players are not saved.'))
    await Promise.race([flushed, sleep(CLOSE_WITHIN_MS, undefined, { ref: false })])
  }

  #observe({ publicId, announced }: SampledServer, players: number, at: number): void {
    const server = this.#servers.get(publicId)
    if (server !== undefined) {
      const pace = { publicId, at, accepted: this.#announceRateOf(server), address: server.address }
      for (const { detector } of this.#detectors) this.#report(detector.announceRate?.(pace))
    }
    const { maxPlayersCount: slots = 0, queueCount = 0 } = announced ?? {}
    for (const detector of this.#playerDetectors) {
      // Every node sees all players, so that the next node to judge knows what was before.
      const finding = detector.players?.({ publicId, at, players, slots, hasQueue: queueCount > 0 })
      if (this.#isLeaseHolder()) this.#report(finding)
    }
  }

  /** Learns the players of the last day, before a restart. */
  async #replayStoredSamples(): Promise<void> {
    let learned = 0
    for await (const page of storedSamples(this.#deps.db, this.#deps.clock.now() - REPLAYED_MS)) {
      if (this.#isStopping) return
      for (const { server_id: publicId, hour, players } of page) {
        learned += 1
        if (learned % HOURS_PER_SLICE === 0) {
          await yieldToEventLoop()
          if (this.#isStopping) return
        }
        this.#sampling.restore(publicId, hour, players)
        this.#replayHour(publicId, hour.getTime(), players)
      }
    }
    await this.#sampling.restoreList()
    this.#slots.clear()
    this.#hasReplayed = true
  }

  /** The slots of then are not stored: those of the last announce are taken. */
  #replayHour(publicId: string, hour: number, players: readonly number[]): void {
    const slots = this.#slots.get(publicId)
    if (slots === undefined || this.#servers.get(publicId) === undefined) return
    for (const detector of this.#playerDetectors) {
      players.forEach((count, minute) =>
        detector.players?.({ publicId, at: hour + minute * MINUTE_MS, players: count, slots, isReplay: true }),
      )
    }
  }

  async #review({ kind, detector }: ActiveDetector): Promise<void> {
    detector.isReviewDue = false
    try {
      for (const { publicId, fingerprint } of await listOpenIssues(this.#deps.db, kind)) {
        const server = this.#servers.get(publicId)
        if (server !== undefined)
          this.#applyConclusion(kind, publicId, detector.review?.(server.fields, fingerprint, this.#deps.clock.now()))
      }
    } catch (error) {
      detector.isReviewDue = true
      throw error
    }
  }

  #applyConclusion(kind: IssueKind, publicId: string, conclusion: Conclusion | undefined): void {
    if (conclusion?.resolveReason !== undefined) this.#findings.resolve(kind, publicId, conclusion.resolveReason)
    this.#report(conclusion?.finding)
  }

  #report(finding: Finding | undefined): void {
    // A kind that is switched off raises nothing. What it raised before still ends by an act of the owner.
    if (finding === undefined || this.#deps.env.PROTECTION_OFF.includes(finding.kind)) return
    // The owner at this moment: the finding waits to be written, and is not the next owner's.
    const ownerId = this.#servers.get(finding.publicId)?.fields.ownerId
    this.#findings.report(ownerId === undefined ? finding : { ...finding, ownerId })
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
function otherBoundAddress(server: ServerRecord, address: string, used: LiveCredential | undefined): string | undefined {
  // A credential that was never bound says nothing of any address, unless it is the one that was used. The server may be moving from its
  // old credential's address to the new one's.
  const isOwn = server.credentials.some((one) => (one.boundAddress ?? (one.id === used?.id ? address : undefined)) === address)
  return isOwn ? undefined : (used?.boundAddress ?? boundAddressOf(server))
}
