import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import type { ActivityEntry } from '#contract/events/activity.ts'
import { EVENTS, TEXTS_BY_SYSTEM } from '#contract/events/events.ts'
import type { PublicUser } from '#contract/users/users.ts'
import { m } from '#messages'
import { brand } from '#web/lib/brand.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { RichText } from '#web/ui/rich-text.tsx'

const PARTS = ['who', 'owners', 'user', 'other', 'server', 'issue'] as const
type Part = (typeof PARTS)[number]

/** Keep their place in the text until a node replaces them. */
const PLACEHOLDERS = Object.fromEntries(PARTS.map((part) => [part, `{${part}}`])) as Record<Part, string>

export function eventSentence({ action, as, api_key: apiKey }: ActivityEntry, parts: Readonly<Record<Part, ReactNode>>): ReactNode {
  const { text } = EVENTS[action]
  const render = as === 'system' ? (TEXTS_BY_SYSTEM[action] ?? text) : text
  const pieces = render(PLACEHOLDERS)
    .split(/\{(\w+)\}/)
    .map((piece, index) => {
      const part = PARTS.find((each) => index % 2 === 1 && each === piece)
      return part ? <Fragment key={part}>{parts[part]}</Fragment> : piece
    })
  return apiKey === null ? pieces : [...pieces, ` ${m.activity_api_key({ name: apiKey })}`]
}

/** @param onServer on the server's own page, which doesn't repeat its name */
export function Sentence({ entry, onServer }: { entry: ActivityEntry; onServer: boolean }) {
  const { data: me } = useQuery(meOptions)
  const { data: list } = useQuery(serverListOptions)
  const { actor, owner, user, server } = entry
  const myId = me?.id ?? ''
  // Only servers that the user can open are links.
  const isOwn = list?.owned.some(({ public_id }) => public_id === server?.public_id) === true
  // The party that did not act.
  const other = [owner, user].find((each) => each?.id !== actor?.id) ?? null
  return eventSentence(entry, {
    who: <ActorName entry={entry} myId={myId} />,
    owners: ownerPossessive(entry, myId),
    user: userName(user, myId),
    other: userName(other, myId),
    server: onServer ? m.activity_server_this() : serverName(server, isOwn),
    issue: issueName(entry, myId),
  })
}

/** `bob’s`, or `their` if the owner is the actor. */
function ownerPossessive({ as, actor, owner }: ActivityEntry, myId: string): ReactNode {
  if (owner === null) return as === 'self' && actor === null ? m.activity_owner_their() : m.activity_owner_erased()
  if (owner.id === myId) return m.activity_owner_your()
  return owner.id === actor?.id ? (
    m.activity_owner_their()
  ) : (
    <RichText message={m.activity_owner_possessive} tags={{ name: () => userName(owner, myId) }} />
  )
}

function ActorName({ entry: { as, actor, server }, myId }: { entry: ActivityEntry; myId: string }) {
  if (as === 'administrator') return <Strong>{m.activity_actor_administrator()}</Strong>
  if (as === 'system') return <Strong>{brand.name}</Strong>
  if (actor === null) return <Strong>{m.activity_actor_erased()}</Strong>
  if (actor.id === myId) return <Strong>{m.activity_actor_you()}</Strong>
  return (
    <>
      <Strong>{actor.discord.username}</Strong>
      {as === 'manager' && server !== null && <span className="text-ink-3"> {m.activity_actor_manager()}</span>}
    </>
  )
}

function userName(user: PublicUser | null, myId: string): ReactNode {
  if (user === null) return m.activity_user_erased()
  return user.id === myId ? m.activity_user_you() : <Strong>{user.discord.username}</Strong>
}

function serverName(server: ActivityEntry['server'], isOwn: boolean): ReactNode {
  if (server === null) return m.activity_server_any()
  if (!isOwn) return <Strong>{server.name}</Strong>
  return (
    <Link to="/servers/$server_id" params={{ server_id: server.public_id }} className="inline-link font-medium text-ink-1">
      {server.name}
    </Link>
  )
}

export function issueIdOf({ before, after }: Pick<ActivityEntry, 'before' | 'after'>): string | null {
  const id = (after ?? before)?.['issue_id']
  return typeof id === 'string' ? id : null
}

/** Only the issue's owner gets a link. */
function issueName(entry: ActivityEntry, myId: string): ReactNode {
  const id = issueIdOf(entry)
  if (id === null || entry.owner?.id !== myId) return m.activity_issue()
  return (
    <Link to="/protection-issues/$issue_id" params={{ issue_id: id }} className="inline-link font-medium text-ink-1">
      {m.activity_issue()}
    </Link>
  )
}

function Strong({ children }: { children: string }) {
  return <strong className="font-medium text-ink-1">{children}</strong>
}
