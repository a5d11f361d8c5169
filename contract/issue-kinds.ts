/** The kinds of protection issues. The detector of each is a row in `backend/features/protection/detectors.ts`. */

/** Each with a short name for lists; an issue's own page has the title of its detector. */
export const ISSUES = {
  ADDRESS_MISMATCH: { name: 'Announced from another address' },
  REVOKED_CREDENTIAL: { name: 'Old credential still in use' },
  IMPLAUSIBLE_PLAYERS: { name: 'Implausible number of players' },
  IMPERSONATION: { name: 'Name like another server’s' },
  UNREACHABLE: { name: 'Can’t be reached from outside' },
  ANNOUNCE_FLOOD: { name: 'Announces far too often' },
} as const

export type IssueKind = keyof typeof ISSUES
export const ISSUE_KINDS = Object.keys(ISSUES) as [IssueKind, ...IssueKind[]]
