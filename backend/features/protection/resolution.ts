/** Issues that the program resolves, in the transaction of the change that ends them. */
import type { Db } from '#backend/platform/database/open.ts'
import { type IssueFilter, type UpdatedIssue, resolveOpenIssues } from './open-issues.queries.ts'
import { recordIssueEvents, statusChanged } from './timeline.ts'

/** Resolves open issues about servers. Lock the servers first. @param why one sentence, as the owner reads it. */
export async function resolveIssuesOf(trx: Db, { why, ...ending }: IssueFilter & { readonly why: string }): Promise<void> {
  if (ending.publicIds.length > 0) await recordResolved(trx, await resolveOpenIssues(trx, ending), why, ending.now)
}

export async function recordResolved(trx: Db, rows: readonly UpdatedIssue[], why: string, now?: Date): Promise<void> {
  const ended = rows.map((issue) => statusChanged(issue, 'ISSUE_RESOLVED', issue.before, 'RESOLVED', why))
  await recordIssueEvents(trx, ended, now)
}
