/** The queue: what it is narrowed and sorted by, as its address has it. */
import { ISSUE_KINDS, ISSUE_STATUSES, type IssueStatus, OPEN_STATUSES, SEVERITIES } from '#contract/protection.ts'
import { anyOf, defineList, matching, UUID } from '#web/lib/list-search.ts'

export const issuesList = defineList({
  sorts: { last_seen_at: 'desc', severity: 'desc', occurrences: 'desc', first_seen_at: 'asc' },
  filters: {
    kind: anyOf(ISSUE_KINDS),
    status: anyOf(ISSUE_STATUSES),
    severity: anyOf(SEVERITIES),
    user_id: matching(UUID),
  },
})

/** The statuses that are shown; an address that names none means the usual ones: what is in force. */
export function statusesFromUrl(named: readonly IssueStatus[]): readonly IssueStatus[] {
  return named.length === 0 ? OPEN_STATUSES : named
}

/** As the address names them. Where none is chosen, none is asked for: any will do. */
export function statusesToUrl(chosen: readonly IssueStatus[]): readonly IssueStatus[] {
  if (chosen.length === 0) return ISSUE_STATUSES
  const usual = chosen.length === OPEN_STATUSES.length && OPEN_STATUSES.every((status) => chosen.includes(status))
  return usual ? [] : ISSUE_STATUSES.filter((status) => chosen.includes(status))
}
