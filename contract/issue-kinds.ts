/** The kinds of protection issues. Each has a detector in `backend/features/protection/detectors.ts`. */

/** Short names for lists. An issue's own page shows the title from its detector. */
export const ISSUES = {
  ADDRESS_MISMATCH: { name: 'Announced from another address' },
  REVOKED_CREDENTIAL: { name: 'Old credential still in use' },
  IMPLAUSIBLE_PLAYERS: { name: 'Implausible number of players' },
  IMPERSONATION: { name: 'Name like another server’s' },
  UNREACHABLE: { name: 'Can’t be reached from outside' },
  ANNOUNCE_FLOOD: { name: 'Too many announces' },
} as const

export type IssueKind = keyof typeof ISSUES
export const ISSUE_KINDS = Object.keys(ISSUES) as [IssueKind, ...IssueKind[]]
