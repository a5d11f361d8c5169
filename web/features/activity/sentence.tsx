import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import type { ActivityEntry } from '#contract/activity.ts'
import { EVENTS } from '#contract/events.ts'
import type { PublicUser } from '#contract/users.ts'
import { m } from '#messages'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { RichText } from '#web/ui/rich-text.tsx'

const LINK = 'rounded-6 font-medium text-ink-1 underline decoration-line-strong underline-offset-2 hover:decoration-current'

const PARTS = ['who', 'owners', 'user', 'other', 'server', 'issue'] as const
type Part = (typeof PARTS)[number]

export function eventSentence({ action, as }: ActivityEntry, parts: Readonly<Record<Part, ReactNode>>): ReactNode {
  const event: { text: string; bySystem?: string } = EVENTS[action]
  const text = as === 'system' ? (event.bySystem ?? event.text) : event.text
  return text.split(/\{(\w+)\}/).map((piece, at) => {
    const part = PARTS.find((each) => at % 2 === 1 && each === piece)
    return part ? <Fragment key={part}>{parts[part]}</Fragment> : piece
  })
}

interface SentenceProps {
  entry: ActivityEntry
  /** On a server's own page, its name is not repeated. */
  onServer: boolean
}

export function Sentence({ entry, onServer }: SentenceProps) {
  const { data: me } = useQuery(meOptions)
  const { data: list } = useQuery(serverListOptions)
  const ownIds = new Set(list?.owned.map(({ public_id }) => public_id))
  return eventSentence(entry, sentenceParts({ entry, myId: me?.id ?? '', ownIds, onServer }))
}

interface Reader extends SentenceProps {
  myId: string
  /** Servers that the reader can open; others are not linked. */
  ownIds: ReadonlySet<string>
}

function sentenceParts({ entry, myId, ownIds, onServer }: Reader): Record<Part, ReactNode> {
  const { actor, owner, user, server } = entry
  // Sender and recipient swap places, depending on whose entry it is.
  const other = [owner, user].find((person) => person?.id !== actor?.id) ?? null
  return {
    who: <Who entry={entry} myId={myId} />,
    owners: ownersOf(entry, myId),
    user: name(user, myId),
    other: name(other, myId),
    server: serverOf(server, ownIds, onServer),
    issue: issueOf(entry, myId),
  }
}

/** The owner in the possessive. An owner who acted themselves is not named twice. */
function ownersOf({ as, actor, owner }: ActivityEntry, myId: string): ReactNode {
  if (owner === null) return as === 'self' && actor === null ? m.activity_owner_their() : m.activity_owner_erased()
  if (owner.id === myId) return m.activity_owner_your()
  return owner.id === actor?.id ? (
    m.activity_owner_their()
  ) : (
    <RichText message={m.activity_owner_possessive} tags={{ name: () => name(owner, myId) }} />
  )
}

function Who({ entry: { as, actor, server }, myId }: { entry: ActivityEntry; myId: string }) {
  if (as === 'administrator') return <Strong>{m.activity_actor_administrator()}</Strong>
  if (as === 'system') return <Strong>Muster</Strong>
  if (actor === null) return <Strong>{m.activity_actor_erased()}</Strong>
  if (actor.id === myId) return <Strong>{m.activity_actor_you()}</Strong>
  return (
    <>
      <Strong>{actor.discord.username}</Strong>
      {as === 'manager' && server !== null && <span className="text-ink-3"> {m.activity_actor_manager()}</span>}
    </>
  )
}

function name(person: PublicUser | null, myId: string): ReactNode {
  if (person === null) return m.activity_person_erased()
  return person.id === myId ? m.activity_person_you() : <Strong>{person.discord.username}</Strong>
}

function serverOf(server: ActivityEntry['server'], ownIds: ReadonlySet<string>, onServer: boolean): ReactNode {
  if (onServer) return m.activity_server_this()
  if (server === null) return m.activity_server_any()
  if (!ownIds.has(server.public_id)) return <Strong>{server.name}</Strong>
  return (
    <Link to="/servers/$server_id" params={{ server_id: server.public_id }} className={LINK}>
      {server.name}
    </Link>
  )
}

export function issueIdOf({ before, after }: Pick<ActivityEntry, 'before' | 'after'>): string | null {
  const id = (after ?? before)?.['issue_id']
  return typeof id === 'string' ? id : null
}

/** Only the issue's owner gets a link. */
function issueOf(entry: ActivityEntry, myId: string): ReactNode {
  const id = issueIdOf(entry)
  if (id === null || entry.owner?.id !== myId) return m.activity_issue()
  return (
    <Link to="/protection-issues/$issue_id" params={{ issue_id: id }} className={LINK}>
      {m.activity_issue()}
    </Link>
  )
}

function Strong({ children }: { children: string }) {
  return <strong className="font-medium text-ink-1">{children}</strong>
}
