/** A valid credential that announces from another address than the one it is bound to: the server has moved, or somebody else has it. */
import type { Rule } from '#backend/features/protection/finding.ts'

const HOUR_MS = 3_600_000

export const addressMismatch: Rule = {
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
}
