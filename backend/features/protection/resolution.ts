/** Resolves issues automatically, in the transaction of the change that makes them obsolete. */
import type { Db } from '#backend/platform/database/open.ts'
import { type IssueFilter, type UpdatedIssue, resolveOpenIssues } from './open-issues.queries.ts'
import { recordIssueEvents, statusChanged } from './timeline.ts'

/** Resolves open issues about servers. Lock the servers first. @param reason one sentence for the owner. */
export async function resolveIssuesOf(trx: Db, { reason, ...filter }: IssueFilter & { readonly reason: string }): Promise<void> {
  if (filter.publicIds.length > 0) await recordResolved(trx, await resolveOpenIssues(trx, filter), reason, filter.now)
}

export async function recordResolved(trx: Db, rows: readonly UpdatedIssue[], reason: string, now?: Date): Promise<void> {
  const resolved = rows.map((issue) => statusChanged(issue, 'ISSUE_RESOLVED', issue.previous_status, 'RESOLVED', reason))
  await recordIssueEvents(trx, resolved, now)
}
