/** Findings of detectors. */
import type { Consequence, EvidenceItem, IssueKind, SeriesPoint, Severity } from '#contract/protection/protection.ts'

/** A suspicion about a server. Repeats increment the occurrences of one open issue of its owner. */
export interface Finding {
  readonly kind: IssueKind
  readonly publicId: string
  /** The owner at the time of the finding. It never applies to a later owner. */
  readonly ownerId?: string
  /** Findings about one server with different fingerprints open separate issues. Empty if one issue per kind is enough. */
  readonly fingerprint: string
  readonly severity: Severity
  /**
   * One sentence for the owner. It replaces the previous one and appears in announce notices. Put changing details and other people's
   * addresses in the evidence instead.
   */
  readonly summary: string
  /** Wall milliseconds. */
  readonly at: number
  /** Since the previous finding. */
  readonly occurrences: number
  /** Newest first; the newest 20 are kept. */
  readonly items: readonly EvidenceItem[]
  /** Oldest first. Replaces the previous series. */
  readonly series?: readonly SeriesPoint[]
  /** Set by the configuration, in place of the escalation policy. An administrator's choice overrides both. */
  readonly consequence?: Consequence
}

/** Receives findings. Callers do not wait for the writes. */
export interface FindingSink {
  report(finding: Finding): void
  /** Resolves the server's open issues of the kind. @param ownerId only this owner's issues. */
  resolve(kind: IssueKind, publicId: string, reason: string, ownerId?: string): void
}

/** @param at wall milliseconds. */
export function evidence(at: number, observed: string, expected: string, address: string | null = null): EvidenceItem {
  return { at: new Date(at).toISOString(), observed, expected, address }
}
