import { type ExpressionBuilder, sql } from 'kysely'
import type { IssueKind } from '#contract/protection.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { Tables } from '#backend/platform/database/tables.ts'
import type { Detector } from './detector.ts'

export type EndedIssue = Awaited<ReturnType<typeof resolveOpen>>[number]

interface Open {
  readonly publicIds: readonly string[]
  /** For each of the servers; anybody's where there is none. */
  readonly ownerIds: readonly (string | undefined)[] | undefined
  readonly kinds: readonly IssueKind[] | undefined
}

/** Resolves what is open of these kinds about these servers. */
export function resolveOpen(trx: Db, { publicIds, ownerIds, kinds }: Open, now: Date | undefined) {
  const owners = publicIds.map((_, at) => ownerIds?.[at] ?? null)
  const due = openIssues(trx)
    .where('server_id', '=', sql<string>`any(${publicIds}::text[])`)
    .where(
      sql<boolean>`exists (select from unnest(${publicIds}::text[], ${owners}::uuid[]) as o (server, owner)
        where o.server = server_id and (o.owner is null or o.owner = user_id))`,
    )
    .$if(kinds !== undefined, (q) => q.where('kind', 'in', kinds ?? []))
    .forUpdate()
  return resolve(trx, due, now)
}

/**
 * Resolves open ones of a kind for which nothing was found since then; what somebody else holds waits for the next time. What follows by
 * a person's choice ends by a person.
 */
export function resolveQuiet(
  trx: Db,
  { kind, since, brief }: { readonly kind: IssueKind; readonly since: Date; readonly brief: Detector['brief'] },
  now: Date,
  most: number,
) {
  const due = openIssues(trx)
    .where('kind', '=', kind)
    .where('last_seen_at', '<=', since)
    .where('opened_at', '<=', since)
    .where('is_consequence_chosen', '=', false)
    .$if(brief !== undefined, (q) => q.where(isBrief(brief)))
    .limit(most)
    .forUpdate()
    .skipLocked()
  return resolve(trx, due, now)
}

const isBrief = (brief: Detector['brief']) => (q: ExpressionBuilder<Tables, 'protection_issues'>) =>
  q.and([q('fingerprint', '=', brief?.fingerprint ?? ''), q('occurrences', '<=', String(brief?.occurrences ?? 0))])

function openIssues(trx: Db) {
  return trx.selectFrom('protection_issues').select(['id', 'status']).where('status', 'in', ['OPEN', 'ACKNOWLEDGED']).orderBy('id')
}

function resolve(trx: Db, due: ReturnType<typeof openIssues>, now: Date | undefined) {
  return trx
    .with('due', () => due)
    .updateTable('protection_issues as i')
    .from('due')
    .set({ status: 'RESOLVED', ended_at: now ?? sql<Date>`now()` })
    .whereRef('i.id', '=', 'due.id')
    .returning(['i.id', 'i.user_id', 'i.server_id', 'i.server_name', 'i.kind', sql<string>`due.status`.as('before')])
    .execute()
}
