import type { AuditEntry } from '#contract/events/audit.ts'
import { EVENTS } from '#contract/events/events.ts'
import { m } from '#messages'
import { type Change, changesOf } from '#web/features/activity/changes.ts'
import { EventIcon } from '#web/features/activity/event-icon.tsx'
import { Avatar } from '#web/features/session/avatar.tsx'
import { type Column, DataTable, type RowTitle, type TableProps, TimeCell } from '#web/ui/table/data-table.tsx'
import type { useList } from '#web/ui/table/use-list.ts'
import type { auditList } from './audit-list.ts'
import { ActorMark, UserName, ServerName } from './audit-sentence.tsx'

/** The side panel shows longer values in full. */
const MAX_LENGTH = 60

const titleOf = (entry: AuditEntry): RowTitle => {
  const changes = changesOf(entry)
  return {
    icon: <EventIcon action={entry.action} />,
    name: EVENTS[entry.action].title(),
    ...(changes.length > 0 && { subtitle: changes.map(shortText).join(' · ') }),
  }
}

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

function hasNoTarget(entry: AuditEntry): boolean {
  const { owner, user } = usersToName(entry)
  return entry.server === null && !owner && !user
}

function About({ entry }: { entry: AuditEntry }) {
  const { server, owner, owner_id: ownerId, user, user_id: userId } = entry
  const show = usersToName(entry)
  const names = [
    server && <ServerName key="server" entry={entry} />,
    show.owner && <UserName key="owner" user={owner} id={ownerId} />,
    show.user && <UserName key="user" user={user} id={userId} />,
  ].filter((name) => name !== null && name !== false)
  if (names.length === 0) return <span className="text-ink-3">–</span>
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

const COLUMNS: readonly Column<AuditEntry>[] = [
  { key: 'actor', title: m.audit_by(), className: 'lg:min-w-56 lg:max-w-72', cell: (entry) => <Actor entry={entry} /> },
  {
    key: 'about',
    title: m.audit_about(),
    className: 'lg:min-w-52 lg:max-w-64',
    isEmpty: hasNoTarget,
    cell: (entry) => <About entry={entry} />,
  },
  {
    key: 'at',
    title: m.audit_when(),
    sort: 'at',
    className: 'whitespace-nowrap text-ink-2',
    cell: ({ at }) => <TimeCell at={at} />,
  },
]

export type AuditList = ReturnType<typeof useList<keyof typeof auditList.sorts, typeof auditList.filters>>

export function AuditTable(props: TableProps<AuditEntry>) {
  return (
    <DataTable
      {...props}
      label={m.nav_audit_log()}
      idOf={(entry) => entry.id}
      titleOf={titleOf}
      titleColumn={{ title: m.audit_what() }}
      hrefOf={(entry) => `/admin/audit?open=${entry.id}`}
      columns={COLUMNS}
    />
  )
}
