/** What a detector is: words, an escalation, and a judgement of plain data, without a clock or a database. The table: `detectors.ts`. */
import type { Consequence, IssueKind, Severity } from '#contract/protection.ts'
import type { DenseIndex } from '#backend/platform/dense-index.ts'
import type { Finding } from './finding.ts'

/** A consequence of an issue that stays open, and when it begins. */
export interface EscalationStep {
  readonly consequence: Consequence
  /**
   * Milliseconds since it was first seen, was opened again, or was found again after a pause (`seenWithinMs`). If the step before began
   * late, this one is late by as much.
   */
  readonly afterMs: number
  readonly afterOccurrences: number
  /** Only while it was found within this time; after a longer pause it escalates as if it were new. */
  readonly seenWithinMs?: number
  readonly severity?: Severity
}

/** @property waitMs milliseconds since the step before began. */
export interface NextEscalationStep {
  readonly step: EscalationStep
  readonly waitMs: number
}

export interface Detector {
  readonly kind: IssueKind
  readonly title: string
  readonly explanation: string
  readonly remedy: string
  /** In escalating order, the first one at once. */
  readonly escalationPolicy: readonly EscalationStep[]
  /** It resolves by itself once nothing was found for so long; undefined where only an act ends it. */
  readonly autoResolveAfterMs: number | undefined
  /** An issue with this fingerprint and at most so many occurrences resolves sooner. */
  readonly shortLived?: { readonly fingerprint: string; readonly maxOccurrences: number; readonly autoResolveAfterMs: number }
  /** When it resolves by itself, one sentence. */
  readonly resolvesWhen: string
  /** It is about the credential or its address, and ends when the server gets another owner. */
  readonly resolvesOnTransfer?: true
  /** While one is open, the number of players is marked as unconfirmed. */
  readonly marksPlayersUnconfirmed?: true
  /** Announces rejected with this code are passed to `refused`. */
  readonly rejectionCode?: string
  /** What `protection try` reads, and what can't be seen there. */
  readonly dryRun?: { readonly source: 'attempts' | 'samples' | 'names'; readonly limitations: string }
  /** Left out where something else raises the findings (`detection/reachability`). */
  readonly create?: (settings: DetectorSettings) => RunningDetector
}

export interface DetectorSettings {
  /** How long the list waits for the next announce. */
  readonly ttlMs: number
  /** Shared with the sampling of players, which releases them. */
  readonly places: DenseIndex
  readonly isDryRun: boolean
}

/**
 * A detector at work, called for what it has a method for. A call costs the same however many came before, and memory is bounded for each
 * server and in total. Times are wall milliseconds.
 */
export interface RunningDetector {
  rejected?(announce: RejectedAnnounce): Finding | undefined
  /** An accepted announce had more players than slots. */
  aboveSlots?(announce: AnnounceAboveSlots): Finding | undefined
  /** Once a minute for each server, on every node. */
  announceRate?(minute: AnnounceRate): Finding | undefined
  /** Once a minute for each server, on every node; one node's findings count. Not called where servers announce less often than that. */
  players?(minute: PlayerCount): Finding | undefined
  loadServer?(server: RegisteredServer): void
  /** A server was registered, or it or its credentials changed. The conclusion counts only where it changed on this node. */
  changed?(change: ServerChange): Conclusion | undefined
  /** Asks for a review of all open issues of the kind. */
  isReviewDue?: boolean
  review?(server: RegisteredServer, fingerprint: string, at: number): Conclusion | undefined
  /** The server is gone, or somebody else's. */
  forget(publicId: string): void
  /** Once an hour. */
  prune?(at: number): void
}

interface Observation {
  readonly publicId: string
  readonly at: number
}

export interface RejectedAnnounce extends Observation {
  readonly address: string
  /** The address the credential is bound to; undefined where the announce came from the server's own address. */
  readonly boundAddress?: string | undefined
  /** The last accepted announce of the server; undefined while it is offline. */
  readonly lastAcceptedAt?: number | undefined
}

export interface AnnounceAboveSlots extends Observation {
  readonly players: number
  readonly slots: number
  /** The announce before was above the slots as well. */
  readonly isConsecutive: boolean
}

export interface AnnounceRate extends Observation {
  /** Announces accepted in the minute before. */
  readonly accepted: number
  readonly address: string
}

export interface PlayerCount extends Observation {
  /** -1 while it was offline. */
  readonly players: number
  /** 0 if unknown. */
  readonly slots: number
  /** Others wait to join; not known of stored minutes. */
  readonly hasQueue?: boolean
  /** A stored minute is read after a restart: nothing is found yet. */
  readonly isReplay?: boolean
}

export interface RegisteredServer {
  readonly publicId: string
  readonly ownerId: string
  readonly name: string
  readonly verified: boolean
  readonly promoted: boolean
  readonly createdAt: number
}

export interface ServerChange {
  readonly server: RegisteredServer
  /** Undefined for a new server, and after it changed hands. */
  readonly previous: RegisteredServer | undefined
  readonly isReissued: boolean
  readonly isAddressReset: boolean
  /** It changed on this node. */
  readonly isLocal: boolean
  readonly at: number
}

/** Ends the server's open issues of the kind first (`clear` says why), then raises the finding. */
export interface Conclusion {
  readonly resolveReason?: string
  readonly finding?: Finding | undefined
}
