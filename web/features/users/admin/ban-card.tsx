import { useRef } from 'react'
import type { AdminUser } from '#contract/users-admin.ts'
import { exactTime } from '#web/lib/time.ts'
import { useFocusOnceLifted } from '#web/lib/use-focus-once-lifted.ts'
import { BanButtons } from './ban-buttons.tsx'

/** Whether somebody is let in: banning, and lifting it. */
export function BanCard({ user, isSelf }: { user: AdminUser; isSelf: boolean }) {
  const title = useRef<HTMLHeadingElement>(null)
  const { banned } = user
  useFocusOnceLifted(banned, () => title.current)
  return (
    <section aria-labelledby="ban-title" className="card p-5">
      <h2 id="ban-title" ref={title} tabIndex={-1} className="font-medium outline-none">
        Ban
      </h2>
      <p className="mt-0.5 mb-4 text-13 text-pretty text-ink-2">{textOf(user)}</p>
      <BanButtons user={user} isSelf={isSelf} />
    </section>
  )
}

function textOf({ banned, banned_until: until, discord }: AdminUser): string {
  if (!banned) return `A banned account can only read why, and log out. Everything of ${discord.username} stays, off the list.`
  return until === undefined
    ? `${discord.username} is banned until somebody lifts it.`
    : `${discord.username} is banned. It ends by itself on ${exactTime(until)}.`
}
