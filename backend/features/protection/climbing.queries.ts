import type { Consequence, IssueKind, Severity } from '#contract/protection.ts'
import type { Db } from '#backend/platform/database/open.ts'

/** What is to move up. */
export interface Due {
  readonly kind: IssueKind
  readonly from: Consequence
  readonly to: Consequence
  readonly openedBefore: Date
  /** Before when what follows now has to have begun. */
  readonly beganBefore: Date
  readonly seenSince: Date | undefined
  readonly occurrences: number
  /** As grave as this; however grave where it is undefined. */
  readonly severity: Severity | undefined
}

/** Moves open issues up to a consequence that is due; what somebody else holds waits for the next time. */
export function climb(
  trx: Db,
  { kind, from, to, openedBefore, beganBefore, seenSince, occurrences, severity }: Due,
  now: Date,
  most: number,
) {
  let due = trx
    .selectFrom('protection_issues')
    .select('id')
    .where('kind', '=', kind)
    .where('status', 'in', ['OPEN', 'ACKNOWLEDGED'])
    .where('is_consequence_chosen', '=', false)
    .where('consequence', '=', from)
    .where('opened_at', '<=', openedBefore)
    .where('consequence_at', '<=', beganBefore)
    .where('occurrences', '>=', String(occurrences))
    .orderBy('id')
    .limit(most)
    .forUpdate()
    .skipLocked()
  if (severity !== undefined) due = due.where('severity', '=', severity)
  if (seenSince !== undefined) due = due.where('last_seen_at', '>=', seenSince)
  return trx
    .with('due', () => due)
    .updateTable('protection_issues as i')
    .from('due')
    .set({ consequence: to, consequence_at: now })
    .whereRef('i.id', '=', 'due.id')
    .returning(['i.id', 'i.user_id', 'i.server_id', 'i.server_name', 'i.kind'])
    .execute()
}

export type Look = Awaited<ReturnType<typeof lookAtOpen>>[number]

/** What is open, by kind and what follows from it, with its extremes: enough to see where nothing can be due. */
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
