import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Permission } from '#contract/servers/permissions.ts'
import type { GivenManagement, Me, PublicUser, ReceivedManagement } from '#contract/users/users.ts'
import { m } from '#messages'
import { PermissionChips } from '#web/features/servers/managed/permission-chips.tsx'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { UserSummary } from '#web/features/users/find-user.tsx'
import { Button } from '#web/ui/button.tsx'
import { CardCount, ListCard } from '#web/ui/card.tsx'
import { counted } from '#web/ui/count-text.ts'
import { ConfirmButton } from '#web/ui/dialog/confirm-dialog.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { EditPermissionsDialog } from './manager-permissions.tsx'
import { useRevokeManager } from './managers.api.ts'
import { StopManagingDialog } from './stop-managing-dialog.tsx'

export function ManagerList({ me }: { me: Me }) {
  const grants = me.gived_managements
  return (
    <GrantList
      title={m.managers_list()}
      count={m.managers_list_count({ count: grants.length, max: me.max_managers })}
      empty={m.managers_list_none()}
      rows={grants.map((grant) => (
        <ManagerRow key={grant.id} grant={grant} />
      ))}
    />
  )
}

function ManagerRow({ grant }: { grant: GivenManagement }) {
  const { manager, permissions, created_at } = grant
  const user = manager.discord.username
  const [isEditing, setEditing] = useState(false)
  const revoke = useRevokeManager()
  return (
    <GrantRow user={manager} permissions={permissions} details={<AddedAt at={created_at} />}>
      <Button onClick={() => setEditing(true)} aria-label={m.managers_edit_named({ user })}>
        {m.managers_edit()}
      </Button>
      <ConfirmButton
        trigger={<Button aria-label={m.managers_remove_named({ user })}>{m.managers_remove()}</Button>}
        title={m.managers_remove_title({ user })}
        confirm={m.managers_remove_confirm()}
        danger
        mutation={revoke}
        onConfirm={() => revoke.mutateAsync(grant)}
      >
        <p>{m.managers_remove_hint({ user })}</p>
        <PermissionChips permissions={permissions} />
        {permissions.includes('REISSUE_CREDENTIAL') && <p>{m.managers_remove_credentials({ user })}</p>}
      </ConfirmButton>
      {isEditing && <EditPermissionsDialog grant={grant} onClose={() => setEditing(false)} />}
    </GrantRow>
  )
}

function AddedAt({ at }: { at: string }) {
  return <RichText message={m.managers_added_at} tags={{ time: () => <TimeAgo at={at} /> }} />
}

export function ReceivedGrants({ me }: { me: Me }) {
  return (
    <GrantList
      title={m.managers_received()}
      empty={m.managers_received_none()}
      rows={me.recieved_managements.map((grant) => (
        <ReceivedRow key={grant.id} grant={grant} />
      ))}
    />
  )
}

function ReceivedRow({ grant }: { grant: ReceivedManagement }) {
  const { owner, owner_id, permissions, created_at } = grant
  const { data: list } = useQuery(serverListOptions)
  const [isStopping, setStopping] = useState(false)
  const count = list?.management.filter(({ user_id }) => user_id === owner_id).length
  const details =
    count === undefined ? (
      <AddedAt at={created_at} />
    ) : (
      <RichText
        message={m.managers_added_servers}
        inputs={{ servers: m.count_servers(counted(count)) }}
        tags={{ time: () => <TimeAgo at={created_at} /> }}
      />
    )
  return (
    <GrantRow user={owner} permissions={permissions} details={details}>
      <Button onClick={() => setStopping(true)} aria-label={m.managers_stop_named({ user: owner.discord.username })}>
        {m.managers_stop()}
      </Button>
      {isStopping && <StopManagingDialog grant={grant} onStopped={() => setStopping(false)} onClose={() => setStopping(false)} />}
    </GrantRow>
  )
}

function GrantList({ title, count, empty, rows }: { title: string; count?: string; empty: string; rows: readonly ReactNode[] }) {
  return (
    <ListCard title={title} aside={count !== undefined && <CardCount>{count}</CardCount>}>
      {rows.length === 0 ? (
        <p className="px-5 py-6 text-13 text-pretty text-ink-2">{empty}</p>
      ) : (
        <ul className="divide-y divide-line">{rows}</ul>
      )}
    </ListCard>
  )
}

interface GrantRowProps {
  user: PublicUser
  permissions: readonly Permission[]
  details: ReactNode
  children: ReactNode
}

function GrantRow({ user, permissions, details, children }: GrantRowProps) {
  return (
    <li className="flex flex-col gap-3 px-5 py-4 sm:flex-row sm:items-start sm:justify-between sm:gap-5">
      <div className="min-w-0 space-y-2.5">
        <UserSummary user={user}>{details}</UserSummary>
        <div className="sm:pl-11">
          <PermissionChips permissions={permissions} />
        </div>
      </div>
      <div className="flex shrink-0 flex-wrap gap-2 max-sm:*:flex-1 max-sm:*:px-3">{children}</div>
    </li>
  )
}
