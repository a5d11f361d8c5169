import { Ban, CalendarClock, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AdminUser } from '#contract/users/users-admin.ts'
import { m } from '#messages'
import { exactTime, formatTime, relativeTime, useNow, useTimeZone } from '#web/lib/time.ts'
import { cx } from '#web/ui/class-names.ts'
import { Pill } from '#web/ui/pill.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { NoneCell } from '#web/ui/table/list-table.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'

type AccountStatus = Pick<AdminUser, 'banned' | 'banned_until' | 'ban_reason' | 'delete_at'>

/** A pill for a ban and one for a pending deletion. */
export function UserStatus({ user }: { user: AccountStatus }) {
  const now = useNow()
  const { banned, banned_until: until, ban_reason: reason, delete_at: deleteAt } = user
  if (!banned && deleteAt === null) return <NoneCell />
  return (
    <span className="relative inline-flex flex-wrap gap-1">
      {banned && (
        <Pill tone="danger" icon={Ban} data-tip={banTip(until, reason)}>
          {m.common_banned()}
          {until !== undefined && <span className="font-normal">{shortBanEnd(until, now)}</span>}
        </Pill>
      )}
      {deleteAt !== null && (
        <Pill tone="warn" icon={CalendarClock} data-tip={m.users_deletion_tip({ time: exactTime(deleteAt) })}>
          {m.users_deletion_pending()}
        </Pill>
      )}
    </span>
  )
}

const DAY_MS = 86_400_000

/** `ends in 3 hr.`, `until Dec 31` */
function shortBanEnd(until: string, now: number): string {
  const left = Date.parse(until) - now
  if (left < 2 * DAY_MS) return m.users_ban_ends({ time: relativeTime(until, now) })
  return m.users_ban_until_short({ date: formatTime(until, left < 300 * DAY_MS ? 'day' : 'date') })
}

function banTip(until: string | undefined, reason: string | undefined): string {
  const end = until === undefined ? m.users_ban_tip_forever() : m.users_ban_tip_until({ time: exactTime(until) })
  return reason ? m.users_ban_tip_reason({ end, reason }) : end
}

/** The ban and the pending deletion, with their details. */
export function UserStatusNotes({ user }: { user: AccountStatus & Pick<AdminUser, 'banned_at'> }) {
  const { banned, ban_reason: reason, delete_at: deleteAt } = user
  useTimeZone()
  return (
    <>
      {banned && (
        <StatusNote icon={Ban} className="tint-danger">
          <BanSentence user={user} />
          <p className="mt-0.5 break-words whitespace-pre-line text-ink-2">{reason || m.common_ban_no_reason()}</p>
        </StatusNote>
      )}
      {deleteAt !== null && (
        <StatusNote icon={CalendarClock} className="tint-warn">
          <RichText message={m.users_deletion_note} inputs={{ time: exactTime(deleteAt) }} tags={{ b: strong('text-warn') }} />
        </StatusNote>
      )}
    </>
  )
}

const strong = (colour: string) => (text: string) => <strong className={`font-medium ${colour}`}>{text}</strong>

function BanSentence({ user: { banned_at: since, banned_until: until } }: { user: Pick<AdminUser, 'banned_at' | 'banned_until'> }) {
  const b = strong('text-danger')
  const time = until === undefined ? '' : exactTime(until)
  if (since === null) {
    if (until === undefined) return <RichText message={m.common_ban_note} tags={{ b }} />
    return <RichText message={m.common_ban_note_until} inputs={{ time }} tags={{ b }} />
  }
  const tags = { b, since: () => <TimeAgo at={since} /> }
  if (until === undefined) return <RichText message={m.users_ban_note_since} tags={tags} />
  return <RichText message={m.users_ban_note_since_until} inputs={{ time }} tags={tags} />
}

function StatusNote({ icon: Icon, className, children }: { icon: LucideIcon; className: string; children: ReactNode }) {
  return (
    <div className={cx('flex gap-2.5 px-5 py-3 text-13', className)}>
      <Icon size={16} aria-hidden="true" className="mt-0.5 shrink-0" />
      <div className="min-w-0">{children}</div>
    </div>
  )
}
