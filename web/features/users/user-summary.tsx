import type { ReactNode } from 'react'
import type { PublicUser } from '#contract/users/users.ts'
import { Avatar } from '#web/features/session/avatar.tsx'

export function UserSummary({ user, children }: { user: PublicUser; children?: ReactNode }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar user={user.discord} />
      <div className="min-w-0">
        <div className="font-medium break-words">{user.discord.username}</div>
        {children !== undefined && <div className="text-12 text-ink-3">{children}</div>}
      </div>
    </div>
  )
}
