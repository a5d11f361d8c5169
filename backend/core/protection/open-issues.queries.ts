import { type RawBuilder, sql } from 'kysely'
import type { Consequence, IssueKind } from '#contract/protection/protection.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { Detector, NextEscalationStep } from './detector.ts'

export type UpdatedIssue = Awaited<ReturnType<typeof resolveOpenIssues>>[number]

export interface IssueFilter {
  readonly publicId: string
  /** Only this owner's issues; undefined for any owner's. */
  readonly ownerId?: string | undefined
  readonly kind?: IssueKind
  /** The owner sees the issues from now on. */
  readonly reachesOwner?: boolean
  /** Defaults to the database's time. */
  readonly now?: Date
}

export function resolveOpenIssues(trx: Db, { publicId, ownerId, kind, reachesOwner, now }: IssueFilter) {
  let due = openIssues(trx).where('server_id', '=', publicId)
  if (ownerId !== undefined) due = due.where('user_id', '=', ownerId)
  if (kind !== undefined) due = due.where('kind', '=', kind)
  return updateIssues(trx, due.forUpdate(), {
    status: 'RESOLVED',
    closed_at: now ?? sql<Date>`now()`,
    ...(reachesOwner && { is_visible_to_owner: true }),
  })
}

/**
 * Reopens the issues of a server whose last change of status has this reason. Their escalation continues where it stopped, and acknowledged
 * ones are acknowledged again.
 */
export function reopenIssues(trx: Db, publicId: string, reason: string) {
  const changesOfStatus = sql`from protection_timeline t where t.issue_id = protection_issues.id and t.kind = 'STATUS' order by t.id desc`
  const lastReason = sql<string>`(select t.text ${changesOfStatus} limit 1)`
  const wasAcknowledged = sql`coalesce((select t.status = 'ACKNOWLEDGED' ${changesOfStatus} offset 1 limit 1), false)`
  const closedFor = sql`(now() - closed_at)`
  return trx
    .updateTable('protection_issues')
    .set({
      status: sql`case when ${wasAcknowledged} then 'ACKNOWLEDGED' else 'OPEN' end`,
      closed_at: null,
      opened_at: sql<Date>`opened_at + ${closedFor}`,
      consequence_at: sql<Date>`consequence_at + ${closedFor}`,
    })
    .where('server_id', '=', publicId)
    .where('status', '=', 'RESOLVED')
    .where(lastReason, '=', reason)
    .returning(['id', 'user_id', 'server_id', 'server_name', 'kind', 'status', 'is_visible_to_owner'])
    .execute()
}

export interface QuietRule {
  readonly kind: IssueKind
  readonly since: Date
  /** Only issues within these limits. */
  readonly shortLived?: Detector['shortLived']
  /** One sentence for the owner. */
  readonly reason: string
}

export function resolveQuietIssues(trx: Db, { kind, since, shortLived }: QuietRule, now: Date, max: number) {
  let due = lockAutomaticIssues(trx, kind, max).where('last_seen_at', '<=', since).where('opened_at', '<=', since)
  if (shortLived !== undefined)
    due = due.where('fingerprint', '=', shortLived.fingerprint).where('occurrences', '<=', String(shortLived.maxOccurrences))
  return updateIssues(trx, due, { status: 'RESOLVED', closed_at: now })
}

export interface EscalationRule extends NextEscalationStep {
  readonly kind: IssueKind
  readonly from: Consequence
}

/** Escalates issues by one step if both delays of the step have passed. @param now wall milliseconds. */
export function escalateDueIssues(trx: Db, { kind, from, step, waitMs }: EscalationRule, now: number, max: number) {
  let due = lockAutomaticIssues(trx, kind, max)
    .where('consequence', '=', from)
    .where('opened_at', '<=', new Date(now - step.afterMs))
    .where('consequence_at', '<=', new Date(now - waitMs))
    .where('occurrences', '>=', String(step.afterOccurrences))
  if (step.severity !== undefined) due = due.where('severity', '=', step.severity)
  if (step.seenWithinMs !== undefined) due = due.where('last_seen_at', '>=', new Date(now - step.seenWithinMs))
  return updateIssues(trx, due, { consequence: step.consequence, consequence_at: new Date(now) })
}

function openIssues(trx: Db) {
  return trx.selectFrom('protection_issues').select(['id', 'status']).where('status', 'in', ['OPEN', 'ACKNOWLEDGED']).orderBy('id')
}

/** Issues without a consequence chosen by an administrator. Skips locked rows until the next run. */
function lockAutomaticIssues(trx: Db, kind: IssueKind, max: number) {
  return openIssues(trx).where('kind', '=', kind).where('is_consequence_chosen', '=', false).limit(max).forUpdate().skipLocked()
}

interface Columns {
  readonly status?: 'RESOLVED'
  readonly closed_at?: Date | RawBuilder<Date>
  readonly consequence?: Consequence
  readonly consequence_at?: Date
  readonly is_visible_to_owner?: true
}

function updateIssues(trx: Db, due: ReturnType<typeof openIssues>, columns: Columns) {
  return trx
    .with('due', () => due)
    .updateTable('protection_issues as i')
    .from('due')
    .set(columns)
    .whereRef('i.id', '=', 'due.id')
    .returning(['i.id', 'i.user_id', 'i.server_id', 'i.server_name', 'i.kind', 'i.is_visible_to_owner', 'due.status as previous_status'])
    .execute()
}
