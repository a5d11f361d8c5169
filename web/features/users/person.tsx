import type { ReactNode } from 'react'
import type { PublicUser } from '#contract/users.ts'
import { Avatar } from '#web/features/session/avatar.tsx'

export function Person({ person, children }: { person: PublicUser; children?: ReactNode }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar user={person.discord} />
      <div className="min-w-0">
        <div className="font-medium break-words">{person.discord.username}</div>
        {children !== undefined && <div className="text-12 text-ink-3">{children}</div>}
      </div>
    </div>
  )
}
