/**
 * Reports of servers by signed-in users. They count up one open issue of the server. Its owner sees it once enough reporters have
 * standing, or an administrator acts, and learns only how many users reported it.
 */
import { lockServer, lockUsers } from '#backend/platform/database/lock-order.ts'
import { v7 as uuidv7 } from 'uuid'
import { m } from '#api-messages'
import type { NewReport } from '#contract/protection/reports.ts'
import type { Severity } from '#contract/protection/protection.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import { conflict, invalid, tooMany } from '#backend/platform/errors.ts'
import { formatDay } from '#backend/platform/messages/format-date.ts'
import { STORED } from '#backend/platform/messages/stored-text.ts'
import { type DomainEvent, bySelf, recordEvent } from '#backend/core/events/events.ts'
import { lockOpenIssue, setTalliedIssue } from '#backend/core/protection/tallied-issues.ts'
import { requireServer } from '#backend/core/servers/server-access.ts'
import { type ServerRow, findOwnerId } from '#backend/core/servers/servers.ts'
import { managersAmong } from '#backend/core/managers/managers.ts'
import { requireActor } from '#backend/core/users/users.ts'
import { isDistrusted, listReportTimes, tallyReports } from './reports.queries.ts'

const DAY_MS = 86_400_000
/** One report for each server within this time. Administrators see how many accounts are younger. */
export const WEEK_MS = 7 * DAY_MS
const REPORTS_PER_DAY = 10
/** So many reporters of standing bring an issue to its owner. Their accounts were at least this old when they reported. */
const STANDING = { reporters: 3, accountDays: 30 } as const
/** From so many reporters on, an issue has this severity. */
const REPORTERS = { medium: 3, high: 10 } as const

/** @param publicId of a server that has a public page; undefined if there is none. */
export async function reportServer(db: Db, userId: string, publicId: string | undefined, report: NewReport, now: Date): Promise<Date> {
  const ownerId = publicId === undefined ? undefined : await findOwnerId(db, publicId)
  return transaction(db, async (trx) => {
    // Serializes the reports of this user, so that concurrent ones cannot exceed a limit.
    const people = await lockUsers(trx, { ...(ownerId !== undefined && { [ownerId]: 'share' }), [userId]: 'update' })
    requireActor(people, userId)
    const server = requireServer(ownerId && publicId ? await lockServer(trx, ownerId, publicId) : undefined)
    if (server.owner_id === userId || (await managersAmong(trx, server.owner_id, [userId])).length > 0) throw invalid('REPORT_OWN_SERVER')
    await rejectOverLimits(trx, userId, server.public_id, now)
    const countedIn = await insertCounted(trx, userId, server, report, now)
    await recordEvent(trx, { action: 'SERVER_REPORTED', ...bySelf(userId), server, after: { report_reason: report.reason }, countedIn })
    return new Date(now.getTime() + WEEK_MS)
  })
}

async function rejectOverLimits(trx: Db, userId: string, publicId: string, now: Date): Promise<void> {
  const since = (ms: number) => new Date(now.getTime() - ms)
  const [last] = await listReportTimes(trx, userId, since(WEEK_MS), publicId)
  if (last !== undefined) throw conflict('SERVER_ALREADY_REPORTED', { date: formatDay(last), next: formatDay(last.getTime() + WEEK_MS) })
  const oldest = (await listReportTimes(trx, userId, since(DAY_MS)))[REPORTS_PER_DAY - 1]
  if (oldest === undefined) return
  const waitMs = oldest.getTime() + DAY_MS - now.getTime()
  throw tooMany(Math.max(1, Math.ceil(waitMs / 1000)), 'TOO_MANY_REPORTS', { max: REPORTS_PER_DAY })
}

/** Inserts the report and counts up the server's issue. Reports of a distrusted user neither count nor open an issue. */
async function insertCounted(trx: Db, userId: string, server: ServerRow, report: NewReport, now: Date): Promise<DomainEvent['countedIn']> {
  const subject = { kind: 'PLAYER_REPORTS', userId: server.owner_id, server } as const
  const open = await lockOpenIssue(trx, subject)
  const isCounted = !(await isDistrusted(trx, userId))
  const id = uuidv7()
  const columns = { server_id: server.public_id, user_id: userId, created_at: now, is_counted: isCounted, issue_id: open?.id ?? null }
  await trx
    .insertInto('server_reports')
    .values({ id, ...report, ...columns })
    .execute()
  if (!isCounted) return undefined
  const { count, people, of_standing: ofStanding } = await tallyReports(trx, open?.id, id, STANDING.accountDays)
  const summary = m.finding_player_reports({ count: people }, STORED)
  const reachesOwner = ofStanding >= STANDING.reporters
  const tally = { ...subject, severity: severityOf(people), summary, occurrences: count, reachesOwner }
  const issueId = await setTalliedIssue(trx, open, tally, now)
  await trx.updateTable('server_reports').set({ issue_id: issueId }).where('id', '=', id).execute()
  return { issueId, ownerId: server.owner_id, reports: count }
}

function severityOf(people: number): Severity {
  if (people < REPORTERS.medium) return 'LOW'
  return people < REPORTERS.high ? 'MEDIUM' : 'HIGH'
}
