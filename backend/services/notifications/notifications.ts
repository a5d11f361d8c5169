/**
 * The inbox of a user. Marking as read is no domain event: it concerns nobody else, and the activity log would only hide what matters.
 */
import { v7 as uuidv7 } from 'uuid'
import { NOTIFICATIONS_PAGE } from '#contract/webhooks/notifications.ts'
import type { NotificationType } from '#contract/events/public-events.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { InboxEvent } from '#backend/services/webhooks/server-watcher.ts'
import { type NotificationRow, countUnread, insertWanted, listNotifications, listPinned, setRead } from './notifications.queries.ts'

export { deleteOldNotifications } from './notifications.queries.ts'

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
  return insertWanted(
    trx,
    notifications.map(({ type, userId, actorId = null, server, data = {}, unless = null, isRead = false }) => ({
      id: uuidv7(),
      user_id: userId,
      type,
      actor_id: actorId,
      server_id: server?.public_id ?? null,
      server_name: server?.name ?? null,
      data,
      unless,
      is_read: isRead,
    })),
  )
}

/** Their owner just started the server for the first time and sees it come online. */
const FIRST_NEWS: readonly NotificationType[] = ['server.listed', 'address.bound']

/** Notifies owners of changes of their live servers. */
export function notifyOfServers(trx: Db, events: readonly InboxEvent[]): Promise<readonly string[]> {
  return notify(
    trx,
    events.map(({ ownerId, wasListed, ...event }) => ({
      ...event,
      userId: ownerId,
      isRead: !wasListed && FIRST_NEWS.includes(event.type),
    })),
  )
}

export interface Inbox {
  readonly pinned: readonly NotificationRow[]
  readonly rows: readonly NotificationRow[]
  readonly unread: number
  readonly hasMore: boolean
}

/** A page of the inbox. The first one has the pinned notifications, and no page repeats them. */
export async function getInbox(
  db: Db,
  userId: string,
  { before, unread: isUnread = false }: { readonly before?: string | undefined; readonly unread?: boolean | undefined },
): Promise<Inbox> {
  const pinned = await listPinned(db, userId)
  const except = pinned.map(({ id }) => id)
  const found = await listNotifications(db, userId, { before, isUnread, except, limit: NOTIFICATIONS_PAGE + 1 })
  return {
    pinned: before === undefined ? pinned.filter((row) => !isUnread || row.read_at === null) : [],
    rows: found.slice(0, NOTIFICATIONS_PAGE),
    unread: await countUnread(db, userId),
    hasMore: found.length > NOTIFICATIONS_PAGE,
  }
}

/** @param ids of entries, undefined for all. Those of others are ignored. */
export function markRead(db: Db, userId: string, ids: readonly string[] | undefined): Promise<{ hasChanged: boolean; unread: number }> {
  return transaction(db, async (trx) => {
    const hasChanged = await setRead(trx, userId, ids)
    return { hasChanged, unread: await countUnread(trx, userId) }
  })
}
