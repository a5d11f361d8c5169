/** The state of one probed game server, and when its next probe is due. */
import type { EvidenceItem } from '#contract/protection/protection.ts'

/** Game servers announce shortly before they listen. */
const FIRST_PROBE_MS = 5000
const PROBE_EVERY_MS = 600_000
const RETRY_MS = 60_000
/** Up to a tenth earlier or later, so that the probes of a fleet spread out. */
const JITTER = 0.1
/** Consecutive failures before the first finding. */
const MIN_FAILURES = 3
const REPORT_EVERY_MS = 600_000
const MAX_ITEMS = 20

const withJitter = (ms: number) => ms * (1 - JITTER + Math.random() * 2 * JITTER)

/** All times are uptime milliseconds. */
export class ProbedServer {
  readonly publicId: string
  readonly ownerId: string
  /** `ip:port` of its announces. */
  host: string
  isOnline = true
  dueAt: number
  offlineAt = 0
  /** Consecutive failures. Kept while offline, because a server that restarts often would never reach three otherwise. */
  failures = 0
  /** The server came online or moved since the last probe. Owners often restart it to fix the problem. */
  isRecentlyBack: boolean
  #hasAnswered = false
  #probedAt = -Infinity
  #cameOnlineAt = -Infinity
  #reportedAt = -Infinity
  #unreported = 0
  /** Unreported failures, newest first. */
  #items: EvidenceItem[] = []

  /** @param wasOnline before this node started probing. @param isSpread schedules the first probe at a random time of the next round. */
  constructor(
    { publicId, ownerId, host }: Pick<ProbedServer, 'publicId' | 'ownerId' | 'host'>,
    uptime: number,
    { wasOnline, isSpread }: { readonly wasOnline: boolean; readonly isSpread: boolean },
  ) {
    this.publicId = publicId
    this.ownerId = ownerId
    this.host = host
    this.isRecentlyBack = !wasOnline
    this.dueAt = uptime + (isSpread ? Math.random() * PROBE_EVERY_MS : FIRST_PROBE_MS * (1 + Math.random()))
  }

  /** It came online or moved. The next probe is due soon, but at most one a minute. */
  markOnline(host: string, uptime: number): void {
    this.host = host
    this.isOnline = true
    const soon = Math.max(uptime + FIRST_PROBE_MS, this.#probedAt + RETRY_MS)
    // Servers that reconnect constantly wait with the failing ones.
    const isNewReturn = uptime - this.#cameOnlineAt >= PROBE_EVERY_MS
    this.dueAt = isNewReturn ? soon : Math.min(this.dueAt, soon)
    if (!isNewReturn) return
    this.isRecentlyBack = true
    this.#cameOnlineAt = uptime
  }

  markOffline(uptime: number): void {
    this.isOnline = false
    this.offlineAt = uptime
  }

  recordSkip(uptime: number): void {
    this.#probeAfter(PROBE_EVERY_MS, uptime)
  }

  /** The probe says nothing about the server. */
  recordInconclusive(uptime: number): void {
    this.#probeAfter(RETRY_MS, uptime)
  }

  /** It answered, or its address is not probed. */
  resetFailures(uptime: number, hasAnswered: boolean): void {
    this.#hasAnswered ||= hasAnswered
    this.failures = 0
    this.#items = []
    this.#unreported = 0
    this.#reportedAt = -Infinity
    this.#probeAfter(PROBE_EVERY_MS, uptime)
  }

  /** It answered before and has too few failures for a finding. */
  get hasJustGoneSilent(): boolean {
    return this.#hasAnswered && this.failures < MIN_FAILURES
  }

  /** Returns the failures to report now, or undefined while there are too few or the last report is recent. */
  recordFailure(item: EvidenceItem, uptime: number): { occurrences: number; items: readonly EvidenceItem[] } | undefined {
    this.failures += 1
    this.#unreported += 1
    this.#items = [item, ...this.#items].slice(0, MAX_ITEMS)
    this.#probeAfter(RETRY_MS, uptime)
    if (this.failures < MIN_FAILURES || uptime - this.#reportedAt < REPORT_EVERY_MS) return undefined
    const finding = { occurrences: this.#unreported, items: this.#items }
    this.#reportedAt = uptime
    this.#unreported = 0
    this.#items = []
    return finding
  }

  #probeAfter(ms: number, uptime: number): void {
    this.#probedAt = uptime
    this.isRecentlyBack = false
    this.dueAt = uptime + withJitter(ms)
  }
}
