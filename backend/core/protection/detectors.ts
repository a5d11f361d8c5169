/** All detectors. To add one: a file in `detectors/`, a row here, and a kind in `contract/protection/issue-kinds.ts`. */
import type { IssueKind } from '#contract/protection/protection.ts'
import type { Detector } from './detector.ts'
import { addressMismatch } from './detectors/address-mismatch.ts'
import { announceFlood } from './detectors/announce-flood.ts'
import { impersonation } from './detectors/impersonation.ts'
import { implausiblePlayers } from './detectors/implausible-players.ts'
import { playerReports } from './detectors/player-reports.ts'
import { reportAbuse } from './detectors/report-abuse.ts'
import { revokedCredential } from './detectors/revoked-credential.ts'
import { unreachable } from './detectors/unreachable.ts'

export const DETECTORS: Readonly<Record<IssueKind, Detector>> = {
  ADDRESS_MISMATCH: addressMismatch,
  REVOKED_CREDENTIAL: revokedCredential,
  IMPLAUSIBLE_PLAYERS: implausiblePlayers,
  IMPERSONATION: impersonation,
  UNREACHABLE: unreachable,
  ANNOUNCE_FLOOD: announceFlood,
  PLAYER_REPORTS: playerReports,
  REPORT_ABUSE: reportAbuse,
}
