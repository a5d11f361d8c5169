import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { BENEFITS, TIERS, lowestTierWith } from '#contract/benefits.ts'
import type { Group } from '#contract/groups.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { focusAfterRemoval } from '#web/lib/focus.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { RetryNote, WarnNote } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { limitText, groupCount } from './limit-text.ts'
import { NewGroup } from './group-name.tsx'
import { GroupRow } from './group-row.tsx'
import { groupsOptions } from './groups.api.ts'

const { name: BENEFIT } = BENEFITS.MASTERLIST_GROUPS

export function GroupsPanel() {
  const { data: me } = useSuspenseQuery(meOptions)
  const { data: groups, error, refetch } = useQuery(groupsOptions)
  const title = useRef<HTMLHeadingElement>(null)
  const isHeld = me.benefits.some(({ key }) => key === 'MASTERLIST_GROUPS')
  const max = me.max_masterlist_groups
  return (
    <section aria-labelledby="groups" className="card">
      <header className="flex flex-wrap items-baseline justify-between gap-x-3 px-5 py-4">
        <h2 id="groups" ref={title} tabIndex={-1} className="scroll-mt-10 font-medium outline-none">
          Your groups
        </h2>
        {groups && (isHeld || groups.length > 0) && (
          <span className="text-13 text-ink-3 tabular-nums">
            {/* Over the limit only how many there are. */}
            {groups.length <= max && max > 0 ? `${groups.length} of ${groupCount(max)}` : groupCount(groups.length)}
          </span>
        )}
      </header>
      {groups ? (
        <Groups groups={groups} isHeld={isHeld} max={max} onDeleted={() => focusAfterRemoval(() => title.current)} />
      ) : (
        <Part>{error ? <RetryNote onRetry={() => void refetch()}>{messageOf(error)}</RetryNote> : <Skeleton className="h-20" />}</Part>
      )}
    </section>
  )
}

function Part({ children }: { children: ReactNode }) {
  return <div className="border-t border-line px-5 py-4">{children}</div>
}

interface GroupsProps {
  groups: readonly Group[]
  isHeld: boolean
  max: number
  onDeleted: () => void
}

function Groups({ groups, isHeld, max, onDeleted }: GroupsProps) {
  return (
    <>
      {groups.length === 0 && (
        <Part>
          <p className="text-13 text-pretty text-ink-2">
            A group puts several of your servers together on the list, under one name.
            {isHeld && max > 0 && ' Make one here, then choose it in the Listing tab of each server.'}
          </p>
        </Part>
      )}
      {groups.length > 0 && !isHeld && (
        <Part>
          <WarnNote>
            Players don’t see your groups now: they come back with the benefit {BENEFIT}. You can rename and delete them meanwhile.
          </WarnNote>
        </Part>
      )}
      {groups.length > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {groups.map((group) => (
            <GroupRow key={group.id} group={group} onDeleted={onDeleted} />
          ))}
        </ul>
      )}
      <Part>
        {isHeld && groups.some(({ servers }) => servers.length === 0) && (
          <p className="mb-3 text-13 text-pretty text-ink-2">A server is put into a group in the server’s Listing tab, under Appearance.</p>
        )}
        <NextGroup isHeld={isHeld} count={groups.length} max={max} />
      </Part>
    </>
  )
}

/** Another group, or why there can't be one. */
function NextGroup({ isHeld, count, max }: { isHeld: boolean; count: number; max: number }) {
  if (isHeld && count < max) return <NewGroup onMade={({ name }) => toastSuccess('Group made', name)} />
  const tier = lowestTierWith('MASTERLIST_GROUPS')
  const without = tier ? `${BENEFIT} comes with ${TIERS[tier].name}.` : `You do not have the benefit ${BENEFIT}.`
  return (
    <p className="flex items-start gap-2 text-13 text-ink-2">
      <Lock size={14} className="mt-[3px] shrink-0 text-ink-3" aria-hidden="true" />
      <span>{isHeld ? limitText(max, count) : without}</span>
    </p>
  )
}
