import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { NOTIFICATION_DAYS } from '#contract/webhooks/notifications.ts'
import type { NotificationType } from '#contract/events/public-events.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { deleteInBatches } from '#backend/platform/database/sql.ts'

/** Per user. */
const MAX_KEPT = 1000
const MAX_PINNED = 50

export interface NewNotification {
  readonly type: NotificationType
  readonly userId: string
  /** The other user who caused it. */
  readonly actorId?: string | null
  readonly server?: { readonly public_id: string; readonly name: string }
  /** What its sentence needs (`texts.ts`): no secrets, no addresses, no names of others. */
  readonly data?: Readonly<Record<string, unknown>>
  /** Another notification of the same event. This one is left out if the user has the other's type switched on. */
  readonly unless?: NotificationType
  /** Good news that needs no look: it is read from the start. */
  readonly isRead?: boolean
}

/** Writes notifications, in the transaction of what causes them. Leaves out types that a user has switched off. Returns the notified users. */
export async function notify(trx: Db, notifications: readonly NewNotification[]): Promise<readonly string[]> {
  if (notifications.length === 0) return []
  const rows = notifications.map((each) => ({ ...each, id: uuidv7() }))
  const inserted = await sql<{ user_id: string }>`
    insert into notifications (id, user_id, type, actor_id, server_id, server_name, data, read_at)
    select n.id, n."userId", n.type, n."actorId", n.server ->> 'public_id', n.server ->> 'name', coalesce(n.data, '{}'),
      case when n."isRead" then now() end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as n (id uuid, "userId" uuid, type text, "actorId" uuid, server jsonb, data jsonb, unless text, "isRead" boolean)
    left join preferences p on p.user_id = n."userId"
    where coalesce((p.notifications ->> n.type)::boolean, true)
      and (n.unless is null or (p.notifications ->> n.unless)::boolean is false)
    returning user_id`.execute(trx)
  return [...new Set(inserted.rows.map((row) => row.user_id))]
}

export interface NotificationRow {
  readonly id: string
  readonly type: string
  readonly created_at: Date
  readonly read_at: Date | null
  readonly server_id: string | null
  readonly server_name: string | null
  readonly data: Readonly<Record<string, unknown>>
  /** The name of the user who caused it. */
  readonly actor: string | null
  /** Whether the user owns the server now. */
  readonly is_owner: boolean
  /** How many notifications the entry has. The other fields are of the newest one. */
  readonly count: number
  /** Their servers, newest first. */
  readonly servers: readonly { readonly public_id: string; readonly name: string }[]
}

/** What needs an answer keeps an entry of its own. */
const SINGLE_TYPES: readonly NotificationType[] = ['issue.opened', 'transfer.offered']

/** Notifications about servers share an entry if they have the same type and minute, and are all read or all unread. */
function entryKey(table: string) {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return sql`${column('type')}, date_trunc('minute', ${column('created_at')}), ${column('read_at')} is null,
    case when ${column('server_id')} is null or ${column('type')} = any(${SINGLE_TYPES}::text[]) then ${column('id')} end`
}

/**
 * Pending transfers to the user, and open issues without an answer, newest first. Read from their own tables, so they are unpinned as soon as they end.
 * One without a notification has its own ID and counts as read: its type was switched off, or the notification is too old.
 */
export async function listPinned(db: Db, userId: string): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`
    with pending as (
      select t.id, 'transfer.offered' as type, t.created_at as at, t.created_at as since, t.server_id, s.name as server_name,
        t.from_user_id as actor_id, jsonb_build_object('role', 'recipient') as data
      from transfers t join servers s on s.public_id = t.server_id
      where t.to_user_id = ${userId} and t.expires_at > now()
      union all
      select i.id, 'issue.opened', i.opened_at, '-infinity', i.server_id, i.server_name,
        null, jsonb_build_object('issue_id', i.id, 'kind', i.kind)
      from protection_issues i
      where i.user_id = ${userId} and i.is_visible_to_owner and i.status = 'OPEN' and not exists (
        select from protection_timeline t where t.issue_id = i.id and t.kind = 'REPLY' and t.by = 'owner' and t.at >= i.opened_at)
      order by at desc limit ${MAX_PINNED}
    )
    select coalesce(n.id, p.id) as id, p.type, p.at as created_at, case when n.id is null then p.at else n.read_at end as read_at,
      p.server_id, p.server_name, p.data, u.username as actor, coalesce(s.owner_id = ${userId}, false) as is_owner,
      1 as count, '[]'::jsonb as servers
    from pending p
    left join lateral (
      select n.id, n.read_at from notifications n
      where n.user_id = ${userId} and n.type = p.type and n.server_id is not distinct from p.server_id and n.created_at >= p.since
        and n.data ->> 'issue_id' is not distinct from p.data ->> 'issue_id'
      order by n.id desc limit 1
    ) n on true
    left join users u on u.id = p.actor_id
    left join servers s on s.public_id = p.server_id
    order by p.at desc, p.id desc`.execute(db)
  return rows
}

export interface PageQuery {
  readonly before: string | undefined
  readonly isUnread: boolean
  readonly except: readonly string[]
  readonly limit: number
}

export async function listNotifications(
  db: Db,
  userId: string,
  { before, isUnread, except, limit }: PageQuery,
): Promise<NotificationRow[]> {
  const newest = sql<string>`(array_agg(n.id order by n.id desc))[1]`
  const { rows } = await sql<NotificationRow>`
    with entries as (
      select ${newest} as id, count(*)::int as count,
        coalesce(jsonb_agg(jsonb_build_object('public_id', n.server_id, 'name', n.server_name) order by n.id desc)
          filter (where n.server_id is not null), '[]') as servers
      from notifications n
      where n.user_id = ${userId} and n.id <> all(${except}::uuid[]) and (not ${isUnread}::boolean or n.read_at is null)
      group by ${entryKey('n')}
      having ${before ?? null}::uuid is null or ${newest} < ${before ?? null}::uuid
      order by 1 desc limit ${limit}
    )
    select e.id, n.type, n.created_at, n.read_at, n.server_id, n.server_name, n.data, u.username as actor,
      coalesce(s.owner_id = ${userId}, false) as is_owner, e.count, e.servers
    from entries e join notifications n on n.id = e.id
    left join users u on u.id = n.actor_id
    left join servers s on s.public_id = n.server_id
    order by e.id desc`.execute(db)
  return rows
}

/** The number of entries. */
export async function countUnread(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct (${entryKey('n')}))::int as n from notifications n
    where n.user_id = ${userId} and n.read_at is null`.execute(db)
  return rows[0]?.n ?? 0
}

/** Returns whether any was unread. @param ids of entries: those that share one are read too, but not later ones. Undefined for all. */
export async function setRead(trx: Db, userId: string, ids: readonly string[] | undefined): Promise<boolean> {
  const chosen =
    ids === undefined
      ? sql<boolean>`true`
      : sql<boolean>`exists (select from notifications e where e.id = any(${ids}::uuid[]) and e.user_id = ${userId} and n.id <= e.id
          and (${entryKey('e')}) is not distinct from (${entryKey('n')}))`
  const { numAffectedRows } = await sql`
    update notifications set read_at = now() where id in (
      select id from notifications n where user_id = ${userId} and read_at is null and ${chosen} order by id for no key update)`.execute(
    trx,
  )
  return (numAffectedRows ?? 0n) > 0n
}

/** Deletes old notifications, and all but the newest thousand of each user. */
export async function deleteOldNotifications(db: Db): Promise<void> {
  const isOld = sql`created_at < now() - make_interval(days => ${NOTIFICATION_DAYS})`
  const isExcess = sql`id in (
    select id from (select id, row_number() over (partition by user_id order by id desc) as n from notifications) ranked where n > ${MAX_KEPT})`
  for (const where of [isOld, isExcess]) await deleteInBatches(db, 'notifications', where)
}
