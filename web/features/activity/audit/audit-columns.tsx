import type { AuditEntry } from '#contract/events/audit.ts'
import { ACTIONS, ACTOR_ROLES, EVENTS } from '#contract/events/events.ts'
import { m } from '#messages'
import { type Change, changesOf } from '#web/features/activity/changes.ts'
import { EventIcon } from '#web/features/activity/event-icon.tsx'
import type { ListFilter } from '#web/ui/table/filter-bar.tsx'
import { AboveRowLink, type Column, NoneCell, RowTitle, TimeCell } from '#web/ui/table/list-table.tsx'
import type { auditList } from './audit.api.ts'
import { ActorName, ROLE_NAMES, ServerName, UserName } from './audit-sentence.tsx'

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

export const AUDIT_FILTERS: readonly ListFilter<AuditEntry, keyof typeof auditList.filters>[] = [
  { name: 'action', label: m.audit_what(), options: ACTIONS.map((value) => ({ value, label: EVENTS[value].title() })) },
  { name: 'as', label: m.audit_by(), options: ACTOR_ROLES.map((value) => ({ value, label: ROLE_NAMES[value] })) },
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
  const hasOwner = ownerId !== null && ownerId !== actorId
  const hasUser = userId !== null && userId !== actorId && userId !== ownerId
  if (!server && !hasOwner && !hasUser) return <NoneCell />
  return (
    <span className="relative flex min-w-0 flex-wrap gap-x-1.5 [overflow-wrap:anywhere] *:not-last:after:ml-1.5 *:not-last:after:text-ink-3 *:not-last:after:content-['·']">
      {server && <ServerName entry={entry} />}
      {hasOwner && <UserName user={owner} id={ownerId} />}
      {hasUser && <UserName user={user} id={userId} />}
    </span>
  )
}
