/** What is known of one game server that is checked, and when it is asked next. Time comes in, nothing goes out. */
import type { EvidenceItem } from '#contract/protection.ts'

/** Game servers announce a moment before they listen. */
const FIRST_MS = 5000
const EVERY_MS = 600_000
const AGAIN_MS = 60_000
/** A tenth sooner or later, so that a fleet does not come at once. */
const JITTER = 0.1
/** So many in a row are one finding; the one after them is another each ten minutes. */
const FAILURES_FOR_ONE = 3
const RAISE_EVERY_MS = 600_000
const MOST_ITEMS = 20

const around = (ms: number) => ms * (1 - JITTER + Math.random() * 2 * JITTER)

export class Watched {
  readonly publicId: string
  readonly ownerId: string
  /** Where it announces from, as `ip:port`. */
  host: string
  isOnline = true
  /** Uptime milliseconds. */
  dueAt: number
  lastAt = -Infinity
  /** Since when it is offline, uptime milliseconds. */
  offlineAt = 0
  hasAnswered = false
  /** Failures in a row. They stay while it is offline, or whoever restarts often would never fail thrice. */
  failures = 0
  /** Whether it came back, or moved, since it was asked: who puts it right restarts the server. */
  isJustBack: boolean
  #backAt = -Infinity
  #raisedAt = -Infinity
  #notRaised = 0
  /** Newest first: failures that no finding has told yet. */
  #items: EvidenceItem[] = []

  /** @param wasThere whether before us. @param isSpread whether it is asked sometime in the next round, not with all the others at once. */
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

  /** It came online, or is elsewhere now: it is asked soon, but never more often than once a minute, wherever it says it is. */
  moved(host: string, uptime: number): void {
    this.host = host
    this.isOnline = true
    const soon = Math.max(uptime + FIRST_MS, this.lastAt + AGAIN_MS)
    // Now and then only: whoever comes and goes all the time waits with those that fail.
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

  /** It is none that we ask, as far as we know now. */
  skipped(uptime: number): void {
    this.#next(EVERY_MS, uptime)
  }

  /** It could not be asked, through no fault of its own. */
  undecided(uptime: number): void {
    this.#next(AGAIN_MS, uptime)
  }

  /** It is where we do not ask: what it failed at elsewhere is past. */
  notAsked(uptime: number): void {
    this.#beginAnew()
    this.#next(EVERY_MS, uptime)
  }

  answered(uptime: number): void {
    this.hasAnswered = true
    this.#beginAnew()
    this.#next(EVERY_MS, uptime)
  }

  /** Whether it answered before and has not failed often enough for a finding. */
  get fellSilent(): boolean {
    return this.hasAnswered && this.failures < FAILURES_FOR_ONE
  }

  /** Answers what is to be raised now, if anything: how often it failed since the last time, and the newest of it. */
  failed(item: EvidenceItem, uptime: number): { occurrences: number; items: readonly EvidenceItem[] } | undefined {
    this.failures += 1
    this.#notRaised += 1
    this.#items = [item, ...this.#items].slice(0, MOST_ITEMS)
    this.#next(AGAIN_MS, uptime)
    if (this.failures < FAILURES_FOR_ONE || uptime - this.#raisedAt < RAISE_EVERY_MS) return undefined
    const finding = { occurrences: this.#notRaised, items: this.#items }
    this.#raisedAt = uptime
    this.#notRaised = 0
    this.#items = []
    return finding
  }

  #beginAnew(): void {
    this.failures = 0
    this.#items = []
    this.#notRaised = 0
    this.#raisedAt = -Infinity
  }

  #next(afterMs: number, uptime: number): void {
    this.lastAt = uptime
    this.isJustBack = false
    this.dueAt = uptime + around(afterMs)
  }
}
