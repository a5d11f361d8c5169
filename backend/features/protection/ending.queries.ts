import { sql } from 'kysely'
import type { IssueKind } from '#contract/protection.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { Detector } from './detector.ts'

export type EndedIssue = Awaited<ReturnType<typeof resolveOpen>>[number]

interface Open {
  readonly publicIds: readonly string[]
  readonly ownerIds: readonly (string | undefined)[] | undefined
  readonly kinds: readonly IssueKind[] | undefined
}

/** @param now the database's time where it is undefined. */
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

/** Issues of which nothing was found since then. */
export interface Quiet {
  readonly kind: IssueKind
  readonly since: Date
  /** Only those that are as brief as this. */
  readonly brief?: Detector['brief']
  /** One sentence, as the owner reads it. */
  readonly why: string
}

/** Resolves quiet issues; locked ones wait for the next time. A consequence that a person chose ends by a person. */
export function resolveQuiet(trx: Db, { kind, since, brief }: Quiet, now: Date, max: number) {
  let due = openIssues(trx)
    .where('kind', '=', kind)
    .where('last_seen_at', '<=', since)
    .where('opened_at', '<=', since)
    .where('is_consequence_chosen', '=', false)
    .limit(max)
    .forUpdate()
    .skipLocked()
  if (brief !== undefined) due = due.where('fingerprint', '=', brief.fingerprint).where('occurrences', '<=', String(brief.occurrences))
  return resolve(trx, due, now)
}

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
