/** How somebody stands: banned, or leaving. */
import { Ban, CalendarClock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AdminUser } from '#contract/users-admin.ts'
import { exactTime, relativeTime, useNow } from '#web/lib/time.ts'
import { cx } from '#web/ui/class-names.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'

type AccountStatus = Pick<AdminUser, 'banned' | 'banned_until' | 'ban_reason' | 'delete_at'>

const PILL = 'inline-flex min-h-6 items-center gap-1.5 rounded-full px-2 text-12 font-medium whitespace-nowrap'

/** Whether somebody is banned, and until when, or leaving. Icon and word; the reason is its tooltip. */
export function UserStatus({ user }: { user: AccountStatus }) {
  const now = useNow()
  const { banned, banned_until: until, ban_reason: reason, delete_at: gone } = user
  if (!banned && gone === null) return <span className="text-ink-3">–</span>
  return (
    <span className="relative inline-flex flex-wrap gap-1">
      {banned && (
        <span className={cx(PILL, 'tint-danger text-danger')} data-tip={tipOf(until, reason)}>
          <Ban size={13} aria-hidden="true" />
          Banned
          {until !== undefined && <span className="font-normal">{endOf(until, now)}</span>}
        </span>
      )}
      {gone !== null && (
        <span className={cx(PILL, 'tint-warn text-warn')} data-tip={`Erased on ${exactTime(gone)}`}>
          <CalendarClock size={13} aria-hidden="true" />
          Leaving
        </span>
      )}
    </span>
  )
}

const DAY_MS = 86_400_000
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })
const dayOfYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** `ends in 3 hr.`, `until Dec 31`: as short as says it. */
function endOf(until: string, now: number): string {
  const left = Date.parse(until) - now
  if (left < 2 * DAY_MS) return `ends ${relativeTime(until, now)}`
  return `until ${(left < 300 * DAY_MS ? day : dayOfYear).format(new Date(until))}`
}

function tipOf(until: string | undefined, reason: string | undefined): string {
  const end = until === undefined ? 'Until somebody lifts it' : `Until ${exactTime(until)}`
  return reason === undefined || reason === '' ? end : `${end}: ${reason}`
}

export function UserStatusNotes({ user }: { user: AccountStatus & Pick<AdminUser, 'banned_at'> }) {
  const { banned, banned_at: since, banned_until: until, ban_reason: reason, delete_at: gone } = user
  return (
    <>
      {banned && (
        <StatusNote tone="danger" icon={<Ban size={16} aria-hidden="true" />}>
          <p>
            <strong className="font-medium text-danger">Banned</strong>
            {since !== null && (
              <>
                {' '}
                <TimeAgo at={since} />
              </>
            )}
            {until === undefined ? ', until somebody lifts it.' : `, until ${exactTime(until)}.`}
          </p>
          <p className="mt-0.5 break-words whitespace-pre-line text-ink-2">
            {reason === undefined || reason === '' ? 'No reason was given.' : reason}
          </p>
        </StatusNote>
      )}
      {gone !== null && (
        <StatusNote tone="warn" icon={<CalendarClock size={16} aria-hidden="true" />}>
          <p>
            <strong className="font-medium text-warn">Leaving</strong>: the account is erased on {exactTime(gone)}, unless its owner cancels
            that.
          </p>
        </StatusNote>
      )}
    </>
  )
}

function StatusNote({ tone, icon, children }: { tone: 'danger' | 'warn'; icon: ReactNode; children: ReactNode }) {
  return (
    <div className={cx('flex gap-2.5 px-5 py-3 text-13', tone === 'danger' ? 'tint-danger' : 'tint-warn')}>
      <span className={cx('mt-0.5 shrink-0', tone === 'danger' ? 'text-danger' : 'text-warn')}>{icon}</span>
      <div className="min-w-0">{children}</div>
    </div>
  )
}
