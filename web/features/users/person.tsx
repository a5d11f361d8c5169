import type { ReactNode } from 'react'
import type { PublicUser } from '#contract/users.ts'
import { Avatar } from '#web/features/session/avatar.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'

interface PersonProps {
  person: PublicUser
  children?: ReactNode
}

/** Somebody in a row: the picture, the name, and what there is to say. */
export function Person({ person, children }: PersonProps) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar person={person.discord} />
      <div className="min-w-0">
        <div className="font-medium break-words">{person.discord.username}</div>
        {children !== undefined && <div className="text-12 text-ink-3">{children}</div>}
      </div>
    </div>
  )
}

/** Somebody who was just found, to be checked: two people may have similar names. */
export function PersonCard({ person }: { person: PublicUser }) {
  return (
    <section aria-label="Found" className="rounded-6 border border-line bg-surface-2 px-3 py-2.5">
      <Person person={person}>
        <span className="flex items-center gap-0.5">
          <span>
            Discord id <span className="font-mono break-all text-ink-2">{person.discord.discord_id}</span>
          </span>
          <CopyButton text={person.discord.discord_id} label="Copy the Discord id" />
        </span>
      </Person>
    </section>
  )
}
