/** Rules for administrators who moderate issues. */
import { lockIssue, lockServerForShare } from '#backend/platform/database/lock-order.ts'
import type { UpdateObject } from 'kysely'
import type { Action } from '#contract/events/events.ts'
import { type Consequence, type IssueChanges, type IssueStatus, OPEN_STATUSES } from '#contract/protection/protection.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { Tables } from '#backend/platform/database/tables.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { isUniqueViolation } from '#backend/platform/database/violation.ts'
import { conflict, invalid, orNotFound } from '#backend/platform/errors.ts'
import { lockUserForAdmin } from '#backend/core/users/administration.ts'
import { getAnyIssue } from './issues.ts'
import { type LockedIssue, updateIssue } from './issues.queries.ts'
import { type IssueEvent, consequenceChanged, opened, recordIssueEvents, statusChanged } from './timeline.ts'

type Columns = UpdateObject<Tables, 'protection_issues'>

type Change = IssueEvent & { readonly columns?: Columns }

const isOpen = (status: IssueStatus) => OPEN_STATUSES.some((open) => open === status)

/** Applies an administrator's changes. Values that change nothing are not recorded. */
export async function moderate(db: Db, adminId: string, id: string, requested: IssueChanges, now: Date): Promise<void> {
  if (requested.status === undefined && requested.consequence === undefined && !requested.note && !requested.reply)
    throw invalid('ISSUE_CHANGE_EMPTY')
  const { user_id: ownerId, server_id: publicId } = await getAnyIssue(db, id)
  try {
    await transaction(db, async (trx) => {
      await lockUserForAdmin(trx, adminId, ownerId)
      // The lock order is server before issue. Only the current owner's issue can be reopened.
      const server = publicId === null ? undefined : await lockServerForShare(trx, publicId)
      const issue = orNotFound(await lockIssue(trx, id), 'ISSUE_NOT_FOUND')
      const status = requested.status ?? issue.status
      const changes = [
        ...statusChange(issue, status, publicId === null || server?.owner_id === ownerId, now),
        ...consequenceChange(issue, status, requested.consequence, now),
        ...messageChanges(issue, requested),
      ]
      const columns: Columns = {}
      if (!issue.is_visible_to_owner && changes.some(concernsOwner)) {
        Object.assign(columns, { is_visible_to_owner: true, opened_at: now, consequence_at: now })
        // The changes above refer to this row.
        issue.is_visible_to_owner = true
        if (issue.is_open && isOpen(status)) changes.unshift(opened(issue))
      }
      for (const change of changes) Object.assign(columns, change.columns)
      if (Object.keys(columns).length > 0) await updateIssue(trx, id, columns)
      await recordIssueEvents(trx, changes, now, { as: 'administrator', actorId: adminId })
    })
  } catch (error) {
    if (isUniqueViolation(error, 'protection_issues_one_open')) throw conflict('ISSUE_ALREADY_OPEN').inField('status')
    throw error
  }
}

/** A note is for administrators, and a dismissal spares the owner what was wrong. */
const concernsOwner = ({ action }: Change) => action !== 'ISSUE_NOTED' && action !== 'ISSUE_DISMISSED'

/** @param isStillOwner whether the server still exists and still belongs to the issue's owner. True for an issue of an account. */
function statusChange(issue: LockedIssue, next: IssueStatus, isStillOwner: boolean, now: Date): Change[] {
  const { status, closed_at: closedAt, is_open: wasOpen } = issue
  if (next === status) return []
  const isReopened = !wasOpen && isOpen(next)
  if (isReopened && !isStillOwner) throw invalid('ISSUE_SERVER_GONE').inField('status')
  const closesNow = wasOpen || next === 'DISMISSED'
  const columns = {
    status: next,
    closed_at: isOpen(next) ? null : closesNow ? now : closedAt,
    // Escalation and auto-resolution restart.
    ...(isReopened && { opened_at: now }),
  }
  return [{ ...statusChanged(issue, actionOf(status, next), status, next), columns }]
}

function consequenceChange(issue: LockedIssue, status: IssueStatus, chosen: Consequence | undefined, now: Date): Change[] {
  const { consequence, is_consequence_chosen: wasChosen } = issue
  const isReopened = !issue.is_open && isOpen(status)
  // A reopened issue starts without its old consequence, unless an administrator chose it.
  const next = chosen ?? (isReopened && !wasChosen ? 'NOTICE' : undefined)
  if (next === undefined) return []
  if (!isOpen(status)) throw invalid('ISSUE_CLOSED_FOR_CONSEQUENCE').inField('consequence')
  const isChosen = chosen !== undefined || wasChosen
  if (next === consequence && isChosen === wasChosen) return []
  const columns = { consequence: next, is_consequence_chosen: isChosen, ...(next !== consequence && { consequence_at: now }) }
  return [{ ...consequenceChanged(issue, consequence, next), columns }]
}

function messageChanges(issue: LockedIssue, { reply, note }: IssueChanges): Change[] {
  const changes: Change[] = []
  if (reply) changes.push({ issue, action: 'ISSUE_REPLIED', entry: { kind: 'REPLY', text: reply } })
  if (note) changes.push({ issue, action: 'ISSUE_NOTED', entry: { kind: 'NOTE', text: note } })
  return changes
}

function actionOf(previous: IssueStatus, next: IssueStatus): Action {
  if (next === 'RESOLVED') return 'ISSUE_RESOLVED'
  if (next === 'DISMISSED') return 'ISSUE_DISMISSED'
  return next === 'ACKNOWLEDGED' && isOpen(previous) ? 'ISSUE_ACKNOWLEDGED' : 'ISSUE_REOPENED'
}
