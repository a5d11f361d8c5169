import { type ReactNode, type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { ServerTransfer } from '#contract/transfers.ts'
import type { PublicUser } from '#contract/users.ts'
import { Avatar } from '#web/features/session/avatar.tsx'
import { exactTime, relativeTime, useNow } from '#web/lib/time.ts'
import { TimeAgo } from '#web/ui/time-ago.tsx'

const DAY_MS = 86_400_000

/** The other side with what is said of them, since when, and until when. */
export function TransferDetails({ transfer, person, children }: { transfer: ServerTransfer; person: PublicUser; children: ReactNode }) {
  const { created_at, expires_at } = transfer
  return (
    <>
      <p className="mt-1 flex items-center gap-1.5 text-13 text-ink-2">
        <Avatar user={person.discord} size={24} />
        <span className="min-w-0 break-words">{children}</span>
      </p>
      <p className="mt-1 text-12 text-ink-3">
        <TimeAgo at={created_at} />, <Expiry at={expires_at} />
      </p>
    </>
  )
}

function Expiry({ at }: { at: string }) {
  const now = useNow()
  // Whole days are rounded, so that a new offer has all of its seven.
  const days = Math.round((Date.parse(at) - now) / DAY_MS)
  return (
    <>
      {Date.parse(at) <= now ? 'lapsed ' : 'lapses '}
      <time dateTime={at} data-tip={exactTime(at)} className="rounded-6 tabular-nums">
        {days > 1 ? `in ${days} days` : relativeTime(at, now)}
      </time>
    </>
  )
}

/** Calls `onGone` where the element leaves the page while the focus is in it, also through what others do. */
export function useFocusedRemoval<E extends HTMLElement>(onGone: () => void): RefObject<E | null> {
  const ref = useRef<E>(null)
  const gone = useEffectEvent(onGone)
  useLayoutEffect(() => {
    const element = ref.current
    return () => {
      // It is still in the page here, for the last moment.
      if (element?.contains(document.activeElement)) gone()
    }
  }, [])
  return ref
}
