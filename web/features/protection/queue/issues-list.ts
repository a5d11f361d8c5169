/** The filters and sort order of the queue, as they appear in its URL. */
import { ISSUE_KINDS, ISSUE_STATUSES, type IssueStatus, OPEN_STATUSES, SEVERITIES } from '#contract/protection/protection.ts'
import { anyOf, defineList, matching, UUID } from '#web/lib/url/list-search.ts'

export const issuesList = defineList({
  sorts: { last_seen_at: 'desc', severity: 'desc', occurrences: 'desc', first_seen_at: 'asc' },
  filters: {
    kind: anyOf(ISSUE_KINDS),
    status: anyOf(ISSUE_STATUSES),
    severity: anyOf(SEVERITIES),
    user_id: matching(UUID),
  },
})

/** A URL without statuses means the default: open and acknowledged. */
export function statusesFromUrl(inUrl: readonly IssueStatus[]): readonly IssueStatus[] {
  return inUrl.length === 0 ? OPEN_STATUSES : inUrl
}

/** The default is left out of the URL. No selected status means all of them. */
export function statusesToUrl(selected: readonly IssueStatus[]): readonly IssueStatus[] {
  if (selected.length === 0) return ISSUE_STATUSES
  const isDefault = selected.length === OPEN_STATUSES.length && OPEN_STATUSES.every((status) => selected.includes(status))
  return isDefault ? [] : ISSUE_STATUSES.filter((status) => selected.includes(status))
}
