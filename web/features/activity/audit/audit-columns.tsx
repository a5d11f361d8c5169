import type { AuditEntry } from '#contract/events/audit.ts'
import { ACTIONS, type ActorRole, EVENTS } from '#contract/events/events.ts'
import { m } from '#messages'
import { type Change, changesOf } from '#web/features/activity/changes.ts'
import { EventIcon } from '#web/features/activity/event-icon.tsx'
import { AboveRowLink, type Column, NoneCell, RowTitle, TimeCell } from '#web/ui/table/columns.tsx'
import type { ListFilter } from '#web/ui/table/filter-bar.tsx'
import type { auditList } from './audit.api.ts'
import { ActorName, ServerName, UserName } from './audit-sentence.tsx'

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
    cell: ({ row }) => (
      <AboveRowLink>
        <ActorName entry={row.original} />
      </AboveRowLink>
    ),
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

/** `Name: City → Town`. */
const shortText = ({ field, before, after }: Change) => `${field}: ${[before, after].filter((text) => text !== undefined).join(' → ')}`

/** The server, the owner and the other user. No user is named twice. */
function About({ entry }: { entry: AuditEntry }) {
  const { server, owner, owner_id: ownerId, user, user_id: userId, actor_id: actorId } = entry
  const names = [
    server && <ServerName key="server" entry={entry} />,
    ownerId !== null && ownerId !== actorId && <UserName key="owner" user={owner} id={ownerId} />,
    userId !== null && userId !== actorId && userId !== ownerId && <UserName key="user" user={user} id={userId} />,
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
