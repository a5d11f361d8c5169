import type { ReactNode } from 'react'
import type { Me } from '#contract/users.ts'
import { Avatar } from '#web/features/session/avatar.tsx'

/** Who is signed in, over the pages of an account that may not enter. */
export function TopBar({ me, children }: { me: Me; children?: ReactNode }) {
  return (
    <header className="flex min-h-14 flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-2 sm:px-6">
      <div className="flex min-w-0 items-center gap-3">
        <Avatar person={me.discord} />
        <span className="min-w-0 [overflow-wrap:anywhere] font-medium">{me.discord.username}</span>
      </div>
      <div className="flex items-center gap-2">{children}</div>
    </header>
  )
}
