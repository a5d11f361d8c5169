/**
 * The inbox of a user. Marking as read is no domain event: it concerns nobody else, and the activity log would only hide what matters.
 */
import { NOTIFICATIONS_PAGE } from '#contract/webhooks/notifications.ts'
import type { NotificationType } from '#contract/events/public-events.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { transaction } from '#backend/platform/database/transaction.ts'
import type { InboxEvent } from '#backend/services/webhooks/server-watcher.ts'
import { countUnread, listNotifications, listPinned, notify, setRead } from './notifications.queries.ts'

export { type NewNotification, deleteOldNotifications, notify } from './notifications.queries.ts'

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

/** A page of the inbox. The first one has the pinned notifications, and no page repeats them. */
export async function getInbox(
  db: Db,
  userId: string,
  { before, unread: isUnread = false }: { readonly before?: string | undefined; readonly unread?: boolean | undefined },
) {
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
