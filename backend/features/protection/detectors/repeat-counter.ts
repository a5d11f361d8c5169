/** What repeats at a server: since when, how often, and the newest of it. */
import type { EvidenceItem } from '#contract/protection.ts'
import type { Finding } from '#backend/features/protection/finding.ts'

/** The first are reported one by one; from then on once a minute, with all that came meanwhile. */
const REPORTED_AT_ONCE = 10
const REPORT_EVERY_MS = 60_000
const MAX_ITEMS = 5
/** Past it, the server that began first is forgotten. */
const MAX_SERVERS = 20_000

interface Repeats {
  /** Wall milliseconds, as are the other times. */
  readonly since: number
  lastAt: number
  count: number
  reportedAt: number
  reports: number
  unreported: number
  /** Newest first, unreported ones only. */
  items: EvidenceItem[]
}

export class RepeatCounter {
  readonly #gapMs: number
  readonly #known = new Map<string, Repeats>()

  /** @param gapMs after such a pause it counts from one. */
  constructor(gapMs: number) {
    this.#gapMs = gapMs
  }

  add(publicId: string, at: number, item: EvidenceItem): Readonly<Repeats> {
    let tried = this.#known.get(publicId)
    if (tried === undefined || at - tried.lastAt > this.#gapMs) {
      this.#known.delete(publicId)
      if (this.#known.size >= MAX_SERVERS) this.#forgetOldest()
      tried = { since: at, lastAt: at, count: 0, reportedAt: -Infinity, reports: 0, unreported: 0, items: [] }
      this.#known.set(publicId, tried)
    }
    tried.lastAt = at
    tried.count += 1
    tried.unreported += 1
    tried.items.unshift(item)
    if (tried.items.length > MAX_ITEMS) tried.items.pop()
    return tried
  }

  /** Completes a finding with what was not reported yet; undefined if it was reported a moment ago. */
  report(finding: Omit<Finding, 'occurrences' | 'items'>): Finding | undefined {
    const tried = this.#known.get(finding.publicId)
    if (tried === undefined || (tried.reports >= REPORTED_AT_ONCE && finding.at - tried.reportedAt < REPORT_EVERY_MS)) return undefined
    const reported = { ...finding, occurrences: tried.unreported, items: tried.items }
    tried.reportedAt = finding.at
    tried.reports += 1
    tried.unreported = 0
    tried.items = []
    return reported
  }

  forget(publicId: string): void {
    this.#known.delete(publicId)
  }

  /** Forgets what has paused for too long. */
  prune(at: number): void {
    for (const [publicId, { lastAt }] of this.#known) if (at - lastAt > this.#gapMs) this.#known.delete(publicId)
  }

  #forgetOldest(): void {
    const oldest = this.#known.keys().next()
    if (!oldest.done) this.#known.delete(oldest.value)
  }
}
