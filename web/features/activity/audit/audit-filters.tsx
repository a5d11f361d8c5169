import type { AuditEntry } from '#contract/audit.ts'
import { ACTIONS, ACTOR_ROLES, type ActorRole, EVENTS } from '#contract/events.ts'
import { FilterBar, FilterChip, FilterMenu } from '#web/ui/table/filter-bar.tsx'
import type { AuditList } from './audit-table.tsx'

const ROLES: Readonly<Record<ActorRole, string>> = {
  self: 'Users themselves',
  manager: 'Managers',
  administrator: 'Administrators',
  system: 'Muster itself',
}

const WHAT = ACTIONS.map((value) => ({ value, label: EVENTS[value].title }))
const WHO = ACTOR_ROLES.map((value) => ({ value, label: ROLES[value] }))

/** What the log can be narrowed by. Whose acts, and about whom, comes from links, and can only be taken away here. */
export function AuditFilters({ list, rows }: { list: AuditList; rows: readonly AuditEntry[] }) {
  const { search, action, as, actor_id: actor, target_id: target } = list.state
  return (
    <FilterBar
      label="Search the audit log"
      placeholder="Person, Discord id, server, id"
      search={search}
      onSearch={(text) => list.change({ search: text }, true)}
      narrowed={list.narrowed}
      onClear={list.showAll}
    >
      <FilterMenu label="What" many options={WHAT} chosen={action} onChange={(chosen) => list.change({ action: chosen })} />
      <FilterMenu label="By" many options={WHO} chosen={as} onChange={(chosen) => list.change({ as: chosen })} />
      {actor !== undefined && (
        <FilterChip label="Done by" onRemove={() => list.change({ actor_id: undefined })}>
          {nameOf(rows, actor)}
        </FilterChip>
      )}
      {target !== undefined && (
        <FilterChip label="About" onRemove={() => list.change({ target_id: undefined })}>
          {nameOf(rows, target)}
        </FilterChip>
      )}
    </FilterBar>
  )
}

/** By what the rows know; else the id is what there is. */
function nameOf(rows: readonly AuditEntry[], id: string): string {
  const people = rows.flatMap(({ actor, owner, user }) => [actor, owner, user])
  const person = people.find((each) => each?.id === id)
  const server = rows.find((row) => row.server?.public_id === id)?.server
  return person?.discord.username ?? server?.name ?? id.slice(0, 8)
}
