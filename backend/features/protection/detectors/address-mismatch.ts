/** Detects announces with a valid credential from an unbound address: the server moved, or the credential leaked. */
import type { Conclusion, Detector, RejectedAnnounce, RunningDetector, ServerChange } from '#backend/features/protection/detector.ts'
import { type Finding, evidence } from '#backend/features/protection/finding.ts'
import { RepeatCounter } from './repeat-counter.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export const addressMismatch: Detector = {
  kind: 'ADDRESS_MISMATCH',
  explanation:
    "Announces with this server's valid credential come from another address than the bound one. The list rejects them, so your players still see the right server. Either your server has moved, or someone else has its credential.",
  remedy:
    'If the server has moved, reset the bound address in the panel. The next announce binds the new address. If it has not moved, someone else has the credential: reissue it and keep the new one out of shared files.',
  // The owner is the victim, so it never escalates.
  escalationPolicy: [{ consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 }],
  autoResolveAfterMs: 24 * HOUR_MS,
  resolvesWhen:
    'It resolves after 24 hours without such an announce. It resolves immediately if you reissue the credential or reset the bound address.',
  resolvesOnTransfer: true,
  rejectionCode: 'ADDRESS_MISMATCH',
  dryRun: {
    source: 'attempts',
    limitations:
      'Only the newest 50 attempts per server are stored, and for the bound server only its last announce. So a dry run cannot reliably distinguish a moved server from a leaked credential.',
  },
  create: () => new AddressMismatch(),
}

/** An offline server has most likely moved, and an owner who moves it resets the address within minutes. */
const WHILE_OFFLINE = { minAttempts: 10, minDurationMs: 30 * MINUTE_MS }

export class AddressMismatch extends RepeatCounter implements RunningDetector {
  constructor() {
    super(24 * HOUR_MS)
  }

  rejected({ publicId, at, address, boundAddress, lastAcceptedAt }: RejectedAnnounce): Finding | undefined {
    if (boundAddress === undefined) return undefined
    const item = evidence(at, 'An announce with the valid credential from another address.', `Announces from ${boundAddress}.`, address)
    const { since, count } = this.add(publicId, at, item)
    const isOffline = lastAcceptedAt === undefined
    if (isOffline && (count < WHILE_OFFLINE.minAttempts || at - since < WHILE_OFFLINE.minDurationMs)) return undefined
    return this.report({ kind: 'ADDRESS_MISMATCH', publicId, fingerprint: '', at, ...severityAndSummary(lastAcceptedAt, since) })
  }

  changed({ server, isReissued, isAddressReset }: ServerChange): Conclusion | undefined {
    if (!isReissued && !isAddressReset) return undefined
    this.forget(server.publicId)
    return { resolveReason: isReissued ? 'The credential was reissued.' : 'The bound address was reset.' }
  }
}

/** @param lastAcceptedAt undefined while the server is offline. @param since the first rejected announce. */
function severityAndSummary(lastAcceptedAt: number | undefined, since: number): Pick<Finding, 'severity' | 'summary'> {
  if (lastAcceptedAt === undefined)
    return { severity: 'MEDIUM', summary: 'The server announces from a new address and no longer from the one its credential is bound to.' }
  // Without an announce since then, the bound server may just have stopped.
  if (lastAcceptedAt < since)
    return {
      severity: 'MEDIUM',
      summary: "The server's credential was used from another address shortly after the server itself announced.",
    }
  return {
    severity: 'HIGH',
    summary: "The server's credential is in use from another address while the server itself still announces.",
  }
}
