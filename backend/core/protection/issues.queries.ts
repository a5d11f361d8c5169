import type { lockIssue } from '#backend/platform/database/lock-order.ts'
import { type Insertable, type UpdateObject, sql } from 'kysely'
import type { IssueKind } from '#contract/protection/protection.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { Tables } from '#backend/platform/database/tables.ts'

export type IssueRow = Awaited<ReturnType<typeof listIssues>>[number]

/** Issues with their servers. A server that has a new owner keeps the name from before the transfer. */
function issuesWithServers(db: Db) {
  return db
    .selectFrom('protection_issues as i')
    .leftJoin('servers as s', 's.public_id', 'i.server_id')
    .selectAll('i')
    .select(sql<boolean>`s.public_id is not null`.as('server_exists'))
    .select(sql<boolean>`coalesce(s.owner_id = i.user_id, false)`.as('is_still_owner'))
    .select(sql<string>`case when s.owner_id = i.user_id then s.name else i.server_name end`.as('display_name'))
}

export function listIssues(db: Db, ids: readonly string[]) {
  return issuesWithServers(db)
    .where('i.id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

export async function findIssue(db: Db, id: string): Promise<IssueRow | undefined> {
  return (await listIssues(db, [id]))[0]
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

/** The current addresses of servers: bound ones and those of the last announce. @param servers ids, or all servers of an owner. */
export function listOwnAddresses(db: Db, servers: readonly string[] | { readonly ownerId: string }) {
  const ids =
    'ownerId' in servers
      ? sql<string>`any(array(select public_id from servers where owner_id = ${servers.ownerId}::uuid))`
      : sql<string>`any(${servers}::text[])`
  return db
    .selectFrom('credentials as c')
    .innerJoin('credential_uses as x', 'x.credential_id', 'c.id')
    .where('c.server_id', '=', ids)
    .where('c.revoked_at', 'is', null)
    .where('x.bound_address', 'is not', null)
    .select(['c.server_id', sql<string>`host(x.bound_address)`.as('address')])
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

export type TimelineRow = Insertable<Tables['protection_timeline']>

export async function insertTimeline(trx: Db, entries: readonly TimelineRow[]): Promise<void> {
  if (entries.length > 0)
    await trx
      .insertInto('protection_timeline')
      .values([...entries])
      .execute()
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

/** The owner's replies on an issue since this time, newest first. */
export function listReplies(trx: Db, issueId: string, since: Date, max: number) {
  return trx
    .selectFrom('protection_timeline')
    .select('at')
    .where('issue_id', '=', issueId)
    .where('kind', '=', 'REPLY')
    .where('by', '=', 'owner')
    .where('at', '>', since)
    .orderBy('at', 'desc')
    .limit(max)
    .execute()
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
    .where('i.server_id', '=', sql<string>`any(${publicIds}::text[])`)
    .where('i.status', 'in', ['OPEN', 'ACKNOWLEDGED'])
    .orderBy('i.first_seen_at')
    .orderBy('i.id')
    .execute()
}

export function countOpen(db: Db, column: 'user_id' | 'server_id', ids: readonly string[]) {
  const type = sql.raw(column === 'user_id' ? 'uuid' : 'text')
  return db
    .selectFrom('protection_issues')
    .select((q) => q.fn.countAll<string>().as('count'))
    .select(sql<string>`${sql.ref(column)}`.as('of'))
    .where(sql.ref(column), '=', sql<string>`any(${ids}::${type}[])`)
    .where('status', 'in', ['OPEN', 'ACKNOWLEDGED'])
    .groupBy(column)
    .execute()
}

/** Locks the open issue of this kind, if any. */
export function lockOpenIssueOf(trx: Db, kind: IssueKind, userId: string, publicId: string | null) {
  return trx
    .selectFrom('protection_issues')
    .select(['id', 'consequence', 'is_visible_to_owner'])
    .where('kind', '=', kind)
    .where('user_id', '=', userId)
    .where('server_id', 'is not distinct from', publicId)
    .where('status', 'in', ['OPEN', 'ACKNOWLEDGED'])
    .forUpdate()
    .executeTakeFirst()
}
