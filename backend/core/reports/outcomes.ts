/** What follows from decisions of administrators about reports: their outcome, and the users who abuse reports. */
import { lockUsers } from '#backend/platform/database/lock-order.ts'
import { m } from '#api-messages'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { STORED } from '#backend/platform/messages/stored-text.ts'
import type { DomainEvent } from '#backend/core/events/events.ts'
import { resolveIssuesOf } from '#backend/core/protection/resolution.ts'
import { lockOpenIssue, setTalliedIssue } from '#backend/core/protection/tallied-issues.ts'
import { listAbusers, moveToIssueOf, updateOutcome } from './reports.queries.ts'

const ABUSE = { days: 30, minDismissed: 5 } as const
const BATCH_SIZE = 50

const OUTCOMES = { ISSUE_RESOLVED: 'upheld', ISSUE_DISMISSED: 'dismissed' } as const

/** Decides all reports of an issue that an administrator closes. Reopening it takes that back. Without an administrator, nothing is decided. */
export async function decideReports(trx: Db, { action, as, after }: DomainEvent): Promise<void> {
  if (as !== 'administrator' || after?.['kind'] !== 'PLAYER_REPORTS') return
  const outcome = action === 'ISSUE_RESOLVED' || action === 'ISSUE_DISMISSED' ? OUTCOMES[action] : null
  await updateOutcome(trx, [String(after['issue_id'])], outcome)
}

/** Resolves the issue of a banned server's reports. An administrator's ban upholds them. */
export async function resolveReportsOfBanned(trx: Db, { as, server }: DomainEvent): Promise<void> {
  if (server === undefined) return
  const isDecided = as === 'administrator'
  const reason = m.resolution_banned({}, STORED)
  const issueIds = await resolveIssuesOf(trx, { publicId: server.public_id, kind: 'PLAYER_REPORTS', reachesOwner: isDecided, reason })
  if (isDecided) await updateOutcome(trx, issueIds, 'upheld')
}

/** Reports follow a transferred server's issue to its new owner. */
export async function moveReports(trx: Db, { server, ownerId, otherId }: DomainEvent): Promise<void> {
  if (server !== undefined && ownerId !== null && otherId !== undefined) await moveToIssueOf(trx, server.public_id, ownerId, otherId)
}

/** The job. Opens an issue for each user with many dismissed reports and fewer upheld ones. */
export async function findReportAbuse({ db, clock, env }: Pick<Deps, 'db' | 'clock' | 'env'>): Promise<void> {
  if (env.PROTECTION_OFF.includes('REPORT_ABUSE')) return
  for (const { user_id: userId, dismissed } of await listAbusers(db, { ...ABUSE, max: BATCH_SIZE }))
    await transaction(db, async (trx) => {
      if (!(await lockUsers(trx, { [userId]: 'update' })).has(userId)) return
      const summary = m.finding_report_abuse({ count: dismissed }, STORED)
      const subject = { kind: 'REPORT_ABUSE', userId, server: null } as const
      const open = await lockOpenIssue(trx, subject)
      const tally = { ...subject, severity: 'MEDIUM', summary, occurrences: dismissed, reachesOwner: true } as const
      await setTalliedIssue(trx, open, tally, new Date(clock.now()))
    })
}
