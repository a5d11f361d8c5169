import { Link } from '@tanstack/react-router'
import { Bot, Shield } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AuditEntry } from '#contract/audit.ts'
import type { PublicUser } from '#contract/users.ts'
import { issueIdOf, eventSentence } from '#web/features/activity/sentence.tsx'
import { Avatar } from '#web/features/session/avatar.tsx'

const LINK =
  'rounded-6 font-medium [overflow-wrap:anywhere] text-ink-1 underline decoration-line-strong underline-offset-2 hover:decoration-current'

export function AuditSentence({ entry, onServer = false }: { entry: AuditEntry; onServer?: boolean }) {
  const { actor_id, owner_id, owner, user_id, user } = entry
  const other = [owner, user].find((person) => person?.id !== actor_id) ?? null
  return eventSentence(entry, {
    who: <Who entry={entry} />,
    owners: owner_id !== null && owner_id === actor_id ? 'their own' : <Owners person={owner} id={owner_id} />,
    user: <PersonName person={user} id={user_id} />,
    other: <PersonName person={other} id={other?.id ?? owner_id} />,
    server: <ServerName entry={entry} onServer={onServer} />,
    issue: <IssueName entry={entry} />,
  })
}

function Who({ entry: { as, actor, actor_id: id } }: { entry: AuditEntry }) {
  if (as === 'system') return <ActorMark as={as}>Muster</ActorMark>
  return (
    <>
      {actor && (
        <span className="mr-1.5 inline-flex align-[-4px]">
          <Avatar person={actor.discord} size={20} />
        </span>
      )}
      <PersonName person={actor} id={id} sentence />
      {as === 'administrator' && (
        <>
          {' '}
          <ActorMark as={as}>administrator</ActorMark>
        </>
      )}
      {as === 'manager' && <span className="text-ink-3"> (manager)</span>}
    </>
  )
}

export function ActorMark({ as, children }: { as: 'administrator' | 'system'; children: string }) {
  const Icon = as === 'system' ? Bot : Shield
  return (
    <span className="inline-flex items-center gap-1 rounded-6 bg-surface-2 px-1.5 text-12 font-medium text-ink-2">
      <Icon size={12} className="shrink-0" aria-hidden="true" />
      {children}
    </span>
  )
}

function Owners({ person, id }: { person: PublicUser | null; id: string | null }) {
  return (
    <>
      <PersonName person={person} id={id} />
      ’s
    </>
  )
}

export function PersonName({
  person,
  id,
  sentence = false,
}: {
  person: PublicUser | null
  id: string | null
  sentence?: boolean
}): ReactNode {
  if (person) {
    return (
      <Link to="/admin/users/$user_id" params={{ user_id: person.id }} className={LINK}>
        {person.discord.username}
      </Link>
    )
  }
  const words = sentence ? 'An erased account' : 'an erased account'
  return id === null ? words : <span data-tip={`Its id was ${id}`}>{words}</span>
}

export function ServerName({ entry: { server }, onServer = false }: { entry: AuditEntry; onServer?: boolean }): ReactNode {
  if (onServer) return 'the server'
  if (server === null) return 'a server'
  return (
    <Link to="/admin/servers/$server_id" params={{ server_id: server.public_id }} className={LINK}>
      {server.name}
    </Link>
  )
}

/** A note is for administrators alone, so whose issue it is is not in its row: the queue finds it by its id. */
function IssueName({ entry }: { entry: AuditEntry }): ReactNode {
  const id = issueIdOf(entry)
  if (id === null) return 'a protection issue'
  const way =
    entry.owner_id === null
      ? ({ to: '/admin/protection-issues', search: { open: id } } as const)
      : ({ to: '/admin/protection-issues/$issue_id/users/$user_id', params: { issue_id: id, user_id: entry.owner_id } } as const)
  return (
    <Link {...way} className={LINK}>
      a protection issue
    </Link>
  )
}
