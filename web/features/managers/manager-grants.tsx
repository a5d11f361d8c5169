import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Permission } from '#contract/servers/permissions.ts'
import type { GivenManagement, Me, PublicUser, ReceivedManagement } from '#contract/users/users.ts'
import { m } from '#messages'
import { PermissionChips } from '#web/features/servers/managed/permission-chips.tsx'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { UserSummary } from '#web/features/users/user-summary.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { counted } from '#web/ui/count-text.ts'
import { RichText } from '#web/ui/rich-text.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { EditPermissionsDialog } from './manager-permissions.tsx'
import { useRevokeManager } from './managers.api.ts'
import { StopManagingDialog } from './stop-managing-dialog.tsx'

export function ManagerList({ me }: { me: Me }) {
  const [dialog, setDialog] = useState<{ name: 'edit' | 'remove'; id: string }>()
  const revoke = useRevokeManager()
  const grants = me.gived_managements
  const close = () => setDialog(undefined)
  // The dialog closes if the manager resigns while it is open.
  const current = dialog && grants.find(({ id }) => id === dialog.id)
  const rows = grants.map(({ id, manager, permissions, created_at }) => (
    <GrantRow key={id} user={manager} permissions={permissions} details={<AddedAt at={created_at} />}>
      <Button onClick={() => setDialog({ name: 'edit', id })} aria-label={m.managers_edit_named({ user: manager.discord.username })}>
        {m.managers_edit()}
      </Button>
      <Button onClick={() => setDialog({ name: 'remove', id })} aria-label={m.managers_remove_named({ user: manager.discord.username })}>
        {m.managers_remove()}
      </Button>
    </GrantRow>
  ))
  return (
    <GrantList
      id="managers"
      title={m.managers_list()}
      count={m.managers_list_count({ count: grants.length, max: me.max_managers })}
      empty={m.managers_list_none()}
      rows={rows}
    >
      {current && dialog.name === 'edit' && <EditPermissionsDialog grant={current} onClose={close} />}
      {current && dialog.name === 'remove' && (
        <RemoveManagerDialog
          grant={current}
          onConfirm={() => {
            revoke.mutate(current)
            close()
          }}
          onClose={close}
        />
      )}
    </GrantList>
  )
}

function AddedAt({ at }: { at: string }) {
  return <RichText message={m.managers_added_at} tags={{ time: () => <TimeAgo at={at} /> }} />
}

function RemoveManagerDialog({ grant, onConfirm, onClose }: { grant: GivenManagement; onConfirm: () => void; onClose: () => void }) {
  const { manager, permissions } = grant
  const user = manager.discord.username
  return (
    <ConfirmDialog
      title={m.managers_remove_title({ user })}
      confirm={m.managers_remove_confirm()}
      danger
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{m.managers_remove_hint({ user })}</p>
      <PermissionChips permissions={permissions} />
      {permissions.includes('REISSUE_CREDENTIAL') && <p>{m.managers_remove_credentials({ user })}</p>}
    </ConfirmDialog>
  )
}

export function ReceivedGrants({ me }: { me: Me }) {
  const { data: list } = useQuery(serverListOptions)
  const [selected, setSelected] = useState<ReceivedManagement>()
  const close = () => setSelected(undefined)
  const rows = me.recieved_managements.map((grant) => {
    const { id, owner, owner_id, permissions, created_at } = grant
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
      <GrantRow key={id} user={owner} permissions={permissions} details={details}>
        <Button onClick={() => setSelected(grant)} aria-label={m.managers_stop_named({ user: owner.discord.username })}>
          {m.managers_stop()}
        </Button>
      </GrantRow>
    )
  })
  return (
    <GrantList id="received" title={m.managers_received()} empty={m.managers_received_none()} rows={rows}>
      {selected && <StopManagingDialog grant={selected} onStopped={close} onClose={close} />}
    </GrantList>
  )
}

interface GrantListProps {
  id: string
  title: string
  count?: string
  empty: string
  rows: readonly ReactNode[]
  children: ReactNode
}

function GrantList({ id, title, count, empty, rows, children }: GrantListProps) {
  return (
    <section aria-labelledby={id} className="card">
      <header className="flex items-baseline justify-between gap-3 px-5 py-4">
        <h2 id={id} tabIndex={-1} className="font-medium outline-none">
          {title}
        </h2>
        {count !== undefined && <span className="text-13 text-ink-3 tabular-nums">{count}</span>}
      </header>
      {rows.length === 0 ? (
        <p className="border-t border-line px-5 py-6 text-13 text-pretty text-ink-2">{empty}</p>
      ) : (
        <ul className="divide-y divide-line border-t border-line">{rows}</ul>
      )}
      {children}
    </section>
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
