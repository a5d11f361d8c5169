/** The rule of each kind of issue: one file each in `detectors/`, collected here and nowhere else. */
import type { IssueKind } from '#contract/protection.ts'
import { addressMismatch } from './detectors/address-mismatch.ts'
import { announceFlood } from './detectors/announce-flood.ts'
import { impersonation } from './detectors/impersonation.ts'
import { implausiblePlayers } from './detectors/implausible-players.ts'
import { revokedCredential } from './detectors/revoked-credential.ts'
import { unreachable } from './detectors/unreachable.ts'
import type { Rule } from './finding.ts'

export const RULES: Readonly<Record<IssueKind, Rule>> = {
  ADDRESS_MISMATCH: addressMismatch,
  REVOKED_CREDENTIAL: revokedCredential,
  IMPLAUSIBLE_PLAYERS: implausiblePlayers,
  IMPERSONATION: impersonation,
  UNREACHABLE: unreachable,
  ANNOUNCE_FLOOD: announceFlood,
}
