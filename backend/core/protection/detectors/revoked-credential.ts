/** Detects reissued or revoked credentials that keep announcing. */
import { m } from '#api-messages'
import { STORED } from '#backend/platform/messages/stored-text.ts'
import type { Detector, RejectedAnnounce, RunningDetector } from '#backend/core/protection/detector.ts'
import { type Finding, evidence } from '#backend/core/protection/finding.ts'
import { RepeatCounter } from './repeat-counter.ts'

const DAY_MS = 86_400_000

export const revokedCredential: Detector = {
  kind: 'REVOKED_CREDENTIAL',
  explanation: () => m.issue_revoked_credential_explanation(),
  remedy: () => m.issue_revoked_credential_remedy(),
  escalationPolicy: [{ consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 }],
  autoResolveAfterMs: 7 * DAY_MS,
  resolvesWhen: () => m.issue_revoked_credential_resolves(),
  resolvesOnTransfer: true,
  rejectionCode: 'CREDENTIAL_REVOKED',
  dryRun: { source: 'attempts', limitations: 'Only the newest 50 attempts per server are stored.' },
  create: () => new RevokedCredential(),
}

/** A restart shortly after a reissue without a grace period causes one or two attempts. */
const MIN_ATTEMPTS = 3

export class RevokedCredential extends RepeatCounter implements RunningDetector {
  constructor() {
    super(DAY_MS)
  }

  rejected({ publicId, at, address }: RejectedAnnounce): Finding | undefined {
    const item = evidence(at, m.finding_revoked_credential_observed({}, STORED), m.finding_revoked_credential_expected({}, STORED), address)
    if (this.add(publicId, at, item).count < MIN_ATTEMPTS) return undefined
    return this.report({
      kind: 'REVOKED_CREDENTIAL',
      publicId,
      fingerprint: '',
      severity: 'MEDIUM',
      summary: m.finding_revoked_credential({}, STORED),
      at,
    })
  }
}
