import { BENEFIT_KEYS, BENEFITS, TIER_IDS, TIERS } from '#contract/benefits.ts'
import { FilterBar, FilterMenu } from '#web/ui/table/filter-bar.tsx'
import type { UsersList } from './users-table.tsx'

const TIER_OPTIONS = TIER_IDS.map((value) => ({ value, label: TIERS[value].name }))
const BENEFIT_OPTIONS = BENEFIT_KEYS.map((value) => ({ value, label: BENEFITS[value].name }))
const yesNo = (yes: string, no: string) => [{ value: 'true', label: yes } as const, { value: 'false', label: no } as const]
const BAN_OPTIONS = yesNo('Banned', 'Not banned')
const LEAVING_OPTIONS = yesNo('Leaving', 'Staying')

export function UserFilters({ list }: { list: UsersList }) {
  const { search, tiers, benefits, banned, pending_deletion: leaving } = list.state
  return (
    <FilterBar
      label="Search users"
      placeholder="Discord name or id"
      search={search}
      onSearch={(text) => list.change({ search: text }, true)}
      narrowed={list.narrowed}
      onClear={list.showAll}
    >
      <FilterMenu label="Tier" many options={TIER_OPTIONS} chosen={tiers} onChange={(chosen) => list.change({ tiers: chosen })} />
      <FilterMenu label="Holds" many options={BENEFIT_OPTIONS} chosen={benefits} onChange={(chosen) => list.change({ benefits: chosen })} />
      <FilterMenu
        label="Ban"
        options={BAN_OPTIONS}
        chosen={banned === undefined ? [] : [banned]}
        onChange={([chosen]) => list.change({ banned: chosen })}
      />
      <FilterMenu
        label="Deletion"
        options={LEAVING_OPTIONS}
        chosen={leaving === undefined ? [] : [leaving]}
        onChange={([chosen]) => list.change({ pending_deletion: chosen })}
      />
    </FilterBar>
  )
}
