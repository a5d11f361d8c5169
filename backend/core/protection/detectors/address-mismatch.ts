/** Detects announces with a valid credential from an unbound address: the server moved, or the credential leaked. */
import { m } from '#api-messages'
import { STORED } from '#backend/platform/messages/stored-text.ts'
import type {
  Conclusion,
  Detector,
  MovedAddress,
  RejectedAnnounce,
  RunningDetector,
  ServerChange,
} from '#backend/core/protection/detector.ts'
import { type Finding, evidence } from '#backend/core/protection/finding.ts'
import { RepeatCounter } from './repeat-counter.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export const addressMismatch: Detector = {
  kind: 'ADDRESS_MISMATCH',
  explanation: () => m.issue_address_mismatch_explanation(),
  remedy: () => m.issue_address_mismatch_remedy(),
  // The owner is the victim, so it never escalates.
  escalationPolicy: [{ consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 }],
  autoResolveAfterMs: 24 * HOUR_MS,
  resolvesWhen: () => m.issue_address_mismatch_resolves(),
  resolvesOnTransfer: true,
  rejectionCode: 'ADDRESS_MISMATCH',
  dryRun: {
    source: 'attempts',
    limitations:
      'Only the newest 50 attempts per server are stored, and for the bound server only its last announce. So a dry run cannot reliably distinguish a moved server from a leaked credential.',
  },
  create: () => new AddressMismatch(),
}

/** A home line gets a new address once a day. Two machines that share a credential move it all the time. */
const MAX_MOVES_PER_DAY = 6
/** An offline server has most likely moved, and an owner who moves it resets the address within minutes. */
const WHILE_OFFLINE = { minAttempts: 10, minDurationMs: 30 * MINUTE_MS }

export class AddressMismatch extends RepeatCounter implements RunningDetector {
  constructor() {
    super(24 * HOUR_MS)
  }

  rejected({ publicId, at, address, boundAddress, lastAcceptedAt }: RejectedAnnounce): Finding | undefined {
    if (boundAddress === undefined) return undefined
    const item = evidence(
      at,
      m.finding_address_mismatch_observed({}, STORED),
      m.finding_address_mismatch_expected({ address: boundAddress }, STORED),
      address,
    )
    const { since, count } = this.add(publicId, at, item)
    const isOffline = lastAcceptedAt === undefined
    if (isOffline && (count < WHILE_OFFLINE.minAttempts || at - since < WHILE_OFFLINE.minDurationMs)) return undefined
    return this.report({ kind: 'ADDRESS_MISMATCH', publicId, fingerprint: '', at, ...severityAndSummary(lastAcceptedAt, since) })
  }

  moved({ publicId, at, from, to, moves }: MovedAddress): Finding | undefined {
    const item = evidence(
      at,
      m.finding_address_moved_observed({}, STORED),
      m.finding_address_mismatch_expected({ address: from }, STORED),
      to,
    )
    if (moves <= MAX_MOVES_PER_DAY) return undefined
    this.add(publicId, at, item)
    const summary = m.finding_address_mismatch_moves({}, STORED)
    return this.report({ kind: 'ADDRESS_MISMATCH', publicId, fingerprint: '', at, severity: 'MEDIUM', summary })
  }

  changed({ server, isReissued, isAddressReset, isFollowing }: ServerChange): Conclusion | undefined {
    if (!isReissued && !isAddressReset && !isFollowing) return undefined
    this.forget(server.publicId)
    if (isFollowing) return { resolveReason: m.resolution_address_follows({}, STORED) }
    return { resolveReason: isReissued ? m.resolution_reissued({}, STORED) : m.resolution_address_reset({}, STORED) }
  }
}

/** @param lastAcceptedAt undefined while the server is offline. @param since the first rejected announce. */
function severityAndSummary(lastAcceptedAt: number | undefined, since: number): Pick<Finding, 'severity' | 'summary'> {
  if (lastAcceptedAt === undefined) return { severity: 'MEDIUM', summary: m.finding_address_mismatch_moved({}, STORED) }
  // Without an announce since then, the bound server may just have stopped.
  if (lastAcceptedAt < since)
    return {
      severity: 'MEDIUM',
      summary: m.finding_address_mismatch_soon({}, STORED),
    }
  return {
    severity: 'HIGH',
    summary: m.finding_address_mismatch_both({}, STORED),
  }
}
