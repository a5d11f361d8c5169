import type { lockIssue } from '#backend/platform/database/lock-order.ts'
import { type Insertable, type RawBuilder, type UpdateObject, sql } from 'kysely'
import type { Consequence } from '#contract/protection/protection.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { anyOf } from '#backend/platform/database/sql.ts'
import type { Tables } from '#backend/platform/database/tables.ts'

export type IssueRow = Awaited<ReturnType<typeof listIssues>>[number]

/** Issues with their servers. A server that has a new owner keeps the name from before the transfer. */
function issuesWithServers(db: Db) {
  return db
    .selectFrom('protection_issues as i')
    .leftJoin('servers as s', 's.public_id', 'i.server_id')
    .selectAll('i')
    .select(sql<boolean>`s.public_id is not null`.as('server_exists'))
    .select(sql<string>`case when s.owner_id = i.user_id then s.name else i.server_name end`.as('display_name'))
}

export function listIssues(db: Db, ids: readonly string[]) {
  return issuesWithServers(db).where('i.id', '=', anyOf(ids)).execute()
}

/** @param isOwner leaves out issues that only administrators see. */
export function listIssuesOf(db: Db, userId: string, isOwner: boolean, max: number) {
  return issuesWithServers(db)
    .where('i.user_id', '=', userId)
    .$if(isOwner, (q) => q.where('i.is_visible_to_owner', '=', true))
    .orderBy('i.is_open', 'desc')
    .orderBy('i.last_seen_at', 'desc')
    .orderBy('i.id', 'desc')
    .limit(max)
    .execute()
}

/** The current addresses of an owner's servers: bound ones and those of the last announce. */
export function listOwnAddresses(db: Db, ownerId: string) {
  const ids = sql<string>`any(array(select public_id from servers where owner_id = ${ownerId}::uuid))`
  return db
    .selectFrom('credentials as c')
    .innerJoin('credential_addresses as x', 'x.credential_id', 'c.id')
    .where('c.server_id', '=', ids)
    .where('c.revoked_at', 'is', null)
    .select(['c.server_id', sql<string>`host(x.address)`.as('address')])
    .union(
      db
        .selectFrom('presence as p')
        .where('p.server_id', '=', ids)
        .select(['p.server_id', sql<string>`host(p.address)`.as('address')]),
    )
    .execute()
}

export type LockedIssue = NonNullable<Awaited<ReturnType<typeof lockIssue>>>

/** Call it with the server or user locked, so that no other transaction opens the same issue. */
export async function insertIssues(trx: Db, issues: readonly Insertable<Tables['protection_issues']>[]): Promise<void> {
  if (issues.length === 0) return
  await trx
    .insertInto('protection_issues')
    .values([...issues])
    .execute()
}

export async function updateIssue(trx: Db, id: string, columns: UpdateObject<Tables, 'protection_issues'>): Promise<void> {
  await trx.updateTable('protection_issues').set(columns).where('id', '=', id).execute()
}

/** Beyond this, the oldest entries are omitted. */
const MAX_ENTRIES = 1000

export async function listTimeline(db: Db, issueId: string) {
  const rows = await db
    .selectFrom('protection_timeline')
    .selectAll()
    .where('issue_id', '=', issueId)
    .orderBy('id', 'desc')
    .limit(MAX_ENTRIES)
    .execute()
  return rows.toReversed()
}

export type OpenIssue = Awaited<ReturnType<typeof listOpenIssuesOf>>[number]

/** Open issues of the current owners of these servers, oldest first. */
export function listOpenIssuesOf(db: Db, publicIds: readonly string[]) {
  return db
    .selectFrom('protection_issues as i')
    .innerJoin('servers as s', (join) => join.onRef('s.public_id', '=', 'i.server_id').onRef('s.owner_id', '=', 'i.user_id'))
    .select(['i.id', 'i.server_id', 's.name as server_name', 'i.kind', 'i.severity', 'i.fingerprint', 'i.status', 'i.consequence'])
    .select(['i.consequence_at', 'i.is_consequence_chosen', 'i.is_visible_to_owner', 'i.summary', 'i.evidence', 'i.occurrences'])
    .select(['i.first_seen_at', 'i.last_seen_at', 'i.opened_at'])
    .where('i.server_id', '=', anyOf(publicIds))
    .where('i.status', 'in', ['OPEN', 'ACKNOWLEDGED'])
    .orderBy('i.first_seen_at')
    .orderBy('i.id')
    .execute()
}

export function openIssues(trx: Db) {
  return trx.selectFrom('protection_issues').select(['id', 'status']).where('status', 'in', ['OPEN', 'ACKNOWLEDGED']).orderBy('id')
}

export type UpdatedIssue = Awaited<ReturnType<typeof updateIssues>>[number]

interface Columns {
  readonly status?: 'RESOLVED'
  readonly closed_at?: Date | RawBuilder<Date>
  readonly consequence?: Consequence
  readonly consequence_at?: Date
  readonly is_visible_to_owner?: true
}

export function updateIssues(trx: Db, due: ReturnType<typeof openIssues>, columns: Columns) {
  return trx
    .with('due', () => due)
    .updateTable('protection_issues as i')
    .from('due')
    .set(columns)
    .whereRef('i.id', '=', 'due.id')
    .returning(['i.id', 'i.user_id', 'i.server_id', 'i.server_name', 'i.kind', 'i.is_visible_to_owner', 'due.status as previous_status'])
    .execute()
}
