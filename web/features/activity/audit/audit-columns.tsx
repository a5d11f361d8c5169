import type { AuditEntry } from '#contract/events/audit.ts'
import { ACTIONS, type ActorRole, EVENTS } from '#contract/events/events.ts'
import { m } from '#messages'
import { type Change, changesOf } from '#web/features/activity/changes.ts'
import { EventIcon } from '#web/features/activity/event-icon.tsx'
import { Avatar } from '#web/features/session/avatar.tsx'
import { type Column, NoneCell, RowTitle, TimeCell } from '#web/ui/table/columns.tsx'
import type { ListFilter } from '#web/ui/table/filter-bar.tsx'
import type { auditList } from './audit.api.ts'
import { ActorMark, ServerName, UserName } from './audit-sentence.tsx'

export const AUDIT_COLUMNS: readonly Column<AuditEntry>[] = [
  {
    id: 'action',
    header: m.audit_what(),
    cell: ({ row: { id, original: entry } }) => (
      <RowTitle
        id={id}
        href={`/admin/audit?open=${id}`}
        icon={<EventIcon action={entry.action} />}
        name={EVENTS[entry.action].title()}
        subtitle={changesOf(entry).map(shortText).join(' · ') || undefined}
      />
    ),
  },
  {
    id: 'actor',
    header: m.audit_by(),
    cell: ({ row }) => <Actor entry={row.original} />,
    meta: { className: 'lg:min-w-56 lg:max-w-72' },
  },
  {
    id: 'about',
    header: m.audit_about(),
    cell: ({ row }) => <About entry={row.original} />,
    meta: { className: 'lg:min-w-52 lg:max-w-64' },
  },
  {
    id: 'at',
    header: m.audit_when(),
    cell: ({ row }) => <TimeCell at={row.original.at} />,
    meta: { className: 'whitespace-nowrap text-ink-2' },
  },
]

const ROLES: Readonly<Record<ActorRole, string>> = {
  self: m.audit_role_users(),
  manager: m.audit_role_managers(),
  administrator: m.audit_role_administrators(),
  system: 'Muster',
}

export const AUDIT_FILTERS: readonly ListFilter<AuditEntry, keyof typeof auditList.filters>[] = [
  { name: 'action', label: m.audit_what(), options: ACTIONS.map((value) => ({ value, label: EVENTS[value].title() })) },
  { name: 'as', label: m.audit_by(), options: Object.entries(ROLES).map(([value, label]) => ({ value, label })) },
  { name: 'actor_id', label: m.audit_by(), nameOf },
  { name: 'target_id', label: m.audit_about(), nameOf },
]

function nameOf(rows: readonly AuditEntry[], id: string): string | undefined {
  const user = rows.flatMap(({ actor, owner, user: other }) => [actor, owner, other]).find((each) => each?.id === id)
  return user?.discord.username ?? rows.find(({ server }) => server?.public_id === id)?.server?.name
}

/** The side panel shows longer values in full. */
const MAX_LENGTH = 60

/** `Name: City → Town`. */
function shortText({ field, before, after }: Change): string {
  const [from, to] = [before, after].map((text) =>
    text !== undefined && text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text,
  )
  return `${field}: ${[from, to].filter((text) => text !== undefined).join(' → ')}`
}

function Actor({ entry: { as, actor, actor_id: id } }: { entry: AuditEntry }) {
  if (as === 'system') return <ActorMark as="system">Muster</ActorMark>
  return (
    <span className="relative inline-flex max-w-full min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
      <span className="inline-flex min-w-0 items-center gap-2">
        {actor && <Avatar user={actor.discord} size={20} />}
        <span className="min-w-0 truncate">
          <UserName user={actor} id={id} capitalized />
        </span>
      </span>
      {as === 'administrator' && <ActorMark as="administrator">{m.audit_role_mark_administrator()}</ActorMark>}
      {as === 'manager' && <span className="text-12 text-ink-3">{m.audit_role_mark_manager()}</span>}
    </span>
  )
}

/** Whether to name the owner and the other user. No user is named twice. */
const usersToName = ({ owner_id: owner, user_id: user, actor_id: actor }: AuditEntry) => ({
  owner: owner !== null && owner !== actor,
  user: user !== null && user !== actor && user !== owner,
})

function About({ entry }: { entry: AuditEntry }) {
  const { server, owner, owner_id: ownerId, user, user_id: userId } = entry
  const show = usersToName(entry)
  const names = [
    server && <ServerName key="server" entry={entry} />,
    show.owner && <UserName key="owner" user={owner} id={ownerId} />,
    show.user && <UserName key="user" user={user} id={userId} />,
  ].filter((name) => name !== null && name !== false)
  if (names.length === 0) return <NoneCell />
  return (
    <span className="relative inline-flex max-w-full min-w-0 flex-wrap gap-x-1.5 [overflow-wrap:anywhere]">
      {names.map((name, index) => (
        // A line may end with the separator, but not begin with it.
        <span key={name.key} className="min-w-0">
          {name}
          {index < names.length - 1 && <span className="text-ink-3"> ·</span>}
        </span>
      ))}
    </span>
  )
}
