/** Counts repeated observations per server and keeps the newest as evidence. */
import { LRUCache } from 'lru-cache'
import type { EvidenceItem } from '#contract/protection/protection.ts'
import type { Finding } from '#backend/core/protection/finding.ts'

/** The first reports are immediate. Later ones are combined into one a minute. */
const IMMEDIATE_REPORTS = 10
const REPORT_EVERY_MS = 60_000
const MAX_ITEMS = 5
const MAX_SERVERS = 20_000

interface Repeats {
  /** Wall milliseconds, like the other times. */
  readonly since: number
  lastAt: number
  count: number
  reportedAt: number
  reports: number
  unreported: number
  /** Unreported items only, newest first. */
  items: EvidenceItem[]
}

export class RepeatCounter {
  readonly #gapMs: number
  // With `max` instead, it would allocate room for all servers at once.
  readonly #repeats = new LRUCache<string, Repeats>({ maxSize: MAX_SERVERS, sizeCalculation: () => 1 })

  /** @param gapMs after a longer pause, counting restarts. */
  constructor(gapMs: number) {
    this.#gapMs = gapMs
  }

  add(publicId: string, at: number, item: EvidenceItem): Readonly<Repeats> {
    let repeats = this.#repeats.get(publicId)
    if (repeats === undefined || at - repeats.lastAt > this.#gapMs) {
      repeats = { since: at, lastAt: at, count: 0, reportedAt: -Infinity, reports: 0, unreported: 0, items: [] }
      this.#repeats.set(publicId, repeats)
    }
    repeats.lastAt = at
    repeats.count += 1
    repeats.unreported += 1
    repeats.items.unshift(item)
    if (repeats.items.length > MAX_ITEMS) repeats.items.pop()
    return repeats
  }

  /** Completes a finding with everything unreported. Returns undefined if the last report is too recent. */
  report(finding: Omit<Finding, 'occurrences' | 'items'>): Finding | undefined {
    const repeats = this.#repeats.get(finding.publicId)
    if (repeats === undefined || (repeats.reports >= IMMEDIATE_REPORTS && finding.at - repeats.reportedAt < REPORT_EVERY_MS))
      return undefined
    const reported = { ...finding, occurrences: repeats.unreported, items: repeats.items }
    repeats.reportedAt = finding.at
    repeats.reports += 1
    repeats.unreported = 0
    repeats.items = []
    return reported
  }

  forget(publicId: string): void {
    this.#repeats.delete(publicId)
  }
}
