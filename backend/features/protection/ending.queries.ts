import { sql } from 'kysely'
import type { IssueKind } from '#contract/protection.ts'
import type { Db } from '#backend/database/open.ts'

export type EndedIssue = Awaited<ReturnType<typeof resolveOpen>>[number]

const END = ['id', 'user_id', 'server_id', 'server_name', 'kind'] as const

/** Resolves what is open of these kinds about these servers. */
export function resolveOpen(trx: Db, publicIds: readonly string[], kinds: readonly IssueKind[] | undefined, now: Date | undefined) {
  const update = trx
    .updateTable('protection_issues')
    .set({ status: 'RESOLVED', ended_at: now ?? sql<Date>`now()` })
    .where('server_id', '=', sql<string>`any(${publicIds}::text[])`)
    .where('status', 'in', ['OPEN', 'ACKNOWLEDGED'])
    .returning(END)
  return (kinds === undefined ? update : update.where('kind', 'in', kinds)).execute()
}

/** Resolves open ones of a kind for which nothing was found since then; what somebody else holds waits for the next time. */
export function resolveQuiet(
  trx: Db,
  { kind, since, occurrences }: { readonly kind: IssueKind; readonly since: Date; readonly occurrences: number | undefined },
  now: Date,
  most: number,
) {
  const quiet = trx
    .selectFrom('protection_issues')
    .select('id')
    .where('kind', '=', kind)
    .where('status', 'in', ['OPEN', 'ACKNOWLEDGED'])
    .where('last_seen_at', '<=', since)
    .where('opened_at', '<=', since)
  const due = (occurrences === undefined ? quiet : quiet.where('occurrences', '<=', String(occurrences)))
    .orderBy('id')
    .limit(most)
    .forUpdate()
    .skipLocked()
  return trx.updateTable('protection_issues').set({ status: 'RESOLVED', ended_at: now }).where('id', 'in', due).returning(END).execute()
}
