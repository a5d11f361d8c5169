import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ArrowRightLeft, Check, Gift, KeyRound, type LucideIcon, MapPin, Server, ShieldAlert, UserRound, Users } from 'lucide-react'
import type { MouseEvent } from 'react'
import type { Tone } from '#contract/events/events.ts'
import { NOTIFICATIONS, type NotificationType, type PublicEventGroup } from '#contract/events/public-events.ts'
import type { Notification } from '#contract/webhooks/notifications.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { cx } from '#web/ui/class-names.ts'
import { ImageTile } from '#web/ui/image-tile.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import type { ReadNotifications } from './notifications.api.ts'

const ICONS: Readonly<Record<PublicEventGroup, LucideIcon>> = {
  server: Server,
  credential: KeyRound,
  address: MapPin,
  transfer: ArrowRightLeft,
  manager: Users,
  issue: ShieldAlert,
  benefit: Gift,
  account: UserRound,
}

const COLORS: Readonly<Record<Tone, string>> = {
  ok: 'tint-ok text-ok',
  info: 'tint-info text-info',
  warn: 'tint-warn text-warn',
  danger: 'tint-danger text-danger',
}

interface NotificationItemProps {
  notification: Notification
  /** Instead of the notification's own link. */
  link?: string | undefined
  isSelected?: boolean
  onOpen?: () => void
  onRead: ReadNotifications
}

/** The whole item opens what the notification is about. */
export function NotificationItem({ notification, link = notification.link, isSelected = false, onOpen, onRead }: NotificationItemProps) {
  const navigate = useNavigate()
  const { id, type, at, title, body, server, count } = notification
  const isUnread = notification.read_at === null
  const open = (event: MouseEvent) => {
    onRead([notification])
    // The browser opens another tab or window.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    onOpen?.()
    void navigate({ href: link })
  }
  return (
    <li
      data-item={id}
      className={cx(
        'relative flex gap-3 px-4 py-3 transition-colors duration-100 hover:bg-surface-2/60',
        isSelected && 'bg-surface-2/60 shadow-[inset_2px_0_var(--accent)]',
      )}
    >
      <NotificationIcon type={type} />
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-3">
          <a
            href={link}
            data-item-focus
            aria-current={isSelected ? 'true' : undefined}
            onClick={open}
            className={cx(
              'min-w-0 flex-1 truncate outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent',
              isUnread ? 'font-medium text-ink-1' : 'text-ink-2',
            )}
          >
            {isUnread && <span className="sr-only">{m.inbox_item_unread()} </span>}
            {title}
            {server !== null && (
              <span className="font-normal text-ink-3">
                {' · '}
                <KnownServerIcon id={server.public_id} name={server.name} />
                {server.name}
              </span>
            )}
            {server !== null && count > 1 && <span className="font-normal text-ink-3 tabular-nums"> · {formatNumber(count)}×</span>}
          </a>
          {/* Above the link, so that its tooltip can be hovered. */}
          <span className="relative z-1 shrink-0 text-12 text-ink-3">
            <TimeAgo at={at} />
          </span>
        </div>
        <p className="mt-0.5 line-clamp-2 text-13 [overflow-wrap:anywhere] text-ink-2">{body}</p>
      </div>
      {/* A read one keeps the room, so that nothing moves. */}
      <span className="-mr-1.5 flex w-8 shrink-0 items-center pointer-coarse:w-11">
        {isUnread && <ReadButton title={title} onRead={() => onRead([notification])} />}
      </span>
    </li>
  )
}

/** With the icon of a server that the user has or manages. */
function KnownServerIcon({ id, name }: { id: string; name: string }) {
  const { data: url = null } = useQuery({
    ...serverListOptions,
    select: ({ owned, management }) => [...owned, ...management].find(({ public_id }) => public_id === id)?.icon_url ?? null,
  })
  return <ImageTile id={id} name={name} url={url} className="mr-1 inline size-4 align-[-3px] max-sm:hidden" />
}

/** The dot of an unread notification. It becomes a tick on hover and focus. */
function ReadButton({ title, onRead }: { title: string; onRead: () => void }) {
  return (
    <button
      type="button"
      aria-label={m.inbox_mark_read({ title })}
      data-tip={m.inbox_mark_read_hint()}
      onClick={({ currentTarget }) => {
        // The button disappears.
        currentTarget.closest('[data-item]')?.querySelector<HTMLElement>('[data-item-focus]')?.focus()
        onRead()
      }}
      className="group relative z-1 flex size-8 items-center justify-center rounded-6 text-ink-2 hover:bg-surface-3 hover:text-ink-1 pointer-coarse:size-11"
    >
      <span className="size-2 rounded-full bg-accent group-hover:hidden group-focus-visible:hidden" />
      <Check size={16} aria-hidden="true" className="hidden group-hover:block group-focus-visible:block" />
    </button>
  )
}

/** What a notification is about, in the colour of its severity. */
function NotificationIcon({ type }: { type: NotificationType }) {
  const { group, severity } = NOTIFICATIONS[type]
  const Icon = ICONS[group]
  return (
    <span className={cx('flex size-8 shrink-0 items-center justify-center rounded-full', COLORS[severity])}>
      <Icon size={16} aria-hidden="true" />
    </span>
  )
}
