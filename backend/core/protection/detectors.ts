/** All detectors. To add one: a file in `detectors/`, a row here, and a kind in `contract/protection/issue-kinds.ts`. */
import { m } from '#api-messages'
import type { IssueKind } from '#contract/protection/protection.ts'
import type { Detector } from './detector.ts'
import { addressMismatch } from './detectors/address-mismatch.ts'
import { announceFlood } from './detectors/announce-flood.ts'
import { impersonation } from './detectors/impersonation.ts'
import { implausiblePlayers } from './detectors/implausible-players.ts'
import { revokedCredential } from './detectors/revoked-credential.ts'

const DAY_MS = 86_400_000

// What follows is found elsewhere, so it has no checks. Reports are claims, however many: only administrators choose a consequence.
const NOTICE_ONLY: Detector['escalationPolicy'] = [{ consequence: 'NOTICE', afterMs: 0, afterOccurrences: 1 }]

/** Players reported the server. The feature `reports` counts them. */
const playerReports: Detector = {
  kind: 'PLAYER_REPORTS',
  explanation: () => m.issue_player_reports_explanation(),
  remedy: () => m.issue_player_reports_remedy(),
  escalationPolicy: NOTICE_ONLY,
  autoResolveAfterMs: 30 * DAY_MS,
  resolvesWhen: () => m.issue_player_reports_resolves(),
}

/** Administrators dismissed most reports of the user. The feature `reports` finds it. */
const reportAbuse: Detector = {
  kind: 'REPORT_ABUSE',
  explanation: () => m.issue_report_abuse_explanation(),
  remedy: () => m.issue_report_abuse_remedy(),
  escalationPolicy: NOTICE_ONLY,
  autoResolveAfterMs: 30 * DAY_MS,
  resolvesWhen: () => m.issue_report_abuse_resolves(),
}

/** The announced address does not answer the reachability check in `services/probing/` (docs/decisions/0012). */
const unreachable: Detector = {
  kind: 'UNREACHABLE',
  explanation: () => m.issue_unreachable_explanation(),
  remedy: () => m.issue_unreachable_remedy(),
  // With REACHABILITY=require, each finding sets its own consequence.
  escalationPolicy: NOTICE_ONLY,
  // While the server is online and silent, a finding repeats every ten minutes. This applies to servers that stay offline.
  autoResolveAfterMs: 7 * DAY_MS,
  resolvesWhen: () => m.issue_unreachable_resolves(),
}

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
