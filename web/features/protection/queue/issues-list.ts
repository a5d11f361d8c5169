/** The queue's address. It is part of the first page, which the schemas and the pictures stay out of: hence the values once more. */
import type { IssueKind, IssueStatus, Severity } from '#contract/protection.ts'
import { anyOf, defineList, textLike, UUID } from '#web/lib/list-search.ts'

const KINDS = [
  'ADDRESS_MISMATCH',
  'REVOKED_CREDENTIAL',
  'IMPLAUSIBLE_PLAYERS',
  'IMPERSONATION',
  'UNREACHABLE',
  'ANNOUNCE_FLOOD',
] as const satisfies readonly IssueKind[]
const SEVERITIES = ['HIGH', 'MEDIUM', 'LOW'] as const satisfies readonly Severity[]
export const STATUSES = ['OPEN', 'ACKNOWLEDGED', 'RESOLVED', 'DISMISSED'] as const satisfies readonly IssueStatus[]

export const issuesList = defineList({
  sorts: { last_seen_at: 'desc', severity: 'desc', occurrences: 'desc', first_seen_at: 'asc' },
  filters: {
    kind: anyOf<IssueKind>(KINDS),
    status: anyOf<IssueStatus>(STATUSES),
    severity: anyOf<Severity>(SEVERITIES),
    user_id: textLike(UUID),
  },
})

/** What the queue shows unasked: what is in force. */
const USUAL: readonly IssueStatus[] = ['OPEN', 'ACKNOWLEDGED']

/** The statuses that are shown; an address that names none means the usual ones. */
export function shownStatuses(named: readonly IssueStatus[]): readonly IssueStatus[] {
  return named.length === 0 ? USUAL : named
}

/** As the address names them. Where none is chosen, none is asked for: any will do. */
export function namedStatuses(chosen: readonly IssueStatus[]): readonly IssueStatus[] {
  if (chosen.length === 0) return STATUSES
  const usual = chosen.length === USUAL.length && USUAL.every((status) => chosen.includes(status))
  return usual ? [] : STATUSES.filter((status) => chosen.includes(status))
}
