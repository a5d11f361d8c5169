/** What detectors find: plain data. */
import type { Consequence, EvidenceItem, IssueKind, SeriesPoint, Severity } from '#contract/protection.ts'

/** Something found about a server. Repeats count up one open issue of its owner. */
export interface Finding {
  readonly kind: IssueKind
  readonly publicId: string
  /** The owner when it was found: it is never held against anybody else. */
  readonly ownerId?: string
  /** What makes two findings about one server two issues; empty where there is one of a kind. */
  readonly fingerprint: string
  readonly severity: Severity
  /**
   * One sentence for the owner; replaces the one before, and is in the notices of announces. What changes each time, and other people's
   * addresses, belong into the evidence.
   */
  readonly summary: string
  /** Wall milliseconds. */
  readonly at: number
  /** How often since the finding before. */
  readonly occurrences: number
  /** Newest first; the newest 20 are kept. */
  readonly items: readonly EvidenceItem[]
  /** Oldest first; replaces the one before. */
  readonly series?: readonly SeriesPoint[]
  /** What the configuration says follows, in place of the ladder. A person's choice comes before both. */
  readonly consequence?: Consequence
}

/** Where findings go. Nothing waits for it. */
export interface FindingSink {
  report(finding: Finding): void
  /** Resolves the open issues of the kind about the server. @param ownerId only this owner's. */
  resolve(kind: IssueKind, publicId: string, why: string, ownerId?: string): void
}

/** @param at wall milliseconds. */
export function evidence(at: number, observed: string, expected: string, address: string | null = null): EvidenceItem {
  return { at: new Date(at).toISOString(), observed, expected, address }
}
