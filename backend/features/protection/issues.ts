/** The rules of issues: who sees them, what their owner and what administrators do about them. Each change owns its transaction. */
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import { AppError, forbidden, invalid, notFound } from '#backend/platform/errors.ts'
import { getPublicUser } from '#backend/features/users/public-users.ts'
import { lockActor } from '#backend/features/users/users.ts'
import { type IssueRow, type LockedIssue, findIssue, listIssuesOf, listReplies, lockIssue, updateIssue } from './issues.queries.ts'
import { recordAll } from './timeline.ts'

/** How many of a person's issues his page shows. */
const MOST_SHOWN = 100
const DAY_MS = 86_400_000
const REPLIES_A_DAY = 10

export const noIssue = () => notFound('issue')

/** Who asks: what is of somebody else exists only for administrators. */
export interface Asking {
  readonly userId: string
  readonly isAdmin: boolean
}

/** The issues of a person, for himself and for administrators. */
export async function issuesOf(db: Db, asking: Asking, ownerId: string): Promise<IssueRow[]> {
  if (asking.userId !== ownerId && !asking.isAdmin) throw notFound('user')
  await getPublicUser(db, ownerId)
  return listIssuesOf(db, ownerId, MOST_SHOWN)
}

/** One of them. */
export async function getIssue(db: Db, asking: Asking, ownerId: string, id: string): Promise<IssueRow> {
  if (asking.userId !== ownerId && !asking.isAdmin) throw noIssue()
  const row = isUuid(id) ? await findIssue(db, id) : undefined
  if (row?.user_id !== ownerId) throw noIssue()
  return row
}

/** Any of them, for administrators. */
export async function getAnyIssue(db: Db, id: string): Promise<IssueRow> {
  const row = isUuid(id) ? await findIssue(db, id) : undefined
  if (row === undefined) throw noIssue()
  return row
}

/** What is not the caller's does not exist for him; an administrator sees it, and answers elsewhere. */
async function refuseOthers(db: Db, asking: Asking, ownerId: string, id: string): Promise<void> {
  await getIssue(db, asking, ownerId, id)
  if (asking.userId !== ownerId) throw forbidden("Only the owner does this. Answer or decide in the administrators' queue.")
}

/** Holds the owner, who may still act, and his issue. */
async function holdOwn(trx: Db, ownerId: string, id: string): Promise<LockedIssue> {
  await lockActor(trx, ownerId, 'share')
  const row = await lockIssue(trx, id)
  if (row?.user_id !== ownerId) throw noIssue()
  return row
}

/** The owner has seen it. */
export async function acknowledge(db: Db, asking: Asking, ownerId: string, id: string, now: Date): Promise<void> {
  await refuseOthers(db, asking, ownerId, id)
  await transaction(db, async (trx) => {
    const issue = await holdOwn(trx, ownerId, id)
    if (issue.status !== 'OPEN') return
    await updateIssue(trx, id, { status: 'ACKNOWLEDGED' })
    const acknowledged = {
      action: 'ISSUE_ACKNOWLEDGED' as const,
      issue,
      entry: { kind: 'STATUS', status: 'ACKNOWLEDGED' },
      before: { status: issue.status },
      after: { status: 'ACKNOWLEDGED' },
    }
    await recordAll(trx, [acknowledged], now, { as: 'self', actorId: ownerId })
  })
}

/** The owner answers, so often a day. */
export async function replyTo(db: Db, asking: Asking, ownerId: string, id: string, message: string, now: Date): Promise<void> {
  await refuseOthers(db, asking, ownerId, id)
  await transaction(db, async (trx) => {
    const issue = await holdOwn(trx, ownerId, id)
    if (!issue.is_open) throw invalid('This issue is over, so there is nothing to answer any more.')
    // Counted while the issue is held: of several at once none slips through.
    const replies = await listReplies(trx, id, new Date(now.getTime() - DAY_MS), REPLIES_A_DAY)
    const oldest = replies[REPLIES_A_DAY - 1]
    if (oldest !== undefined) throw tooManyReplies(oldest.at.getTime() + DAY_MS - now.getTime())
    const replied = { action: 'ISSUE_REPLIED' as const, issue, entry: { kind: 'REPLY', text: message } }
    await recordAll(trx, [replied], now, { as: 'self', actorId: ownerId })
  })
}

function tooManyReplies(waitMs: number): AppError {
  const sentence = `You have answered ${REPLIES_A_DAY} times within a day. Wait until an administrator has read it.`
  return new AppError('too-many', [sentence], { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })
}
