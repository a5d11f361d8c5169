/** What a detector hands on, and what it is made from: plain data, no clock, no database. */
import type { Consequence, EvidenceItem, IssueKind, SeriesPoint, Severity } from '#contract/protection.ts'

/** Something that a check found about a server, for its owner's issues. Repeats of one finding count up one open issue. */
export interface Finding {
  readonly kind: IssueKind
  readonly publicId: string
  /** Whose server it was when it was found: nobody else is held to it. */
  readonly ownerId?: string
  /** What makes two findings about one server two issues; empty where there is one of a kind. */
  readonly fingerprint: string
  readonly severity: Severity
  /**
   * One sentence, as the owner reads it. It takes the place of the one before, and stands in the notices of his announces: what changes
   * each time, and other people's addresses, belong into the evidence.
   */
  readonly summary: string
  /** Wall milliseconds. */
  readonly at: number
  /** How often since the finding before. */
  readonly occurrences: number
  /** Newest first; kept with the ones before, the newest 20. */
  readonly items: readonly EvidenceItem[]
  /** Oldest first; takes the place of the one before where it is given. */
  readonly series?: readonly SeriesPoint[]
  /** Where the configuration says what follows from it, and not the ladder; a person's choice stands above it. */
  readonly consequence?: Consequence
}

/** Where findings go. Nothing waits for it: they are written in batches, and kept while the database is away. */
export interface Findings {
  raise(finding: Finding): void
  /** What was found is not so any more: the open issues of the kind about the server are resolved. @param ownerId only this owner's. */
  clear(kind: IssueKind, publicId: string, why: string, ownerId?: string): void
}
