import { Link } from '@tanstack/react-router'
import { Bot, Shield } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AuditEntry } from '#contract/events/audit.ts'
import type { ActorRole } from '#contract/events/events.ts'
import type { PublicUser } from '#contract/users/users.ts'
import { m } from '#messages'
import { brand } from '#web/lib/brand.ts'
import { issueIdOf, eventSentence } from '#web/features/activity/sentence.tsx'
import { Avatar } from '#web/features/session/avatar.tsx'
import { RichText } from '#web/ui/rich-text.tsx'

export const ROLE_NAMES: Readonly<Record<ActorRole, string>> = {
  self: m.audit_role_user(),
  manager: m.audit_role_manager(),
  administrator: m.audit_role_administrator(),
  system: brand.name,
}

export function AuditSentence({ entry, onServer = false }: { entry: AuditEntry; onServer?: boolean }) {
  const { actor_id, owner_id, owner, user_id, user } = entry
  const other = [owner, user].find((each) => each?.id !== actor_id) ?? null
  return eventSentence(entry, {
    who: <ActorName entry={entry} />,
    owners: owner_id !== null && owner_id === actor_id ? m.activity_owner_own() : <OwnerPossessive user={owner} id={owner_id} />,
    user: <UserName user={user} id={user_id} />,
    other: <UserName user={other} id={other?.id ?? owner_id} />,
    server: <ServerName entry={entry} onServer={onServer} />,
    issue: <IssueName entry={entry} />,
  })
}

export function ActorName({ entry: { as, actor, actor_id: id } }: { entry: AuditEntry }) {
  if (as === 'system') return <ActorMark as={as}>{brand.name}</ActorMark>
  return (
    <>
      {actor && (
        <span className="mr-1.5 inline-flex align-middle">
          <Avatar user={actor.discord} size={20} />
        </span>
      )}
      <UserName user={actor} id={id} capitalized />
      {as === 'administrator' && (
        <>
          {' '}
          <ActorMark as={as}>{m.audit_role_mark_administrator()}</ActorMark>
        </>
      )}
      {as === 'manager' && <span className="text-ink-3"> {m.activity_actor_manager()}</span>}
    </>
  )
}

function ActorMark({ as, children }: { as: 'administrator' | 'system'; children: string }) {
  const Icon = as === 'system' ? Bot : Shield
  return (
    <span className="inline-flex items-center gap-1 rounded-6 bg-surface-2 px-1.5 text-12 font-medium text-ink-2">
      <Icon size={12} className="shrink-0" aria-hidden="true" />
      {children}
    </span>
  )
}

function OwnerPossessive({ user, id }: { user: PublicUser | null; id: string | null }) {
  return <RichText message={m.activity_owner_possessive} tags={{ name: () => <UserName user={user} id={id} /> }} />
}

export function UserName({
  user,
  id,
  capitalized = false,
}: {
  user: PublicUser | null
  id: string | null
  capitalized?: boolean
}): ReactNode {
  if (user) {
    return (
      <Link to="/admin/users/$user_id" params={{ user_id: user.id }} className="inline-link font-medium text-ink-1">
        {user.discord.username}
      </Link>
    )
  }
  const text = capitalized ? m.activity_actor_erased() : m.activity_user_erased()
  return id === null ? text : <span data-tip={m.activity_user_erased_id({ id })}>{text}</span>
}

export function ServerName({ entry: { server }, onServer = false }: { entry: AuditEntry; onServer?: boolean }): ReactNode {
  if (onServer) return m.activity_server_this()
  if (server === null) return m.activity_server_any()
  return (
    <Link to="/admin/servers/$server_id" params={{ server_id: server.public_id }} className="inline-link font-medium text-ink-1">
      {server.name}
    </Link>
  )
}

/** Entries about notes have no owner, because only administrators read notes. They link to the queue, which finds issues by ID. */
function IssueName({ entry }: { entry: AuditEntry }): ReactNode {
  const id = issueIdOf(entry)
  if (id === null) return m.activity_issue()
  const target =
    entry.owner_id === null
      ? ({ to: '/admin/protection-issues', search: { open: id } } as const)
      : ({ to: '/admin/protection-issues/$issue_id/users/$user_id', params: { issue_id: id, user_id: entry.owner_id } } as const)
  return (
    <Link {...target} className="inline-link font-medium text-ink-1">
      {m.activity_issue()}
    </Link>
  )
}
