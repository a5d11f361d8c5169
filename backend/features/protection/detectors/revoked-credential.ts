/** Detects reissued or revoked credentials that keep announcing. */
import type { Detector, RejectedAnnounce, RunningDetector } from '#backend/features/protection/detector.ts'
import { type Finding, evidence } from '#backend/features/protection/finding.ts'
import { RepeatCounter } from './repeat-counter.ts'

const DAY_MS = 86_400_000

export const revokedCredential: Detector = {
  kind: 'REVOKED_CREDENTIAL',
  explanation:
    'The list rejects these announces. Usually a second copy of the server still runs with the old configuration. Otherwise someone kept the old credential.',
  remedy:
    'Put the newest credential into every copy of the server configuration, or stop the server that still uses the old one. The evidence shows when and from where it announces.',
  escalationPolicy: [{ consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 }],
  autoResolveAfterMs: 7 * DAY_MS,
  resolvesWhen: 'It resolves once nothing has announced with an old credential of the server for 7 days.',
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
    const item = evidence(at, 'An announce with an old credential.', 'Announces with the newest credential only.', address)
    if (this.add(publicId, at, item).count < MIN_ATTEMPTS) return undefined
    return this.report({
      kind: 'REVOKED_CREDENTIAL',
      publicId,
      fingerprint: '',
      severity: 'MEDIUM',
      summary: 'Something still announces with an old credential of this server.',
      at,
    })
  }
}
