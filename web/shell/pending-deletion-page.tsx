import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Me } from '#contract/users/users.ts'
import { m } from '#messages'
import { useCancelDeletion } from '#web/features/session/account-actions.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { exactTime, timeLeft, useNow } from '#web/lib/time.ts'
import { takeLostFocus } from '#web/lib/recover-focus.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { AppealLink } from '#web/features/about/appeal-link.tsx'
import { RestrictedFrame } from './restricted-frame.tsx'

/** Polls, because this account has no event stream. */
const POLL_MS = 1000
const POLL_AFTER_END_MS = 3000

/** The only page an account in deletion can open. */
export function PendingDeletionPage({ me, until }: { me: Me; until: string }) {
  const navigate = useNavigate()
  const cancel = useCancelDeletion(() => {
    toastSuccess(m.shell_deletion_cancelled())
    void navigate({ to: '/' })
  })
  useTitle(m.shell_deletion_title())
  const left = timeLeft(until, useNow())
  const isOver = left.hours + left.minutes + left.seconds === 0
  // Erasure ends the session, and this call then leads to the login page.
  useQuery({ ...meOptions, refetchInterval: isOver ? POLL_AFTER_END_MS : POLL_MS })
  return (
    <RestrictedFrame
      me={me}
      action={
        <Button variant="primary" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          {m.shell_deletion_cancel()}
        </Button>
      }
    >
      <h1 ref={takeLostFocus} tabIndex={-1} className="text-28 font-semibold tracking-[-0.02em] text-balance outline-none">
        {m.shell_deletion_heading()}
      </h1>
      <p className="mt-3 text-pretty text-ink-2">{m.shell_deletion_body()}</p>
      <div role="timer" aria-label={m.shell_deletion_time_left()} className="mt-8 flex gap-2 sm:gap-3">
        <TimeUnit value={left.hours} unit={m.shell_deletion_hours()} />
        <TimeUnit value={left.minutes} unit={m.shell_deletion_minutes()} />
        <TimeUnit value={left.seconds} unit={m.shell_deletion_seconds()} />
      </div>
      <p className="mt-4 text-13 text-ink-3" role="status">
        {isOver ? (
          <span className="inline-flex items-center gap-2">
            <span className="spinner" aria-hidden="true" />
            {m.shell_deletion_over()}
          </span>
        ) : (
          <RichText message={m.shell_deletion_ends} tags={{ time: () => <time dateTime={until}>{exactTime(until)}</time> }} />
        )}
      </p>
      <p className="mt-4 text-13 text-ink-3">
        <RichText message={m.shell_deletion_help} tags={{ address: () => <AppealLink /> }} />
      </p>
    </RestrictedFrame>
  )
}

function TimeUnit({ value, unit }: { value: number; unit: string }) {
  return (
    <div className="card w-24 min-w-0 py-4">
      <div className="text-28 font-semibold tabular-nums">{String(value).padStart(2, '0')}</div>
      <div className="text-12 text-ink-3">{unit}</div>
    </div>
  )
}
