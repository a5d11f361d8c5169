/** Rules for issues: who can see them, and what their owners can do. Each change has its own transaction. */
import { sql } from 'kysely'
import { lockIssue } from '#backend/platform/database/lock-order.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { anyOf } from '#backend/platform/database/sql.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { forbidden, invalid, notFound, orNotFound, tooMany } from '#backend/platform/errors.ts'
import type { Caller } from '#backend/platform/http/bind.ts'
import { getPublicUser } from '#backend/core/users/public-users.ts'
import { lockActor } from '#backend/core/users/users.ts'
import { type IssueRow, type LockedIssue, listIssues, listIssuesOf, updateIssue } from './issues.queries.ts'
import { type IssueEvent, recordIssueEvents, statusChanged } from './timeline.ts'

const MAX_LISTED = 100
const DAY_MS = 86_400_000
const REPLIES_PER_DAY = 10

const issueNotFound = () => notFound('ISSUE_NOT_FOUND')

/** Only administrators can see other owners' issues. */
type Viewer = Pick<Caller, 'userId' | 'isAdmin'>

export async function issuesOf(db: Db, viewer: Viewer, ownerId: string): Promise<IssueRow[]> {
  if (viewer.userId !== ownerId && !viewer.isAdmin) throw notFound('USER_NOT_FOUND')
  await getPublicUser(db, ownerId)
  return listIssuesOf(db, ownerId, !viewer.isAdmin, MAX_LISTED)
}

export async function getIssue(db: Db, viewer: Viewer, ownerId: string, id: string): Promise<IssueRow> {
  if (viewer.userId !== ownerId && !viewer.isAdmin) throw issueNotFound()
  const row = await getAnyIssue(db, id)
  if (row.user_id !== ownerId || !(row.is_visible_to_owner || viewer.isAdmin)) throw issueNotFound()
  return row
}

export async function getAnyIssue(db: Db, id: string): Promise<IssueRow> {
  const [row] = isUuid(id) ? await listIssues(db, [id]) : []
  return orNotFound(row, 'ISSUE_NOT_FOUND')
}

/** Runs `act` for the owner only, with the owner and the issue locked. Administrators use `moderation.ts`. */
async function actAsOwner(
  db: Db,
  viewer: Viewer,
  ownerId: string,
  id: string,
  act: (trx: Db, issue: LockedIssue) => Promise<void>,
): Promise<void> {
  await getIssue(db, viewer, ownerId, id)
  if (viewer.userId !== ownerId) throw forbidden('ISSUE_FOR_OWNER_ONLY')
  await transaction(db, async (trx) => {
    await lockActor(trx, ownerId, 'share')
    const issue = await lockIssue(trx, id)
    if (issue?.user_id !== ownerId) throw issueNotFound()
    await act(trx, issue)
  })
}

export async function acknowledge(db: Db, viewer: Viewer, ownerId: string, id: string, now: Date): Promise<void> {
  await actAsOwner(db, viewer, ownerId, id, async (trx, issue) => {
    if (issue.status !== 'OPEN') return
    await updateIssue(trx, id, { status: 'ACKNOWLEDGED' })
    const acknowledged = statusChanged(issue, 'ISSUE_ACKNOWLEDGED', issue.status, 'ACKNOWLEDGED')
    await recordIssueEvents(trx, [acknowledged], now, { as: 'self', actorId: ownerId })
  })
}

/** Adds the owner's reply. Throws `too-many` after `REPLIES_PER_DAY` replies to one issue. */
export async function replyTo(db: Db, viewer: Viewer, ownerId: string, id: string, message: string, now: Date): Promise<void> {
  await actAsOwner(db, viewer, ownerId, id, async (trx, issue) => {
    // An acknowledged issue is still open.
    if (!issue.is_open) throw invalid('ISSUE_CLOSED')
    // Counted while the issue is locked, so concurrent replies cannot exceed the limit.
    const oldest = await trx
      .selectFrom('protection_timeline')
      .select('at')
      .where('issue_id', '=', id)
      .where('kind', '=', 'REPLY')
      .where('by', '=', 'owner')
      .where('at', '>', new Date(now.getTime() - DAY_MS))
      .orderBy('at', 'desc')
      .offset(REPLIES_PER_DAY - 1)
      .executeTakeFirst()
    if (oldest !== undefined) {
      const waitMs = oldest.at.getTime() + DAY_MS - now.getTime()
      throw tooMany(Math.max(1, Math.ceil(waitMs / 1000)), 'TOO_MANY_REPLIES', { max: REPLIES_PER_DAY })
    }
    const replied: IssueEvent = { issue, action: 'ISSUE_REPLIED', entry: { kind: 'REPLY', text: message } }
    await recordIssueEvents(trx, [replied], now, { as: 'self', actorId: ownerId })
  })
}

/** The number of issues in force (open or acknowledged) by user id or server id. Ids without any are missing. */
export async function countOpenIssues(db: Db, by: 'user_id' | 'server_id', ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('protection_issues')
    .select((q) => [sql<string>`${sql.ref(by)}`.as('of'), q.fn.countAll<string>().as('count')])
    .where(sql.ref(by), '=', anyOf(ids))
    .where('is_open', '=', true)
    .groupBy(by)
    .execute()
  return new Map(rows.map(({ of, count }) => [of, Number(count)]))
}
