import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import { TIERS, lowestTierWith } from '#contract/benefits/benefits.ts'
import type { Group } from '#contract/servers/groups.ts'
import { m } from '#messages'
import { meOptions } from '#web/features/session/session.api.ts'
import { CardCount, ListCard } from '#web/ui/card.tsx'
import { counted } from '#web/ui/count-text.ts'
import { QueryPending, WarnNote } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { limitText } from './limit-text.ts'
import { NewGroup } from './group-name.tsx'
import { GroupRow } from './group-row.tsx'
import { groupsOptions } from './groups.api.ts'

const BENEFIT = BENEFITS.MASTERLIST_GROUPS.name()

export function GroupsPanel() {
  const { data: me } = useSuspenseQuery(meOptions)
  const query = useQuery(groupsOptions)
  const { data: groups } = query
  const isHeld = me.benefits.some(({ key }) => key === 'MASTERLIST_GROUPS')
  const max = me.max_masterlist_groups
  return (
    <ListCard
      id="groups"
      title={m.groups_title()}
      aside={groups && (isHeld || groups.length > 0) && <CardCount>{countText(groups.length, max)}</CardCount>}
    >
      {groups ? (
        <Groups groups={groups} isHeld={isHeld} max={max} />
      ) : (
        <div className="px-5 py-4">
          <QueryPending query={query}>
            <Skeleton className="h-20" />
          </QueryPending>
        </div>
      )}
    </ListCard>
  )
}

/** `2 of 3 groups`, or only the count above the limit. */
function countText(count: number, max: number): string {
  if (count > max || max === 0) return m.count_groups(counted(count))
  return m.groups_used({ count, groups: m.count_groups(counted(max)) })
}

interface GroupsProps {
  groups: readonly Group[]
  isHeld: boolean
  max: number
}

function Groups({ groups, isHeld, max }: GroupsProps) {
  return (
    <>
      {groups.length > 0 && (
        <ul className="divide-y divide-line">
          {groups.map((group) => (
            <GroupRow key={group.id} group={group} />
          ))}
        </ul>
      )}
      <div className="space-y-3 px-5 py-4 text-13 text-pretty text-ink-2">
        {groups.length === 0 && <p>{isHeld && max > 0 ? m.groups_hint_create() : m.groups_hint()}</p>}
        {groups.length > 0 && !isHeld && <WarnNote>{m.groups_lapsed({ benefit: BENEFIT })}</WarnNote>}
        {isHeld && groups.some(({ servers }) => servers.length === 0) && <p>{m.groups_hint_listing()}</p>}
        <AddGroup isHeld={isHeld} count={groups.length} max={max} />
      </div>
    </>
  )
}

/** The form for another group, or why none can be created. */
function AddGroup({ isHeld, count, max }: { isHeld: boolean; count: number; max: number }) {
  if (isHeld && count < max) return <NewGroup onCreated={({ name }) => toastSuccess(m.groups_created(), name)} />
  const tier = lowestTierWith('MASTERLIST_GROUPS')
  const lockedText = tier
    ? m.groups_benefit_from({ benefit: BENEFIT, tier: TIERS[tier].name })
    : m.groups_benefit_missing({ benefit: BENEFIT })
  return (
    <p className="flex items-start gap-2">
      <Lock size={14} className="mt-[3px] shrink-0 text-ink-3" aria-hidden="true" />
      <span>{isHeld ? limitText(max, count) : lockedText}</span>
    </p>
  )
}
