import { Ban, CalendarClock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AdminUser } from '#contract/users-admin.ts'
import { exactTime } from '#web/lib/time.ts'
import { cx } from '#web/ui/class-names.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'

/** That somebody is banned, why and until when; that they are leaving, and when they will be gone. */
export function StandingNotes({ user }: { user: Pick<AdminUser, 'banned' | 'banned_at' | 'banned_until' | 'ban_reason' | 'delete_at'> }) {
  const { banned, banned_at: since, banned_until: until, ban_reason: reason, delete_at: gone } = user
  return (
    <>
      {banned && (
        <StandingNote tone="danger" icon={<Ban size={16} aria-hidden="true" />}>
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
        </StandingNote>
      )}
      {gone !== null && (
        <StandingNote tone="warn" icon={<CalendarClock size={16} aria-hidden="true" />}>
          <p>
            <strong className="font-medium text-warn">Leaving</strong>: the account is erased on {exactTime(gone)}, unless its owner cancels
            that.
          </p>
        </StandingNote>
      )}
    </>
  )
}

function StandingNote({ tone, icon, children }: { tone: 'danger' | 'warn'; icon: ReactNode; children: ReactNode }) {
  return (
    <div className={cx('flex gap-2.5 px-5 py-3 text-13', tone === 'danger' ? 'tint-danger' : 'tint-warn')}>
      <span className={cx('mt-0.5 shrink-0', tone === 'danger' ? 'text-danger' : 'text-warn')}>{icon}</span>
      <div className="min-w-0">{children}</div>
    </div>
  )
}
