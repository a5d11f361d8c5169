/** Resolves issues automatically, in the transaction of the change that makes them obsolete, and reopens those of a restored server. */
import { m } from '#api-messages'
import { STORED } from '#backend/platform/messages/stored-text.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { type IssueFilter, type UpdatedIssue, reopenIssues, resolveOpenIssues } from './open-issues.queries.ts'
import { recordIssueEvents, statusChanged } from './timeline.ts'

interface Resolution {
  /** One sentence for the owner. */
  readonly reason: string
  /** The user whose change made the issues obsolete. They are not notified. */
  readonly causedBy?: string | null | undefined
}

/** Resolves open issues about a server, and returns their ids. Lock the server first. */
export async function resolveIssuesOf(trx: Db, { reason, causedBy, ...filter }: IssueFilter & Resolution): Promise<string[]> {
  const resolved = await resolveOpenIssues(trx, filter)
  await recordResolved(trx, resolved, { reason, causedBy }, filter.now)
  return resolved.map(({ id }) => id)
}

export async function recordResolved(trx: Db, rows: readonly UpdatedIssue[], { reason, causedBy }: Resolution, now?: Date): Promise<void> {
  const resolved = rows.map((issue) => ({
    ...statusChanged(issue, 'ISSUE_RESOLVED', issue.previous_status, 'RESOLVED', reason),
    causedBy,
  }))
  await recordIssueEvents(trx, resolved, now)
}

const SERVER_DELETED = m.resolution_deleted({}, STORED)

/** Resolves the issues of a locked server that goes to the bin. */
export const resolveIssuesOfDeleted = (trx: Db, publicId: string, causedBy: string | null): Promise<string[]> =>
  resolveIssuesOf(trx, { publicId, reason: SERVER_DELETED, causedBy })

/** Reopens what `resolveIssuesOfDeleted` resolved, with the same status and consequences. Otherwise deleting and restoring would lift them. */
export async function reopenIssuesOfRestored(trx: Db, publicId: string): Promise<void> {
  const reopened = await reopenIssues(trx, publicId, SERVER_DELETED)
  await recordIssueEvents(
    trx,
    reopened.map((issue) => statusChanged(issue, 'ISSUE_REOPENED', 'RESOLVED', issue.status, m.resolution_restored({}, STORED))),
  )
}
