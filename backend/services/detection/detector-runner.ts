/**
 * Runs the detectors. Rejected announces, announces with more players than slots and server changes are handled immediately. Player counts, announce
 * rates and reviews run once a minute.
 */
import { setTimeout as sleep, setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { IssueKind } from '#contract/protection/protection.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { BUCKET_MS } from '#backend/services/history/buckets.ts'
import { type StoredBucket, minutesOf, storedBuckets } from '#backend/services/history/stored-buckets.ts'
import { PlayerSampler, type SampledServer } from '#backend/services/history/player-sampler.ts'
import { startOf } from '#backend/services/history/time.ts'
import { type AnnounceObserver, type PreviousServer, bindingsOf, isBound } from '#backend/masterlist/registry/announce-observer.ts'
import type { RejectionCode } from '#backend/masterlist/registry/reasons.ts'
import type { LiveCredential, ServerRecord } from '#backend/masterlist/registry/server-record.ts'
import { familyOf, isSameMachine } from '#backend/platform/http/client-address.ts'
import type { Conclusion, MovedAddress, RejectedAnnounce, RunningDetector } from '#backend/core/protection/detector.ts'
import { DETECTORS } from '#backend/core/protection/detectors.ts'
import type { Finding, FindingSink } from '#backend/core/protection/finding.ts'
import { listOpenIssues } from '#backend/core/protection/open-issues.ts'

const HOUR_MS = 3_600_000
const REPLAYED_MS = 24 * HOUR_MS
/** Above this, servers may announce less than once a minute. An unchanged count then proves nothing, so player detectors are off. */
const MAX_CURVE_TTL_SECONDS = 150
/** How long shutdown waits for an unresponsive database. */
const CLOSE_TIMEOUT_MS = 3000

interface Servers {
  get(publicId: string): ServerRecord | undefined
  all(): Iterable<ServerRecord>
}

interface ActiveDetector {
  readonly kind: IssueKind
  readonly rejectionCode: RejectionCode | undefined
  readonly detector: RunningDetector
}

export class DetectorRunner implements AnnounceObserver {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log' | 'env'>
  readonly #servers: Servers
  readonly #findings: FindingSink
  readonly #detectors: readonly ActiveDetector[]
  readonly #playerDetectors: readonly RunningDetector[]
  readonly #announceRateOf: (server: ServerRecord) => number
  readonly #sampler: PlayerSampler
  readonly #isLeaseHolder: () => boolean
  #hasReplayed = false
  #isStopping = false
  /** Slots by server id at startup. Needed only until the stored samples are replayed. */
  #slots = new Map<string, number>()
  /** Servers that were deleted or transferred since the last tick. Only deleted ones lose their samples. */
  readonly #removed = new Set<string>()
  #hasFailed = false

  /**
   * @param announceRateOf accepted announces of a server since the previous call. @param isLeaseHolder whether this node reports
   * what every node finds.
   */
  constructor(
    deps: Pick<Deps, 'db' | 'clock' | 'log' | 'env'>,
    servers: Servers,
    findings: FindingSink,
    announceRateOf: (server: ServerRecord) => number,
    sampler = new PlayerSampler(deps, () => servers.all()),
    isLeaseHolder = () => true,
  ) {
    const ttlSeconds = deps.env.ANNOUNCE_TTL_SECONDS
    const settings = { ttlMs: ttlSeconds * 1000, isDryRun: false }
    this.#deps = deps
    this.#servers = servers
    this.#findings = findings
    this.#detectors = Object.values(DETECTORS).flatMap(({ kind, rejectionCode, create }) =>
      create === undefined ? [] : [{ kind, rejectionCode, detector: create(settings) }],
    )
    const playerDetectors = this.#detectors.filter(({ detector }) => detector.players !== undefined)
    this.#playerDetectors = ttlSeconds <= MAX_CURVE_TTL_SECONDS ? playerDetectors.map(({ detector }) => detector) : []
    this.#announceRateOf = announceRateOf
    this.#sampler = sampler
    this.#isLeaseHolder = isLeaseHolder
  }

  start(): void {
    for (const { publicId, fields, announced } of this.#servers.all()) {
      for (const { detector } of this.#detectors) detector.loadServer?.(fields)
      if (announced !== undefined) this.#slots.set(publicId, announced.maxPlayersCount)
    }
  }

  rejected(server: ServerRecord, code: RejectionCode, address: string, at: number, credential: LiveCredential | undefined): void {
    const detectors = this.#detectors.filter(({ rejectionCode }) => rejectionCode === code)
    if (detectors.length === 0) return
    // Such a server may announce from several addresses in turn. Only how often it moves is a finding.
    if (code === 'ADDRESS_MISMATCH' && server.fields.addressPolicy === 'follow') return
    this.#safely(() => {
      const announce: RejectedAnnounce = {
        publicId: server.publicId,
        at,
        address,
        boundAddress: otherBoundAddress(server, address, credential),
        lastAcceptedAt: server.online ? server.lastAnnounceAt : undefined,
      }
      for (const { detector } of detectors) this.#report(detector.rejected?.(announce))
    })
  }

  moved({ publicId }: ServerRecord, move: Omit<MovedAddress, 'publicId'>): void {
    this.#safely(() => {
      for (const { detector } of this.#detectors) this.#report(detector.moved?.({ publicId, ...move }))
    })
  }

  aboveSlots({ publicId, announced }: ServerRecord, players: number, at: number): void {
    const announce = { publicId, at, players, slots: announced?.maxPlayersCount ?? 0 }
    this.#safely(() => {
      for (const { detector } of this.#detectors) this.#report(detector.aboveSlots?.(announce))
    })
  }

  changed(server: ServerRecord, previous: PreviousServer | undefined, isLocal: boolean): void {
    const current = ({ credentials }: Pick<PreviousServer, 'credentials'>) =>
      credentials.find((credential) => credential.graceUntil === undefined)?.id
    const change = {
      server: server.fields,
      previous: previous?.fields,
      isReissued: previous !== undefined && current(previous) !== current(server),
      isAddressReset: previous?.isBound === true && !isBound(server),
      isFollowing: previous?.fields.addressPolicy === 'bound' && server.fields.addressPolicy === 'follow',
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

  /** Run by the `sample-players` job: samples players once a minute, and saves the samples. */
  async tick(): Promise<void> {
    if (!this.#hasReplayed) await this.#replayStoredBuckets()
    if (this.#isStopping) return
    for (const publicId of this.#removed) if (this.#servers.get(publicId) === undefined) this.#sampler.forget(publicId)
    this.#removed.clear()
    await this.#sampler.sample((server, players, at) => this.#safely(() => this.#observe(server, players, at)))
    if (this.#isLeaseHolder()) for (const active of this.#detectors) if (active.detector.isReviewDue === true) await this.#review(active)
    // Also what could not be stored before: this node may have got the lease since.
    await this.#sampler.flush()
  }

  /** Aborts the replay at shutdown. */
  stop(): void {
    this.#isStopping = true
  }

  async close(): Promise<void> {
    // Before the replay ends, nothing is sampled.
    if (!this.#hasReplayed) return
    const flushed = this.#sampler
      .flush(true)
      .catch((error: unknown) => this.#deps.log.info({ err: error }, 'newest player samples not saved'))
    await Promise.race([flushed, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })])
  }

  #observe({ publicId, announced }: SampledServer, players: number, at: number): void {
    const server = this.#servers.get(publicId)
    if (server !== undefined) {
      const rate = { publicId, at, accepted: this.#announceRateOf(server), address: server.address }
      for (const { detector } of this.#detectors) this.#report(detector.announceRate?.(rate))
    }
    const { maxPlayersCount: slots = 0, queueCount = 0 } = announced ?? {}
    for (const detector of this.#playerDetectors) {
      // Every node observes all players, so that a new lease holder knows their history.
      const finding = detector.players?.({ publicId, at, players, slots, hasQueue: queueCount > 0 })
      if (this.#isLeaseHolder()) this.#report(finding)
    }
  }

  /** Replays the last day, so that detection continues after a restart, and continues the current bucket. */
  async #replayStoredBuckets(): Promise<void> {
    const { db, clock } = this.#deps
    const now = clock.now()
    const restored = new Map<string, StoredBucket>()
    for await (const page of storedBuckets(db, new Date(startOf(now - REPLAYED_MS, HOUR_MS)))) {
      if (this.#isStopping) return
      for (const { publicId, buckets } of page) {
        await yieldToEventLoop()
        const last = buckets.at(-1)
        if (last !== undefined && last.online > 0 && last.at === startOf(now, BUCKET_MS)) restored.set(publicId, last)
        this.#replay(publicId, buckets)
      }
    }
    await this.#sampler.restore(startOf(now, BUCKET_MS), restored)
    this.#slots.clear()
    this.#hasReplayed = true
  }

  /** Past slots are not stored, so this uses those of the last announce. */
  #replay(publicId: string, buckets: readonly StoredBucket[]): void {
    const slots = this.#slots.get(publicId)
    if (slots === undefined || this.#servers.get(publicId) === undefined) return
    for (const minute of buckets.flatMap(minutesOf))
      for (const detector of this.#playerDetectors) detector.players?.({ publicId, ...minute, slots, isReplay: true })
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
    // A switched-off kind reports nothing, but its open issues can still resolve.
    if (finding === undefined || this.#deps.env.PROTECTION_OFF.includes(finding.kind)) return
    // The current owner, because a transfer may happen before the finding is written.
    const ownerId = this.#servers.get(finding.publicId)?.fields.ownerId
    this.#findings.report(ownerId === undefined ? finding : { ...finding, ownerId })
  }

  /** A failing detector must not affect announces. */
  #safely(act: () => void): void {
    try {
      act()
    } catch (error) {
      if (!this.#hasFailed) this.#deps.log.error({ err: error }, 'detector failed, will continue with the next announce')
      this.#hasFailed = true
    }
  }
}

/** The address that the server's credential is bound to. Undefined if the announce came from the server's own address. */
function otherBoundAddress(server: ServerRecord, address: string, used: LiveCredential | undefined): string | undefined {
  // An unbound credential proves nothing about an address, unless the announce used it: the server may be moving to its new credential.
  const family = familyOf(address)
  const isOwn = server.credentials.some(({ id, bound }) => {
    const own = bound[family] ?? (id === used?.id ? address : undefined)
    return own !== undefined && isSameMachine(own, address)
  })
  return isOwn ? undefined : (used?.bound[family] ?? bindingsOf(server)[family])
}
