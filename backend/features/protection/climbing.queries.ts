import { sql } from 'kysely'
import type { Consequence, IssueKind } from '#contract/protection.ts'
import type { Db } from '#backend/database/open.ts'

export type Climbed = Awaited<ReturnType<typeof climb>>[number]

interface Due {
  readonly kind: IssueKind
  readonly to: Consequence
  /** Those that stand below. */
  readonly from: readonly Consequence[]
  readonly openedBefore: Date
  readonly seenSince: Date | undefined
  readonly occurrences: number
}

/** Moves open issues up to a consequence that is due; what somebody else holds waits for the next time. */
export function climb(trx: Db, { kind, to, from, openedBefore, seenSince, occurrences }: Due, now: Date, most: number) {
  let due = trx
    .selectFrom('protection_issues')
    .select(['id', 'consequence'])
    .where('kind', '=', kind)
    .where('status', 'in', ['OPEN', 'ACKNOWLEDGED'])
    .where('is_consequence_chosen', '=', false)
    .where('consequence', 'in', from)
    .where('opened_at', '<=', openedBefore)
    .where('occurrences', '>=', String(occurrences))
    .orderBy('id')
    .limit(most)
    .forUpdate()
    .skipLocked()
  if (seenSince !== undefined) due = due.where('last_seen_at', '>=', seenSince)
  return trx
    .with('due', () => due)
    .updateTable('protection_issues as i')
    .from('due')
    .set({ consequence: to, consequence_at: now })
    .whereRef('i.id', '=', 'due.id')
    .returning(['i.id', 'i.user_id', 'i.server_id', 'i.server_name', 'i.kind', sql<string>`due.consequence`.as('before')])
    .execute()
}
