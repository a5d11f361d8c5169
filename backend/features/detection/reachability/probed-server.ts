/** What is known of one game server that is checked, and when it is asked next. */
import type { EvidenceItem } from '#contract/protection.ts'

/** Game servers announce a moment before they listen. */
const FIRST_PROBE_MS = 5000
const PROBE_EVERY_MS = 600_000
const RETRY_MS = 60_000
/** A tenth sooner or later, so that a fleet does not come at once. */
const JITTER = 0.1
/** Failures in a row that make the first finding. */
const MIN_FAILURES = 3
const REPORT_EVERY_MS = 600_000
const MAX_ITEMS = 20

const withJitter = (ms: number) => ms * (1 - JITTER + Math.random() * 2 * JITTER)

/** All times are uptime milliseconds. */
export class ProbedServer {
  readonly publicId: string
  readonly ownerId: string
  /** Where it announces from, as `ip:port`. */
  host: string
  isOnline = true
  dueAt: number
  offlineAt = 0
  /** In a row. They stay while it is offline, or a server that restarts often would never fail thrice. */
  failures = 0
  /** It came back or moved since the last probe. Owners restart the server to fix it. */
  isRecentlyBack: boolean
  #hasAnswered = false
  #lastAt = -Infinity
  #backAt = -Infinity
  #reportedAt = -Infinity
  #unreported = 0
  /** Failures that no finding has reported yet, newest first. */
  #items: EvidenceItem[] = []

  /** @param wasThere before us. @param isSpread it is asked sometime in the next round, not with all the others at once. */
  constructor(
    { publicId, ownerId, host }: Pick<ProbedServer, 'publicId' | 'ownerId' | 'host'>,
    uptime: number,
    { wasThere, isSpread }: { readonly wasThere: boolean; readonly isSpread: boolean },
  ) {
    this.publicId = publicId
    this.ownerId = ownerId
    this.host = host
    this.isRecentlyBack = !wasThere
    this.dueAt = uptime + (isSpread ? Math.random() * PROBE_EVERY_MS : FIRST_PROBE_MS * (1 + Math.random()))
  }

  /** It came online, or is elsewhere now: it is asked soon, but never more often than once a minute. */
  cameOnline(host: string, uptime: number): void {
    this.host = host
    this.isOnline = true
    const soon = Math.max(uptime + FIRST_PROBE_MS, this.#lastAt + RETRY_MS)
    // A server that comes and goes all the time waits with those that fail.
    const isJustBack = uptime - this.#backAt >= PROBE_EVERY_MS
    this.dueAt = isJustBack ? soon : Math.min(this.dueAt, soon)
    if (!isJustBack) return
    this.isRecentlyBack = true
    this.#backAt = uptime
  }

  wentOffline(uptime: number): void {
    this.isOnline = false
    this.offlineAt = uptime
  }

  skipped(uptime: number): void {
    this.#probeAfter(PROBE_EVERY_MS, uptime)
  }

  /** It could not be asked, through no fault of its own. */
  inconclusive(uptime: number): void {
    this.#probeAfter(RETRY_MS, uptime)
  }

  /** It answered, or is where we do not ask: earlier failures are past. */
  resetFailures(uptime: number, hasAnswered: boolean): void {
    this.#hasAnswered ||= hasAnswered
    this.failures = 0
    this.#items = []
    this.#unreported = 0
    this.#reportedAt = -Infinity
    this.#probeAfter(PROBE_EVERY_MS, uptime)
  }

  /** It answered before, and has not failed often enough for a finding. */
  get hasJustGoneSilent(): boolean {
    return this.#hasAnswered && this.failures < MIN_FAILURES
  }

  /** Returns what is to be raised now: how often it failed since the last time, and the newest failures. */
  failed(item: EvidenceItem, uptime: number): { occurrences: number; items: readonly EvidenceItem[] } | undefined {
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
    this.#lastAt = uptime
    this.isRecentlyBack = false
    this.dueAt = uptime + withJitter(ms)
  }
}
