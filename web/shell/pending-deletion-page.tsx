import { useRouter } from '@tanstack/react-router'
import type { Me } from '#contract/users.ts'
import { useCancelDeletion } from '#web/features/session/session.api.ts'
import { exactTime, remaining, useNow } from '#web/lib/time.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { LogOutButton } from './log-out-button.tsx'
import { TopBar } from './top-bar.tsx'

/** All that an account sees which is about to be erased (product.md section 2). */
export function PendingDeletionPage({ me, until }: { me: Me; until: string }) {
  const router = useRouter()
  const cancel = useCancelDeletion(() => void router.navigate({ to: '/' }).then(() => router.invalidate()))
  useTitle('Account set for deletion')
  return (
    <div className="flex min-h-dvh flex-col">
      <TopBar me={me}>
        <Button look="primary" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel deletion
        </Button>
        <LogOutButton />
      </TopBar>
      <main className="mx-auto flex w-full max-w-lg flex-1 flex-col items-center justify-center px-6 py-12 text-center">
        <h1 className="text-28 font-semibold tracking-[-0.02em] text-balance">Your account is set for deletion</h1>
        <p className="mt-3 text-pretty text-ink-2">
          There is limited time to change your mind. When the timer expires, your data is permanently erased and can’t be recovered.
        </p>
        <Countdown until={until} />
        <p className="mt-4 text-13 text-ink-3">
          Ends <time dateTime={until}>{exactTime(until)}</time>
        </p>
      </main>
    </div>
  )
}

function Countdown({ until }: { until: string }) {
  const left = remaining(until, useNow())
  return (
    <div role="timer" aria-label="Time left" className="mt-8 flex gap-3">
      <Part value={left.hours} unit="hours" />
      <Part value={left.minutes} unit="minutes" />
      <Part value={left.seconds} unit="seconds" />
    </div>
  )
}

function Part({ value, unit }: { value: number; unit: string }) {
  return (
    <div className="card w-24 py-4">
      <div className="text-28 font-semibold tabular-nums">{String(value).padStart(2, '0')}</div>
      <div className="text-12 text-ink-3">{unit}</div>
    </div>
  )
}
