/** What is known of one game server that is checked, and when it is asked next. */
import type { EvidenceItem } from '#contract/protection.ts'

/** Game servers announce a moment before they listen. */
const FIRST_MS = 5000
const EVERY_MS = 600_000
const AGAIN_MS = 60_000
/** A tenth sooner or later, so that a fleet does not come at once. */
const JITTER = 0.1
/** Failures in a row that make the first finding. */
const ENOUGH_FAILURES = 3
const RAISE_EVERY_MS = 600_000
const MAX_ITEMS = 20

const around = (ms: number) => ms * (1 - JITTER + Math.random() * 2 * JITTER)

/** All times are uptime milliseconds. */
export class Watched {
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
  isJustBack: boolean
  #hasAnswered = false
  #lastAt = -Infinity
  #backAt = -Infinity
  #raisedAt = -Infinity
  #notRaised = 0
  /** Failures that no finding has reported yet, newest first. */
  #items: EvidenceItem[] = []

  /** @param wasThere before us. @param isSpread it is asked sometime in the next round, not with all the others at once. */
  constructor(
    { publicId, ownerId, host }: Pick<Watched, 'publicId' | 'ownerId' | 'host'>,
    uptime: number,
    { wasThere, isSpread }: { readonly wasThere: boolean; readonly isSpread: boolean },
  ) {
    this.publicId = publicId
    this.ownerId = ownerId
    this.host = host
    this.isJustBack = !wasThere
    this.dueAt = uptime + (isSpread ? Math.random() * EVERY_MS : FIRST_MS * (1 + Math.random()))
  }

  /** It came online, or is elsewhere now: it is asked soon, but never more often than once a minute. */
  moved(host: string, uptime: number): void {
    this.host = host
    this.isOnline = true
    const soon = Math.max(uptime + FIRST_MS, this.#lastAt + AGAIN_MS)
    // A server that comes and goes all the time waits with those that fail.
    const isJustBack = uptime - this.#backAt >= EVERY_MS
    this.dueAt = isJustBack ? soon : Math.min(this.dueAt, soon)
    if (!isJustBack) return
    this.isJustBack = true
    this.#backAt = uptime
  }

  left(uptime: number): void {
    this.isOnline = false
    this.offlineAt = uptime
  }

  skipped(uptime: number): void {
    this.#askAfter(EVERY_MS, uptime)
  }

  /** It could not be asked, through no fault of its own. */
  undecided(uptime: number): void {
    this.#askAfter(AGAIN_MS, uptime)
  }

  /** It answered, or is where we do not ask: earlier failures are past. */
  settled(uptime: number, hasAnswered: boolean): void {
    this.#hasAnswered ||= hasAnswered
    this.failures = 0
    this.#items = []
    this.#notRaised = 0
    this.#raisedAt = -Infinity
    this.#askAfter(EVERY_MS, uptime)
  }

  /** It answered before, and has not failed often enough for a finding. */
  get fellSilent(): boolean {
    return this.#hasAnswered && this.failures < ENOUGH_FAILURES
  }

  /** Returns what is to be raised now: how often it failed since the last time, and the newest failures. */
  failed(item: EvidenceItem, uptime: number): { occurrences: number; items: readonly EvidenceItem[] } | undefined {
    this.failures += 1
    this.#notRaised += 1
    this.#items = [item, ...this.#items].slice(0, MAX_ITEMS)
    this.#askAfter(AGAIN_MS, uptime)
    if (this.failures < ENOUGH_FAILURES || uptime - this.#raisedAt < RAISE_EVERY_MS) return undefined
    const finding = { occurrences: this.#notRaised, items: this.#items }
    this.#raisedAt = uptime
    this.#notRaised = 0
    this.#items = []
    return finding
  }

  #askAfter(ms: number, uptime: number): void {
    this.#lastAt = uptime
    this.isJustBack = false
    this.dueAt = uptime + around(ms)
  }
}
