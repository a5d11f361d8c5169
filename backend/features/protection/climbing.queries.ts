import type { Consequence, IssueKind, Severity } from '#contract/protection.ts'
import type { Db } from '#backend/platform/database/open.ts'

/** Which open issues escalate. */
export interface Due {
  readonly kind: IssueKind
  readonly from: Consequence
  readonly to: Consequence
  readonly openedBefore: Date
  /** The consequence in force began before this. */
  readonly beganBefore: Date
  readonly seenSince: Date | undefined
  readonly occurrences: number
  readonly severity: Severity | undefined
}

/** Escalates issues that are due; locked ones wait for the next time. */
export function climb(trx: Db, due: Due, now: Date, max: number) {
  let rows = trx
    .selectFrom('protection_issues')
    .select('id')
    .where('kind', '=', due.kind)
    .where('status', 'in', ['OPEN', 'ACKNOWLEDGED'])
    .where('is_consequence_chosen', '=', false)
    .where('consequence', '=', due.from)
    .where('opened_at', '<=', due.openedBefore)
    .where('consequence_at', '<=', due.beganBefore)
    .where('occurrences', '>=', String(due.occurrences))
    .orderBy('id')
    .limit(max)
    .forUpdate()
    .skipLocked()
  if (due.severity !== undefined) rows = rows.where('severity', '=', due.severity)
  if (due.seenSince !== undefined) rows = rows.where('last_seen_at', '>=', due.seenSince)
  return trx
    .with('due', () => rows)
    .updateTable('protection_issues as i')
    .from('due')
    .set({ consequence: due.to, consequence_at: now })
    .whereRef('i.id', '=', 'due.id')
    .returning(['i.id', 'i.user_id', 'i.server_id', 'i.server_name', 'i.kind'])
    .execute()
}

export type Look = Awaited<ReturnType<typeof lookAtOpen>>[number]

/** The extremes of open issues by kind and consequence: enough to see where nothing can be due. */
export function lookAtOpen(db: Db) {
  return db
    .selectFrom('protection_issues')
    .select(['kind', 'consequence'])
    .select((q) => [
      q.fn.min('opened_at').as('first_opened_at'),
      q.fn.min('consequence_at').as('first_began_at'),
      q.fn.min('last_seen_at').as('first_seen_at'),
      q.fn.max('last_seen_at').as('last_seen_at'),
    ])
    .where('status', 'in', ['OPEN', 'ACKNOWLEDGED'])
    .groupBy(['kind', 'consequence'])
    .execute()
}
