/** A valid credential is used from another address than its own: the server has moved, or somebody else has the credential. */
import type { Conclusion, Detector, RejectedAnnounce, RunningDetector, ServerChange } from '#backend/features/protection/detector.ts'
import { type Finding, evidence } from '#backend/features/protection/finding.ts'
import { RepeatCounter } from './repeat-counter.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export const addressMismatch: Detector = {
  kind: 'ADDRESS_MISMATCH',
  title: 'Announced from another address',
  explanation:
    "Somebody announces this server with its valid credential, but from another address than the one the credential is bound to. Those announces are refused, so your players still see the right server. Either the server has moved, or somebody else has the server's credential.",
  remedy:
    'If the server has moved, reset the bound address in the panel; the next announce binds the new one. If it has not, somebody else has the credential: reissue it and keep the new one out of shared files.',
  // The owner is the victim: it costs them nothing, however long it goes on.
  escalationPolicy: [{ consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 }],
  autoResolveAfterMs: 24 * HOUR_MS,
  resolvesWhen:
    'It resolves by itself once no such announce has come for 24 hours, or at once when you reissue the credential or reset the bound address.',
  resolvesOnTransfer: true,
  rejectionCode: 'ADDRESS_MISMATCH',
  dryRun: {
    source: 'attempts',
    limitations:
      'Only the newest 50 attempts of each server are stored, and of the bound server only when it announced last. So a server that has moved, with an owner who did not reset the address, and one whose credential somebody else uses can not be told apart exactly.',
  },
  create: () => new AddressMismatch(),
}

/** While the bound server is offline it is most likely a move, and whoever moves resets the address within minutes. */
const OFFLINE = { tries: 10, forMs: 30 * MINUTE_MS }

/** Rejected announces under a credential that works, from another address than the server's. */
export class AddressMismatch extends RepeatCounter implements RunningDetector {
  constructor() {
    super(24 * HOUR_MS)
  }

  rejected({ publicId, at, address, boundAddress: bound, lastAcceptedAt: boundSeenAt }: RejectedAnnounce): Finding | undefined {
    if (bound === undefined) return undefined
    const item = evidence(at, 'An announce with the valid credential from another address.', `Announces from ${bound}.`, address)
    const { since, count } = this.add(publicId, at, item)
    if (boundSeenAt === undefined && (count < OFFLINE.tries || at - since < OFFLINE.forMs)) return undefined
    return this.report({ kind: 'ADDRESS_MISMATCH', publicId, fingerprint: '', at, ...severityAndSummary(boundSeenAt, since) })
  }

  changed({ server, isReissued, isAddressReset }: ServerChange): Conclusion | undefined {
    if (!isReissued && !isAddressReset) return undefined
    this.forget(server.publicId)
    return { resolveReason: isReissued ? 'The credential was reissued.' : 'The bound address was reset.' }
  }
}

/** @param boundSeenAt the last announce of the bound server; undefined while it is offline. */
function severityAndSummary(boundSeenAt: number | undefined, since: number): Pick<Finding, 'severity' | 'summary'> {
  if (boundSeenAt === undefined)
    return {
      severity: 'MEDIUM',
      summary: 'The server announces from another address than the one its credential is bound to, and no more from that one.',
    }
  // The bound server may have stopped a moment ago, unless it has announced since.
  if (boundSeenAt < since)
    return { severity: 'MEDIUM', summary: "The server's credential was used from another address within moments of the server itself." }
  return {
    severity: 'HIGH',
    summary: "Somebody announces with this server's credential from another address, while the server itself announces too.",
  }
}
