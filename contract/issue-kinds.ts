/** The kinds of protection issues, with their names. Each has a detector in `backend/features/protection/detectors.ts`. */

export const ISSUES = {
  ADDRESS_MISMATCH: { name: 'Announced from another address' },
  REVOKED_CREDENTIAL: { name: 'Old credential still in use' },
  IMPLAUSIBLE_PLAYERS: { name: 'Implausible player count' },
  IMPERSONATION: { name: 'Impersonation' },
  UNREACHABLE: { name: 'Unreachable from the internet' },
  ANNOUNCE_FLOOD: { name: 'Too many announces' },
} as const

export type IssueKind = keyof typeof ISSUES
export const ISSUE_KINDS = Object.keys(ISSUES) as [IssueKind, ...IssueKind[]]
