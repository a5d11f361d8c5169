import { ArrowRightLeft, Gift, KeyRound, type LucideIcon, MapPin, Server, ShieldAlert, UserRound, Users } from 'lucide-react'
import type { Tone } from '#contract/events/events.ts'
import { NOTIFICATIONS, type NotificationType, type PublicEventGroup } from '#contract/events/public-events.ts'
import { cx } from '#web/ui/class-names.ts'

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

/** What a notification is about, in the colour of its severity. */
export function NotificationIcon({ type }: { type: NotificationType }) {
  const { group, severity } = NOTIFICATIONS[type]
  const Icon = ICONS[group]
  return (
    <span className={cx('flex size-8 shrink-0 items-center justify-center rounded-full', COLORS[severity])}>
      <Icon size={16} aria-hidden="true" />
    </span>
  )
}
