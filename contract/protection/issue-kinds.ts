/** The kinds of protection issues, with their names. Each has a detector in `backend/core/protection/detectors.ts`. */
import { m } from '#api-messages'

export const ISSUES = {
  ADDRESS_MISMATCH: { name: () => m.issue_address_mismatch() },
  REVOKED_CREDENTIAL: { name: () => m.issue_revoked_credential() },
  IMPLAUSIBLE_PLAYERS: { name: () => m.issue_implausible_players() },
  IMPERSONATION: { name: () => m.issue_impersonation() },
  UNREACHABLE: { name: () => m.issue_unreachable() },
  ANNOUNCE_FLOOD: { name: () => m.issue_announce_flood() },
  PLAYER_REPORTS: { name: () => m.issue_player_reports() },
  REPORT_ABUSE: { name: () => m.issue_report_abuse() },
} as const

export type IssueKind = keyof typeof ISSUES
export const ISSUE_KINDS = Object.keys(ISSUES) as [IssueKind, ...IssueKind[]]
