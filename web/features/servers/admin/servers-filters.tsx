import type { AdminServer } from '#contract/servers-admin.ts'
import { FilterBar, FilterChip, FilterMenu } from '#web/ui/table/filter-bar.tsx'
import { FilterText } from '#web/ui/table/filter-text.tsx'
import { serversList } from './servers-list.ts'
import type { ServersList } from './servers-table.tsx'

const STATUS = [
  { value: 'online', label: 'Online' },
  { value: 'offline', label: 'Offline' },
  { value: 'never_seen', label: 'Not seen yet' },
] as const
const BANNED = [
  { value: 'true', label: 'Banned' },
  { value: 'false', label: 'Not banned' },
] as const

/** What the list of servers can be narrowed by. An owner and a group come from links, and can only be taken away here. */
export function ServersFilters({ list, rows }: { list: ServersList; rows: readonly AdminServer[] }) {
  const { search, status, banned, tags, user_id: owner, group_id: group } = list.state
  const one = rows[0]
  return (
    <FilterBar
      label="Search all servers"
      placeholder="Name, id, address, owner"
      search={search}
      onSearch={(text) => list.change({ search: text }, true)}
      narrowed={list.narrowed}
      onClear={list.showAll}
    >
      <FilterMenu label="Status" many options={STATUS} chosen={status} onChange={(chosen) => list.change({ status: chosen })} />
      <FilterMenu
        label="Ban"
        options={BANNED}
        chosen={banned === undefined ? [] : [banned]}
        onChange={([chosen]) => list.change({ banned: chosen })}
      />
      {tags.length < serversList.filters.tags.most && (
        <FilterText label="Tag" most={24} onAdd={(tag) => list.change({ tags: [...new Set([...tags, tag])] })} />
      )}
      {tags.map((tag) => (
        <FilterChip key={tag} label="Tag" onRemove={() => list.change({ tags: tags.filter((each) => each !== tag) })}>
          {tag}
        </FilterChip>
      ))}
      {owner !== undefined && (
        <FilterChip label="Owner" onRemove={() => list.change({ user_id: undefined })}>
          {one?.owner.id === owner ? one.owner.discord.username : owner.slice(0, 8)}
        </FilterChip>
      )}
      {group !== undefined && (
        <FilterChip label="Group" onRemove={() => list.change({ group_id: undefined })}>
          {one?.group?.id === group ? one.group.name : group.slice(0, 8)}
        </FilterChip>
      )}
    </FilterBar>
  )
}
