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

/** From when on which consequence follows while an issue stays open. */
export interface Step {
  readonly consequence: Consequence
  /**
   * Milliseconds since it was first seen, was opened again, or was found again after a pause (`seenWithinMs`). What the one before began
   * later than its own time moves this one back as far.
   */
  readonly afterMs: number
  /** So many findings at least. */
  readonly afterOccurrences: number
  /**
   * Only while it goes on: where it was found within so many milliseconds. What is found again after a longer pause climbs as if it were
   * new. Left out where it stands until somebody ends it.
   */
  readonly seenWithinMs?: number
  /** Only what is as grave as this climbs to it. */
  readonly severity?: Severity
}

/** What one kind of issue is: its words, how it climbs, and when it is over. One of these a detector. */
export interface Rule {
  readonly kind: IssueKind
  readonly title: string
  readonly explanation: string
  readonly remedy: string
  /** In climbing order, the first one at once. */
  readonly ladder: readonly Step[]
  /** It resolves by itself once nothing was found for so long; undefined where only an act ends it. */
  readonly quietMs: number | undefined
  /** What was found no more often than this is over sooner, where it has this fingerprint. */
  readonly brief?: { readonly fingerprint: string; readonly occurrences: number; readonly quietMs: number }
  /** When it resolves by itself, one sentence. */
  readonly ends: string
}

/** Where findings go. Nothing waits for it: they are written in batches, and kept while the database is away. */
export interface Findings {
  raise(finding: Finding): void
  /** What was found is not so any more: the open issues of the kind about the server are resolved. @param ownerId only this owner's. */
  clear(kind: IssueKind, publicId: string, why: string, ownerId?: string): void
}
