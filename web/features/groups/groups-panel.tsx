import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import { lowestTierWith, TIERS } from '#contract/benefits/benefits.ts'
import type { Group } from '#contract/servers/groups.ts'
import { m } from '#messages'
import { meOptions } from '#web/features/session/session.api.ts'
import { Button } from '#web/ui/button.tsx'
import { CardCount, ListCard } from '#web/ui/card.tsx'
import { counted } from '#web/ui/count-text.ts'
import { ConfirmButton } from '#web/ui/dialog/confirm-dialog.tsx'
import { InitialsTile } from '#web/ui/image-tile.tsx'
import { QueryPending, Skeleton, WarnNote } from '#web/ui/states.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { NewGroup, RenameGroup } from './group-name.tsx'
import { groupsOptions, useDeleteGroup } from './groups.api.ts'
import { limitText } from './limit-text.ts'

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

function Groups({ groups, isHeld, max }: { groups: readonly Group[]; isHeld: boolean; max: number }) {
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

function GroupRow({ group }: { group: Group }) {
  const { name, servers } = group
  // Undefined until it was first renamed.
  const [isRenaming, setRenaming] = useState<boolean>()
  return (
    <li className="px-5 py-4">
      {isRenaming ? (
        <RenameGroup group={group} onClose={() => setRenaming(false)} />
      ) : (
        <div className="flex flex-col gap-3 sm:flex-row sm:items-center sm:justify-between sm:gap-5">
          <h3 className="flex min-w-0 items-start gap-2 font-medium">
            <InitialsTile id={group.id} name={name} className="size-5" />
            <span className="min-w-0 [overflow-wrap:anywhere]">{name}</span>
          </h3>
          <div className="flex shrink-0 gap-2 max-sm:*:flex-1">
            <Button
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the field that had the focus
              autoFocus={isRenaming === false}
              onClick={() => setRenaming(true)}
              aria-label={m.groups_rename_named({ group: name })}
            >
              {m.groups_rename()}
            </Button>
            <DeleteGroup group={group} />
          </div>
        </div>
      )}
      {servers.length === 0 ? (
        <p className="mt-1.5 text-13 text-ink-3">{m.groups_empty()}</p>
      ) : (
        <ul aria-label={m.groups_servers()} className="mt-2 flex flex-wrap gap-x-4 gap-y-1">
          {servers.map((server) => (
            <li key={server.public_id} className="min-w-0">
              <Link
                to="/servers/$server_id"
                params={{ server_id: server.public_id }}
                search={{ tab: 'listing' }}
                className="inline-flex min-h-6 items-center rounded-6 text-13 [overflow-wrap:anywhere] text-accent underline underline-offset-2"
              >
                {server.name}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function DeleteGroup({ group }: { group: Group }) {
  const { name, servers } = group
  const remove = useDeleteGroup()
  return (
    <ConfirmButton
      trigger={<Button aria-label={m.groups_delete_named({ group: name })}>{m.groups_delete()}</Button>}
      title={m.groups_delete_title({ group: name })}
      confirm={m.groups_delete_confirm()}
      danger
      mutation={remove}
      onConfirm={async () => {
        await remove.mutateAsync(group)
        toastSuccess(m.groups_deleted(), name)
      }}
    >
      {servers.length === 0 ? (
        <p>{m.groups_delete_empty()}</p>
      ) : (
        <>
          <p>{m.groups_delete_servers({ count: servers.length })}</p>
          <ul className="list-disc space-y-1 pl-5">
            {servers.map((server) => (
              <li key={server.public_id}>{server.name}</li>
            ))}
          </ul>
        </>
      )}
    </ConfirmButton>
  )
}
