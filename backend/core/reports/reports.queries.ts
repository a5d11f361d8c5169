import { sql } from 'kysely'
import type { ReportOutcome, ReportReason } from '#contract/protection/reports.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { anyOf } from '#backend/platform/database/sql.ts'

/** Whether the user has an open issue because of their reports. */
export async function isDistrusted(trx: Db, userId: string): Promise<boolean> {
  const issues = trx
    .selectFrom('protection_issues')
    .select('id')
    .where('user_id', '=', userId)
    .where('kind', '=', 'REPORT_ABUSE')
    .where('status', 'in', ['OPEN', 'ACKNOWLEDGED'])
  return (await issues.executeTakeFirst()) !== undefined
}

/** The times of a user's reports since this time, newest first. @param publicId only reports of this server. */
export async function listReportTimes(trx: Db, userId: string, since: Date, publicId?: string): Promise<Date[]> {
  const rows = await trx
    .selectFrom('server_reports')
    .select('created_at')
    .where('user_id', '=', userId)
    .where('created_at', '>', since)
    .$if(publicId !== undefined, (q) => q.where('server_id', '=', publicId ?? ''))
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map((row) => row.created_at)
}

/**
 * The number of counted reports of this issue or with this id, how many users made them, and how many of these have standing: an account
 * of that age and at most half of their decided reports dismissed. The age counts from the sign-up here, because old Discord accounts can
 * be bought.
 */
export async function tallyReports(trx: Db, issueId: string | undefined, reportId: string, accountDays: number) {
  const { rows } = await sql<{ count: number; people: number; of_standing: number }>`
    select count(*)::int as count, count(distinct r.user_id)::int as people,
      (count(distinct r.user_id) filter (where r.created_at - u.created_at >= make_interval(days => ${accountDays}) and not exists (
        select from server_reports d where d.user_id = r.user_id and d.outcome is not null
        having count(*) filter (where d.outcome = 'dismissed') * 2 > count(*))))::int as of_standing
    from server_reports r join users u on u.id = r.user_id
    where r.is_counted and (r.id = ${reportId}::uuid or r.issue_id = ${issueId ?? null}::uuid)`.execute(trx)
  return rows[0] ?? { count: 0, people: 0, of_standing: 0 }
}

/** Sets how an administrator decided the reports of issues. Null takes the decision back. */
export async function updateOutcome(trx: Db, issueIds: readonly string[], outcome: ReportOutcome | null): Promise<void> {
  await trx
    .updateTable('server_reports')
    // Milliseconds, as in an issue's times, which it is compared with.
    .set({ outcome, decided_at: outcome === null ? null : sql<Date>`date_trunc('milliseconds', now())` })
    .where('issue_id', '=', anyOf(issueIds))
    .execute()
}

/** Moves the reports of an issue that this transaction resolved to the new owner's open issue. */
export async function moveToIssueOf(trx: Db, publicId: string, fromUserId: string, toUserId: string): Promise<void> {
  await sql`
    update server_reports r set issue_id = new.id
    from protection_issues old, protection_issues new
    where r.issue_id = old.id and old.server_id = ${publicId} and old.kind = 'PLAYER_REPORTS' and old.user_id = ${fromUserId}::uuid
      and old.closed_at = now()
      and new.server_id = ${publicId} and new.kind = 'PLAYER_REPORTS' and new.user_id = ${toUserId}::uuid
      and new.status in ('OPEN', 'ACKNOWLEDGED')`.execute(trx)
}

/** Which reports an issue is about: those that it counts, or all of a user. */
type ReportFilter = { readonly issue_id: string } | { readonly user_id: string }

const conditionOf = (filter: ReportFilter) =>
  'issue_id' in filter ? sql<boolean>`r.issue_id = ${filter.issue_id}::uuid` : sql<boolean>`r.user_id = ${filter.user_id}::uuid`

export function listReports(db: Db, filter: ReportFilter, max: number) {
  const decided = (outcome: ReportOutcome) =>
    sql<number>`(select count(*)::int from server_reports d where d.user_id = r.user_id and d.outcome = ${outcome})`
  return db
    .selectFrom('server_reports as r')
    .innerJoin('all_servers as s', 's.public_id', 'r.server_id')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .select(['r.id', 'r.server_id', 's.name as server_name', 'r.user_id', 'r.reason', 'r.details', 'r.created_at', 'r.outcome'])
    .select(['r.is_counted', 'u.created_at as account_created_at'])
    .select([decided('upheld').as('upheld'), decided('dismissed').as('dismissed')])
    .where(conditionOf(filter))
    .orderBy('r.id', 'desc')
    .limit(max)
    .execute()
}

export async function countReports(db: Db, filter: ReportFilter, newAccountMs: number) {
  const { rows } = await sql<{ reason: ReportReason | null; count: number; reporters: number; new_reporters: number }>`
    select r.reason, count(*)::int as count, count(distinct r.user_id)::int as reporters,
      (count(distinct r.user_id) filter (where r.created_at - u.created_at < make_interval(secs => ${newAccountMs / 1000})))::int
        as new_reporters
    from server_reports r join users u on u.id = r.user_id
    where ${conditionOf(filter)} group by rollup (r.reason) order by count desc, r.reason`.execute(db)
  const all = rows.find(({ reason }) => reason === null)
  const reasons = rows.flatMap(({ reason, count }) => (reason === null ? [] : [{ reason, count }]))
  return { total: all?.count ?? 0, reporters: all?.reporters ?? 0, new_reporters: all?.new_reporters ?? 0, reasons }
}

/** Users with too many dismissed reports whose last dismissal is in no issue yet. An issue that was dismissed stays quiet for the same time. */
export async function listAbusers(db: Db, { days, minDismissed, max }: Record<'days' | 'minDismissed' | 'max', number>) {
  const { rows } = await sql<{ user_id: string; dismissed: number }>`
    select a.user_id, a.dismissed from (
      select r.user_id, (count(*) filter (where r.outcome = 'dismissed'))::int as dismissed,
        count(*) filter (where r.outcome = 'upheld') as upheld, max(r.decided_at) filter (where r.outcome = 'dismissed') as last_at
      from server_reports r where r.outcome is not null and r.decided_at > now() - make_interval(days => ${days})
      group by r.user_id
    ) a
    where a.dismissed >= ${minDismissed} and a.upheld < a.dismissed and not exists (
      select from protection_issues i where i.kind = 'REPORT_ABUSE' and i.user_id = a.user_id
        and (i.last_seen_at >= a.last_at or (i.status = 'DISMISSED' and i.closed_at > now() - make_interval(days => ${days}))))
    limit ${max}`.execute(db)
  return rows
}
