/** Resolves issues automatically, in the transaction of the change that makes them obsolete, and reopens those of a restored server. */
import { sql } from 'kysely'
import { m } from '#api-messages'
import type { IssueKind } from '#contract/protection/protection.ts'
import { STORED } from '#backend/platform/messages/stored-text.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { type UpdatedIssue, openIssues, updateIssues } from './issues.queries.ts'
import { recordIssueEvents, statusChanged } from './timeline.ts'

interface Reason {
  /** One sentence for the owner. */
  readonly reason: string
  /** The user whose change made the issues obsolete. They are not notified. */
  readonly causedBy?: string | null | undefined
}

interface Resolution extends Reason {
  readonly publicId: string
  /** Only this owner's issues; undefined for any owner's. */
  readonly ownerId?: string | undefined
  readonly kind?: IssueKind
  /** The owner sees the issues from now on. */
  readonly reachesOwner?: boolean
  /** Defaults to the database's time. */
  readonly now?: Date
}

/** Resolves open issues about a server, and returns their ids. Lock the server first. */
export async function resolveIssuesOf(trx: Db, { publicId, ownerId, kind, reachesOwner, now, ...why }: Resolution): Promise<string[]> {
  let due = openIssues(trx).where('server_id', '=', publicId)
  if (ownerId !== undefined) due = due.where('user_id', '=', ownerId)
  if (kind !== undefined) due = due.where('kind', '=', kind)
  const columns = {
    status: 'RESOLVED',
    closed_at: now ?? sql<Date>`now()`,
    ...(reachesOwner && { is_visible_to_owner: true as const }),
  } as const
  const resolved = await updateIssues(trx, due.forUpdate(), columns)
  await recordResolved(trx, resolved, why, now)
  return resolved.map(({ id }) => id)
}

export async function recordResolved(trx: Db, rows: readonly UpdatedIssue[], { reason, causedBy }: Reason, now?: Date): Promise<void> {
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

/**
 * Reopens what `resolveIssuesOfDeleted` resolved: issues whose last change of status has its reason. Their escalation continues where it
 * stopped, and acknowledged ones are acknowledged again. Otherwise deleting and restoring would lift consequences.
 */
export async function reopenIssuesOfRestored(trx: Db, publicId: string): Promise<void> {
  const changesOfStatus = sql`from protection_timeline t where t.issue_id = protection_issues.id and t.kind = 'STATUS' order by t.id desc`
  const lastReason = sql<string>`(select t.text ${changesOfStatus} limit 1)`
  const wasAcknowledged = sql`coalesce((select t.status = 'ACKNOWLEDGED' ${changesOfStatus} offset 1 limit 1), false)`
  const closedFor = sql`(now() - closed_at)`
  const reopened = await trx
    .updateTable('protection_issues')
    .set({
      status: sql`case when ${wasAcknowledged} then 'ACKNOWLEDGED' else 'OPEN' end`,
      closed_at: null,
      opened_at: sql<Date>`opened_at + ${closedFor}`,
      consequence_at: sql<Date>`consequence_at + ${closedFor}`,
    })
    .where('server_id', '=', publicId)
    .where('status', '=', 'RESOLVED')
    .where(lastReason, '=', SERVER_DELETED)
    .returning(['id', 'user_id', 'server_id', 'server_name', 'kind', 'status', 'is_visible_to_owner'])
    .execute()
  await recordIssueEvents(
    trx,
    reopened.map((issue) => statusChanged(issue, 'ISSUE_REOPENED', 'RESOLVED', issue.status, m.resolution_restored({}, STORED))),
  )
}
