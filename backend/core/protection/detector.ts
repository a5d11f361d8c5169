/** The interface of a detector: texts, an escalation policy, and checks of plain data without a clock or database. */
import type { Consequence, IssueKind, Severity } from '#contract/protection/protection.ts'
import type { Finding } from './finding.ts'

/** A consequence of an issue that stays open, and when it starts. */
export interface EscalationStep {
  readonly consequence: Consequence
  /**
   * Milliseconds since the issue was first seen, reopened, or found again after a pause (see `seenWithinMs`). A late previous step delays
   * this one equally.
   */
  readonly afterMs: number
  readonly afterOccurrences: number
  /** Only if the issue was found within this time. After a longer pause, escalation restarts. */
  readonly seenWithinMs?: number
  readonly severity?: Severity
}

/** @property waitMs milliseconds after the previous step started. */
export interface NextEscalationStep {
  readonly step: EscalationStep
  readonly waitMs: number
}

/** The rejection codes that detectors count. */
export type DetectedRejectionCode = 'ADDRESS_MISMATCH' | 'CREDENTIAL_REVOKED' | 'TOO_OFTEN'

export interface Detector {
  readonly kind: IssueKind
  readonly explanation: () => string
  readonly remedy: () => string
  /** In escalating order. The first step applies immediately. */
  readonly escalationPolicy: readonly EscalationStep[]
  /** Resolves automatically after this long without a finding. Undefined if only an action resolves it. */
  readonly autoResolveAfterMs: number | undefined
  /** Issues with this fingerprint and at most this many occurrences resolve sooner. */
  readonly shortLived?: { readonly fingerprint: string; readonly maxOccurrences: number; readonly autoResolveAfterMs: number }
  /** One sentence for the owner: when the issue resolves. */
  readonly resolvesWhen: () => string
  /** The issue is about the credential or its address, so a transfer resolves it. */
  readonly resolvesOnTransfer?: true
  /** While an issue is open, the list marks the player count as unconfirmed. */
  readonly marksPlayersUnconfirmed?: true
  /** `rejected` receives the announces that were rejected with this code. */
  readonly rejectionCode?: DetectedRejectionCode
  /** What a dry run reads, and what it cannot see. */
  readonly dryRun?: { readonly source: 'attempts' | 'samples' | 'names'; readonly limitations: string }
  /** Undefined if something else reports the findings (`probing`, `reports`). */
  readonly create?: (settings: DetectorSettings) => RunningDetector
}

export interface DetectorSettings {
  /** How long the list waits for the next announce. */
  readonly ttlMs: number
  readonly isDryRun: boolean
}

/** All methods except `forget` are optional. Each call takes constant time. Memory is bounded. Times are wall milliseconds. */
export interface RunningDetector {
  rejected?(announce: RejectedAnnounce): Finding | undefined
  moved?(move: MovedAddress): Finding | undefined
  /** An accepted announce had more players than reserved slots explain. */
  aboveSlots?(announce: AnnounceAboveSlots): Finding | undefined
  /** Called once a minute per server, on every node. */
  announceRate?(minute: AnnounceRate): Finding | undefined
  /** Called once a minute per server, on every node; only one node reports its findings. Not called if servers announce less often. */
  players?(minute: PlayerCount): Finding | undefined
  loadServer?(server: RegisteredServer): void
  /** A server was registered, or the server or its credentials changed. The conclusion applies only on the node that made the change. */
  changed?(change: ServerChange): Conclusion | undefined
  /** Requests a review of all open issues of this kind. */
  isReviewDue?: boolean
  review?(server: RegisteredServer, fingerprint: string, at: number): Conclusion | undefined
  /** The server was deleted or transferred. */
  forget(publicId: string): void
}

interface Observation {
  readonly publicId: string
  readonly at: number
}

export interface RejectedAnnounce extends Observation {
  readonly address: string
  /** The address the credential is bound to. Undefined if the announce came from the server's own address. */
  readonly boundAddress?: string | undefined
  /** The server's last accepted announce. Undefined while the server is offline. */
  readonly lastAcceptedAt?: number | undefined
}

/** The binding of a server with the policy `follow` moved. */
export interface MovedAddress extends Observation {
  readonly from: string
  readonly to: string
  /** How often within 24 hours, this time included. */
  readonly moves: number
}

export interface AnnounceAboveSlots extends Observation {
  readonly players: number
  readonly slots: number
}

export interface AnnounceRate extends Observation {
  /** Announces accepted in the previous minute. */
  readonly accepted: number
  readonly address: string
}

export interface PlayerCount extends Observation {
  /** -1 while the server was offline. */
  readonly players: number
  /** 0 if unknown. */
  readonly slots: number
  /** Players wait to join. Unknown for stored minutes. */
  readonly hasQueue?: boolean
  /** A stored minute, replayed after a restart. It never causes a finding. */
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
  /** Undefined for a new server, and after a transfer. */
  readonly previous: RegisteredServer | undefined
  readonly isReissued: boolean
  readonly isAddressReset: boolean
  /** Its owner chose the address policy `follow`. */
  readonly isFollowing: boolean
  /** This node made the change. */
  readonly isLocal: boolean
  readonly at: number
}

/** Resolves the server's open issues of the kind first (if `resolveReason` is set), then reports the finding. */
export interface Conclusion {
  readonly resolveReason?: string
  readonly finding?: Finding | undefined
}
