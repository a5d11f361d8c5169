import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent } from 'react'
import type { Notification } from '#contract/webhooks/notifications.ts'
import type { ServerTransfer } from '#contract/servers/transfers.ts'
import { m } from '#messages'
import { LoadOlder } from '#web/features/activity/load-older.tsx'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { IncomingTransfer } from '#web/features/transfers/incoming-transfers.tsx'
import { NotificationItem } from './notification-item.tsx'
import { NoNotifications, NotificationsByDay, useInbox } from './notification-list.tsx'
import { PAGE_SIZE, type ReadNotifications } from './notifications.api.ts'

interface InboxProps {
  onlyUnread: boolean
  /** The ID of a notification, transfer or issue to focus. */
  item: string | undefined
}

/** All notifications, with the buttons that answer transfer requests. */
export function Inbox({ onlyUnread, item }: InboxProps) {
  const inbox = useInbox(onlyUnread)
  const { query, notifications = [], markRead, list, onKeyDown } = inbox
  const { data: transfers = [] } = useQuery({ ...serverListOptions, select: (servers) => servers.incoming_transfers })
  const selected = selectedOf(item, notifications, transfers)
  useSelectedItem(list, selected, () => markRead(notifications.filter(({ id }) => id === selected)))
  if (notifications.length === 0) return <NoNotifications inbox={inbox} onlyUnread={onlyUnread} className="card p-5" />
  const renderItem = (notification: Notification) => (
    <NotificationItem key={notification.id} notification={notification} isSelected={notification.id === selected} onRead={markRead} />
  )
  const [pinned, rest] = [notifications.filter((each) => each.pinned), notifications.filter((each) => !each.pinned)]
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- its items take the focus
    <div ref={list} onKeyDown={onKeyDown} className="space-y-6">
      {pinned.length > 0 && (
        <section aria-labelledby="pinned">
          <h2 id="pinned" className="mb-2 font-medium">
            {m.inbox_pinned()}
          </h2>
          <div className="space-y-3">
            {pinned.map((notification) => {
              const transfer = transfers.find((each) => isAbout(notification, each))
              if (transfer) return <TransferItem key={notification.id} notification={notification} transfer={transfer} onRead={markRead} />
              return (
                <ul key={notification.id} className="card overflow-hidden">
                  {renderItem(notification)}
                </ul>
              )
            })}
          </div>
        </section>
      )}
      {rest.length > 0 && (
        <div className="card overflow-hidden">
          <NotificationsByDay heading="h2" notifications={rest} renderItem={renderItem} />
        </div>
      )}
      <LoadOlder query={query} end={notifications.length > PAGE_SIZE && m.inbox_end()} />
    </div>
  )
}

/** A server has at most one open transfer. */
const isAbout = ({ pinned, type, server }: Notification, { token }: ServerTransfer) =>
  pinned && type === 'transfer.offered' && server?.public_id === token.public_id

/** The item to focus. */
function selectedOf(item: string | undefined, notifications: readonly Notification[], transfers: readonly ServerTransfer[]) {
  if (item === undefined) return undefined
  const transfer = transfers.find(({ id }) => id === item)
  return notifications.find((each) => each.id === item || each.link.endsWith(`/${item}`) || (transfer && isAbout(each, transfer)))?.id
}

/** Focuses the item once it is loaded, and marks it as read. */
function useSelectedItem(list: RefObject<HTMLElement | null>, id: string | undefined, onRead: () => void): void {
  const select = useEffectEvent((selected: string) => {
    const element = list.current?.querySelector<HTMLElement>(`[data-item="${CSS.escape(selected)}"]`)
    element?.scrollIntoView({ block: 'nearest' })
    element?.querySelector<HTMLElement>('[data-item-focus]')?.focus({ preventScroll: true })
    onRead()
  })
  useEffect(() => {
    if (id !== undefined) select(id)
  }, [id])
}

interface TransferItemProps {
  notification: Notification
  transfer: ServerTransfer
  onRead: ReadNotifications
}

/** A request with its buttons. Answering it also reads it. */
function TransferItem({ notification, transfer, onRead }: TransferItemProps) {
  return (
    <div data-item={notification.id} onClickCapture={() => onRead([notification])} className="relative">
      <IncomingTransfer transfer={transfer} />
      {notification.read_at === null && (
        <span className="absolute -top-1 -right-1 size-2.5 rounded-full border-2 border-surface-0 bg-accent box-content">
          <span className="sr-only">{m.inbox_unread()}</span>
        </span>
      )}
    </div>
  )
}
