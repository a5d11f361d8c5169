/** The reports of an issue, for administrators. */
import type { IssueReports } from '#contract/protection/reports.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { getAnyIssue } from '#backend/core/protection/issues.ts'
import { publicUsers } from '#backend/core/users/public-users.ts'
import { countReports, listReports } from './reports.queries.ts'
import { WEEK_MS } from './reports.ts'

const MAX_LISTED = 100

type Issue = Pick<Awaited<ReturnType<typeof getAnyIssue>>, 'id' | 'kind' | 'user_id'>

export async function presentReports(db: Db, issue: Issue): Promise<IssueReports> {
  const filter = issue.kind === 'REPORT_ABUSE' ? { user_id: issue.user_id } : { issue_id: issue.id }
  const [counts, rows] = await Promise.all([countReports(db, filter, WEEK_MS), listReports(db, filter, MAX_LISTED)])
  const people = await publicUsers(
    db,
    rows.map((row) => row.user_id),
  )
  const reports = rows.flatMap((row) => {
    const reporter = people.get(row.user_id)
    if (reporter === undefined) return []
    return [
      {
        id: row.id,
        server: { public_id: row.server_id, name: row.server_name },
        created_at: row.created_at.toISOString(),
        reason: row.reason,
        details: row.details,
        reporter,
        account_created_at: row.account_created_at.toISOString(),
        standing: { upheld: row.upheld, dismissed: row.dismissed },
        is_counted: row.is_counted,
        outcome: row.outcome,
      },
    ]
  })
  return { ...counts, reports }
}
