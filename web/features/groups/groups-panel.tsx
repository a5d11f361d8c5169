import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import { TIERS, lowestTierWith } from '#contract/benefits/benefits.ts'
import type { Group } from '#contract/servers/groups.ts'
import { m } from '#messages'
import { meOptions } from '#web/features/session/session.api.ts'
import { messageOf } from '#web/lib/http/http-error.ts'
import { counted } from '#web/ui/count-text.ts'
import { RetryNote, WarnNote } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { limitText } from './limit-text.ts'
import { NewGroup } from './group-name.tsx'
import { GroupRow } from './group-row.tsx'
import { groupsOptions } from './groups.api.ts'

const BENEFIT = BENEFITS.MASTERLIST_GROUPS.name()

export function GroupsPanel() {
  const { data: me } = useSuspenseQuery(meOptions)
  const { data: groups, error, refetch } = useQuery(groupsOptions)
  const isHeld = me.benefits.some(({ key }) => key === 'MASTERLIST_GROUPS')
  const max = me.max_masterlist_groups
  return (
    <section aria-labelledby="groups" className="card">
      <header className="flex flex-wrap items-baseline justify-between gap-x-3 px-5 py-4">
        <h2 id="groups" tabIndex={-1} className="scroll-mt-10 font-medium outline-none">
          {m.groups_title()}
        </h2>
        {groups && (isHeld || groups.length > 0) && (
          <span className="text-13 text-ink-3 tabular-nums">
            {/* `2 of 3 groups`, or only the count above the limit. */}
            {groups.length <= max && max > 0
              ? m.groups_used({ count: groups.length, groups: m.count_groups(counted(max)) })
              : m.count_groups(counted(groups.length))}
          </span>
        )}
      </header>
      {groups ? (
        <Groups groups={groups} isHeld={isHeld} max={max} />
      ) : (
        <PanelSection>
          {error ? <RetryNote onRetry={() => void refetch()}>{messageOf(error)}</RetryNote> : <Skeleton className="h-20" />}
        </PanelSection>
      )}
    </section>
  )
}

function PanelSection({ children }: { children: ReactNode }) {
  return <div className="border-t border-line px-5 py-4">{children}</div>
}

interface GroupsProps {
  groups: readonly Group[]
  isHeld: boolean
  max: number
}

function Groups({ groups, isHeld, max }: GroupsProps) {
  return (
    <>
      {groups.length === 0 && (
        <PanelSection>
          <p className="text-13 text-pretty text-ink-2">{isHeld && max > 0 ? m.groups_hint_create() : m.groups_hint()}</p>
        </PanelSection>
      )}
      {groups.length > 0 && !isHeld && (
        <PanelSection>
          <WarnNote>{m.groups_lapsed({ benefit: BENEFIT })}</WarnNote>
        </PanelSection>
      )}
      {groups.length > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {groups.map((group) => (
            <GroupRow key={group.id} group={group} />
          ))}
        </ul>
      )}
      <PanelSection>
        {isHeld && groups.some(({ servers }) => servers.length === 0) && (
          <p className="mb-3 text-13 text-pretty text-ink-2">{m.groups_hint_listing()}</p>
        )}
        <AddGroup isHeld={isHeld} count={groups.length} max={max} />
      </PanelSection>
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
    <p className="flex items-start gap-2 text-13 text-ink-2">
      <Lock size={14} className="mt-[3px] shrink-0 text-ink-3" aria-hidden="true" />
      <span>{isHeld ? limitText(max, count) : lockedText}</span>
    </p>
  )
}
