import type { lockServersForFindings } from '#backend/platform/database/lock-order.ts'
import { type Insertable, sql } from 'kysely'
import type { Db } from '#backend/platform/database/open.ts'
import type { Tables } from '#backend/platform/database/tables.ts'

/** Locks the owners of these servers against erasure. Returns the ids of those that exist. */
export async function lockOwners(trx: Db, publicIds: readonly string[]): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', (q) =>
      q
        .selectFrom('servers')
        .select('owner_id')
        .where('public_id', '=', sql<string>`any(${publicIds}::text[])`),
    )
    .orderBy('id')
    .forKeyShare()
    .execute()
  return new Set(rows.map((row) => row.id))
}

export type OwnedServer = Awaited<ReturnType<typeof lockServersForFindings>>[number]

export type ExistingIssue = Awaited<ReturnType<typeof lockExistingIssues>>[number]

/** Locks the issues that findings about these servers may update: open ones, and those dismissed since this time. */
export function lockExistingIssues(trx: Db, publicIds: readonly string[], dismissedSince: Date) {
  return trx
    .selectFrom('protection_issues')
    .select(['id', 'user_id', 'server_id', 'server_name', 'kind', 'fingerprint', 'severity', 'status'])
    .select(['consequence', 'is_consequence_chosen', 'is_visible_to_owner', 'summary', 'evidence', 'last_seen_at'])
    .where('server_id', '=', sql<string>`any(${publicIds}::text[])`)
    .where((q) =>
      q.or([q('status', 'in', ['OPEN', 'ACKNOWLEDGED']), q.and([q('status', '=', 'DISMISSED'), q('closed_at', '>', dismissedSince)])]),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
}

export type ResolvedIssue = Awaited<ReturnType<typeof listResolvedIssues>>[number]

/** Issues of these servers that were resolved since this time, newest first. */
export function listResolvedIssues(trx: Db, publicIds: readonly string[], since: Date) {
  const resolvedBy = sql<string>`(select t.by from protection_timeline t where t.issue_id = i.id and t.status = 'RESOLVED' order by t.id desc limit 1)`
  return trx
    .selectFrom('protection_issues as i')
    .select(['user_id', 'server_id', 'kind', 'fingerprint', 'consequence', 'is_consequence_chosen', 'opened_at'])
    .select(resolvedBy.as('resolved_by'))
    .where('server_id', '=', sql<string>`any(${publicIds}::text[])`)
    .where('status', '=', 'RESOLVED')
    .where('closed_at', '>', since)
    .orderBy('closed_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Call it with the server or user locked, so that no other transaction opens the same issue. */
export async function insertIssues(trx: Db, issues: readonly Insertable<Tables['protection_issues']>[]): Promise<void> {
  if (issues.length === 0) return
  await trx
    .insertInto('protection_issues')
    .values([...issues])
    .execute()
}
