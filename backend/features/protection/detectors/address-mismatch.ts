/** A valid credential that announces from another address than the one it is bound to: the server has moved, or somebody else has it. */
import type { Conclusion, Detector, RefusedAnnounce, RunningDetector, ServerChange } from '#backend/features/protection/detector.ts'
import type { Finding } from '#backend/features/protection/finding.ts'
import { Tries } from './tries.ts'

const HOUR_MS = 3_600_000

export const addressMismatch: Detector = {
  kind: 'ADDRESS_MISMATCH',
  title: 'Announced from another address',
  explanation:
    "Somebody announces this server with its valid credential, but from another address than the one the credential is bound to. Those announces are refused, so your players still see the right server. Either the server has moved, or somebody else has the server's credential.",
  remedy:
    'If the server has moved, reset the bound address in the panel; the next announce binds the new one. If it has not, somebody else has the credential: reissue it and keep the new one out of shared files.',
  // The owner is the victim: it costs him nothing, however long it goes on.
  ladder: [{ consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 }],
  quietMs: 24 * HOUR_MS,
  ends: 'It resolves by itself once no such announce has come for 24 hours, or at once when you reissue the credential or reset the bound address.',
  endsWithHandOver: true,
  refusal: 'ADDRESS_MISMATCH',
  dryRun: {
    over: 'attempts',
    unseen:
      'Only the newest 50 attempts of each server are stored, and of the bound server only when it announced last. So a server that has moved, with an owner who did not reset the address, and one whose credential somebody else uses can not be told apart exactly.',
  },
  create: () => new AddressMismatch(),
}

const MINUTE_MS = 60_000
/** Where the bound server is not online it is most likely a move, and who moves resets the address within minutes. */
const SILENT = { tries: 10, forMs: 30 * MINUTE_MS }

const SUMMARIES = {
  proven: "Somebody announces with this server's credential from another address, while the server itself announces too.",
  contested: "The server's credential was used from another address within moments of the server itself.",
  moved: 'The server announces from another address than the one its credential is bound to, and no more from that one.',
}

/** Announces that were refused with ADDRESS_MISMATCH under a credential that works. */
export class AddressMismatch implements RunningDetector {
  readonly #tries = new Tries(24 * HOUR_MS)

  refused({ publicId, at, address, bound, boundSeenAt }: RefusedAnnounce): Finding | undefined {
    if (bound === undefined) return undefined
    const { since, count } = this.#tries.add(publicId, at, {
      at: new Date(at).toISOString(),
      observed: 'An announce with the valid credential from another address.',
      expected: `Announces from ${bound}.`,
      address,
    })
    // Two addresses within the time that the list waits for an announce: one credential is in use twice.
    const isContested = boundSeenAt !== undefined
    const isProven = isContested && boundSeenAt >= since
    if (!isContested && (count < SILENT.tries || at - since < SILENT.forMs)) return undefined
    const told = this.#tries.tell(publicId, at)
    return told === undefined
      ? undefined
      : {
          kind: 'ADDRESS_MISMATCH',
          publicId,
          fingerprint: '',
          // Proven once the server itself has announced since; before, it may have stopped a moment ago.
          severity: isProven ? 'HIGH' : 'MEDIUM',
          summary: isProven ? SUMMARIES.proven : isContested ? SUMMARIES.contested : SUMMARIES.moved,
          at,
          ...told,
        }
  }

  changed({ server, isReissued, isAddressReset }: ServerChange): Conclusion | undefined {
    if (!isReissued && !isAddressReset) return undefined
    this.forget(server.publicId)
    return { clear: isReissued ? 'The credential was reissued.' : 'The bound address was reset.' }
  }

  forget(publicId: string): void {
    this.#tries.forget(publicId)
  }

  prune(at: number): void {
    this.#tries.prune(at)
  }
}
