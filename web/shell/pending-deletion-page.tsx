import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Me } from '#contract/users.ts'
import { meOptions, useCancelDeletion } from '#web/features/session/session.api.ts'
import { exactTime, remaining, useNow } from '#web/lib/time.ts'
import { serverTime } from '#web/lib/server-clock.ts'
import { useLostFocus } from '#web/lib/use-lost-focus.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { RestrictedFrame } from './restricted-frame.tsx'

/** Such an account has no stream of events. */
const ASK_MS = 1000
const ASK_WHEN_OVER_MS = 3000

/** All that a leaving account sees (product.md section 2). */
export function PendingDeletionPage({ me, until }: { me: Me; until: string }) {
  const navigate = useNavigate()
  const cancel = useCancelDeletion(() => {
    toastSuccess('Your account stays')
    void navigate({ to: '/' })
  })
  const title = useLostFocus<HTMLHeadingElement>()
  useTitle('Account set for deletion')
  const left = remaining(until, serverTime(useNow()))
  const isOver = left.hours + left.minutes + left.seconds === 0
  // Once it is erased, this leads to the login page.
  useQuery({ ...meOptions, refetchInterval: isOver ? ASK_WHEN_OVER_MS : ASK_MS })
  return (
    <RestrictedFrame
      me={me}
      action={
        <Button look="primary" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel deletion
        </Button>
      }
    >
      <h1 ref={title} tabIndex={-1} className="text-28 font-semibold tracking-[-0.02em] text-balance outline-none">
        Your account is set for deletion
      </h1>
      <p className="mt-3 text-pretty text-ink-2">
        There is limited time to change your mind. After the timer expires, your data will be permanently erased and unrecoverable.
      </p>
      <div role="timer" aria-label="Time left" className="mt-8 flex gap-2 sm:gap-3">
        <Part value={left.hours} unit="hours" />
        <Part value={left.minutes} unit="minutes" />
        <Part value={left.seconds} unit="seconds" />
      </div>
      <p className="mt-4 text-13 text-ink-3" role="status">
        {isOver ? (
          <span className="inline-flex items-center gap-2">
            <span className="spinner" aria-hidden="true" />
            The time is up. Your data is being erased.
          </span>
        ) : (
          <>
            Ends <time dateTime={until}>{exactTime(until)}</time>
          </>
        )}
      </p>
    </RestrictedFrame>
  )
}

function Part({ value, unit }: { value: number; unit: string }) {
  return (
    <div className="card w-24 min-w-0 py-4">
      <div className="text-28 font-semibold tabular-nums">{String(value).padStart(2, '0')}</div>
      <div className="text-12 text-ink-3">{unit}</div>
    </div>
  )
}
