import type { AuditEntry } from '#contract/events/audit.ts'
import { ACTIONS, ACTOR_ROLES, type ActorRole, EVENTS } from '#contract/events/events.ts'
import { m } from '#messages'
import { FilterBar, FilterChip, FilterMenu } from '#web/ui/table/filter-bar.tsx'
import type { AuditList } from './audit-table.tsx'

const ROLES: Readonly<Record<ActorRole, string>> = {
  self: m.audit_role_users(),
  manager: m.audit_role_managers(),
  administrator: m.audit_role_administrators(),
  system: 'Muster',
}

const ACTION_OPTIONS = ACTIONS.map((value) => ({ value, label: EVENTS[value].title() }))
const ROLE_OPTIONS = ACTOR_ROLES.map((value) => ({ value, label: ROLES[value] }))

/** Filters by actor and target come from links. They can only be removed here. */
export function AuditFilters({ list, rows }: { list: AuditList; rows: readonly AuditEntry[] }) {
  const { search, action, as, actor_id: actor, target_id: target } = list.state
  return (
    <FilterBar
      label={m.audit_search()}
      placeholder={m.audit_search_placeholder()}
      search={search}
      onSearch={(text) => list.change({ search: text }, true)}
      isFiltered={list.isFiltered}
      onClear={list.clearFilters}
    >
      <FilterMenu
        label={m.audit_what()}
        multiple
        options={ACTION_OPTIONS}
        chosen={action}
        onChange={(chosen) => list.change({ action: chosen })}
      />
      <FilterMenu label={m.audit_by()} multiple options={ROLE_OPTIONS} chosen={as} onChange={(chosen) => list.change({ as: chosen })} />
      {actor !== undefined && (
        <FilterChip label={m.audit_by()} onRemove={() => list.change({ actor_id: undefined })}>
          {nameOf(rows, actor)}
        </FilterChip>
      )}
      {target !== undefined && (
        <FilterChip label={m.audit_about()} onRemove={() => list.change({ target_id: undefined })}>
          {nameOf(rows, target)}
        </FilterChip>
      )}
    </FilterBar>
  )
}

/** The name from the loaded rows, or a shortened ID. */
function nameOf(rows: readonly AuditEntry[], id: string): string {
  const users = rows.flatMap(({ actor, owner, user }) => [actor, owner, user])
  const user = users.find((each) => each?.id === id)
  const server = rows.find((row) => row.server?.public_id === id)?.server
  return user?.discord.username ?? server?.name ?? id.slice(0, 8)
}
