/** Resolves issues automatically, in the transaction of the change that makes them obsolete, and reopens those of a restored server. */
import { m } from '#api-messages'
import { STORED } from '#backend/platform/messages/stored-text.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { type IssueFilter, type UpdatedIssue, reopenIssues, resolveOpenIssues } from './open-issues.queries.ts'
import { recordIssueEvents, statusChanged } from './timeline.ts'

/** Resolves open issues about servers. Lock the servers first. @param reason one sentence for the owner. */
export async function resolveIssuesOf(trx: Db, { reason, ...filter }: IssueFilter & { readonly reason: string }): Promise<void> {
  if (filter.publicIds.length > 0) await recordResolved(trx, await resolveOpenIssues(trx, filter), reason, filter.now)
}

export async function recordResolved(trx: Db, rows: readonly UpdatedIssue[], reason: string, now?: Date): Promise<void> {
  const resolved = rows.map((issue) => statusChanged(issue, 'ISSUE_RESOLVED', issue.previous_status, 'RESOLVED', reason))
  await recordIssueEvents(trx, resolved, now)
}

const SERVER_DELETED = m.resolution_deleted({}, STORED)

/** Resolves the issues of a locked server that goes to the bin. */
export const resolveIssuesOfDeleted = (trx: Db, publicId: string): Promise<void> =>
  resolveIssuesOf(trx, { publicIds: [publicId], reason: SERVER_DELETED })

/** Reopens what `resolveIssuesOfDeleted` resolved, with the same status and consequences. Otherwise deleting and restoring would lift them. */
export async function reopenIssuesOfRestored(trx: Db, publicId: string): Promise<void> {
  const reopened = await reopenIssues(trx, publicId, SERVER_DELETED)
  await recordIssueEvents(
    trx,
    reopened.map((issue) => statusChanged(issue, 'ISSUE_REOPENED', 'RESOLVED', issue.status, m.resolution_restored({}, STORED))),
  )
}
