import { ISSUES } from '#contract/issue-kinds.ts'
import type { QueuedIssue } from '#contract/protection.ts'
import { SEVERITY, STATUS } from '#web/features/protection/words.ts'
import { FilterBar, FilterChip, FilterMenu, type FilterOption } from '#web/ui/table/filter-bar.tsx'
import type { useList } from '#web/ui/table/use-list.ts'
import { type issuesList, namedStatuses, shownStatuses } from './issues-list.ts'

export type QueueList = ReturnType<typeof useList<keyof typeof issuesList.sorts, typeof issuesList.filters>>

const optionsOf = <V extends string>(words: Readonly<Record<V, { name: string }>>): FilterOption<V>[] =>
  (Object.keys(words) as V[]).map((value) => ({ value, label: words[value].name }))

const KIND = optionsOf(ISSUES)
const HOW_SEVERE = optionsOf(SEVERITY).toReversed()
const WHICH_STATUS = optionsOf(STATUS)

/** The search and the filters. Which statuses are shown can always be seen, also where it is the usual ones. */
export function QueueFilters({ list, rows }: { list: QueueList; rows: readonly QueuedIssue[] }) {
  const { search, kind, status, severity, user_id: userId } = list.state
  return (
    <FilterBar
      label="Search the issues"
      placeholder="Discord name or id, server name or id"
      search={search}
      onSearch={(text) => list.change({ search: text }, true)}
      narrowed={list.narrowed}
      onClear={list.showAll}
    >
      <FilterMenu
        label="Status"
        many
        options={WHICH_STATUS}
        chosen={shownStatuses(status)}
        onChange={(chosen) => list.change({ status: namedStatuses(chosen) })}
      />
      <FilterMenu label="Severity" many options={HOW_SEVERE} chosen={severity} onChange={(chosen) => list.change({ severity: chosen })} />
      <FilterMenu label="Kind" many options={KIND} chosen={kind} onChange={(chosen) => list.change({ kind: chosen })} />
      {userId !== undefined && (
        <FilterChip label="Owner" onRemove={() => list.change({ user_id: undefined })}>
          {rows.find((row) => row.user_id === userId)?.user.discord.username ?? `${userId.slice(0, 8)}…`}
        </FilterChip>
      )}
    </FilterBar>
  )
}
