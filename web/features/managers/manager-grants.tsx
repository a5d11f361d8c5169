import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { Permission } from '#contract/permissions.ts'
import type { GivenManagement, Me, PublicUser, ReceivedManagement } from '#contract/users.ts'
import { PermissionChips } from '#web/features/servers/managed/permission-chips.tsx'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { UserSummary } from '#web/features/users/user-summary.tsx'
import { focusAfterRemoval } from '#web/lib/focus.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { ChangePermissionsDialog } from './manager-permissions.tsx'
import { useRevokeManager } from './managers.api.ts'
import { StopManagingDialog } from './stop-managing-dialog.tsx'

export function ManagerList({ me }: { me: Me }) {
  const [asked, setAsked] = useState<{ what: 'change' | 'revoke'; id: string }>()
  const title = useRef<HTMLHeadingElement>(null)
  const revoke = useRevokeManager()
  const given = me.gived_managements
  const close = () => setAsked(undefined)
  // A manager who leaves meanwhile closes the dialog.
  const current = asked && given.find(({ id }) => id === asked.id)
  const hasLeft = asked !== undefined && current === undefined
  useEffect(() => {
    if (hasLeft) focusAfterRemoval(() => title.current)
  }, [hasLeft])
  const rows = given.map(({ id, manager, permissions, created_at }) => (
    <GrantRow key={id} person={manager} permissions={permissions} said="Added" at={created_at}>
      <Button onClick={() => setAsked({ what: 'change', id })} aria-label={`Change the permissions of ${manager.discord.username}`}>
        Change…
      </Button>
      <Button onClick={() => setAsked({ what: 'revoke', id })} aria-label={`Revoke ${manager.discord.username}`}>
        Revoke…
      </Button>
    </GrantRow>
  ))
  return (
    <GrantList
      id="managers"
      title="Your managers"
      titleRef={title}
      count={`${given.length} of ${me.max_managers}`}
      empty="Nobody but you manages your servers. Give helpers only the permissions they need, and take them back at any time."
      rows={rows}
    >
      {current && asked.what === 'change' && <ChangePermissionsDialog given={current} onClose={close} />}
      {current && asked.what === 'revoke' && (
        <RevokeDialog
          given={current}
          onConfirm={() => {
            revoke.mutate(current)
            close()
            focusAfterRemoval(() => title.current)
          }}
          onClose={close}
        />
      )}
    </GrantList>
  )
}

function RevokeDialog({ given, onConfirm, onClose }: { given: GivenManagement; onConfirm: () => void; onClose: () => void }) {
  const { manager, permissions } = given
  const name = manager.discord.username
  return (
    <ConfirmDialog title={`Revoke ${name}?`} confirm="Revoke" danger busy={false} onConfirm={onConfirm} onClose={onClose}>
      <p>These permissions end at once, on all your servers, also in a page that {name} has open:</p>
      <PermissionChips permissions={permissions} />
      {permissions.includes('REISSUE_CREDENTIAL') && (
        <p>{name} could see credentials. A credential they made or saw keeps working until you reissue it.</p>
      )}
    </ConfirmDialog>
  )
}

export function ReceivedGrants({ me }: { me: Me }) {
  const { data: list } = useQuery(serverListOptions)
  const [asked, setAsked] = useState<ReceivedManagement>()
  const title = useRef<HTMLHeadingElement>(null)
  const close = () => setAsked(undefined)
  const rows = me.recieved_managements.map((received) => {
    const { id, owner, owner_id, permissions, created_at } = received
    const count = list?.management.filter(({ user_id }) => user_id === owner_id).length
    const servers = count === undefined ? '' : `${count} ${count === 1 ? 'server' : 'servers'} · `
    return (
      <GrantRow key={id} person={owner} permissions={permissions} said={`${servers}added you`} at={created_at}>
        <Button onClick={() => setAsked(received)} aria-label={`Stop managing the servers of ${owner.discord.username}`}>
          Stop managing…
        </Button>
      </GrantRow>
    )
  })
  return (
    <GrantList
      id="received"
      title="Servers I manage for others"
      titleRef={title}
      empty="You manage nobody else’s servers. When somebody adds you as a manager, their servers appear in your list under their name."
      rows={rows}
    >
      {asked && (
        <StopManagingDialog
          management={asked}
          onStopped={() => {
            close()
            focusAfterRemoval(() => title.current)
          }}
          onClose={close}
        />
      )}
    </GrantList>
  )
}

interface GrantListProps {
  id: string
  title: string
  titleRef: RefObject<HTMLHeadingElement | null>
  count?: string
  empty: string
  rows: readonly ReactNode[]
  children: ReactNode
}

function GrantList({ id, title, titleRef, count, empty, rows, children }: GrantListProps) {
  return (
    <section aria-labelledby={id} className="card">
      <header className="flex items-baseline justify-between gap-3 px-5 py-4">
        <h2 id={id} ref={titleRef} tabIndex={-1} className="font-medium outline-none">
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
  person: PublicUser
  permissions: readonly Permission[]
  said: string
  at: string
  children: ReactNode
}

function GrantRow({ person, permissions, said, at, children }: GrantRowProps) {
  return (
    <li className="flex flex-col gap-3 px-5 py-4 sm:flex-row sm:items-start sm:justify-between sm:gap-5">
      <div className="min-w-0 space-y-2.5">
        <UserSummary user={person}>
          {said} <TimeAgo at={at} />
        </UserSummary>
        <div className="sm:pl-11">
          <PermissionChips permissions={permissions} />
        </div>
      </div>
      <div className="flex shrink-0 gap-2 max-sm:*:flex-1">{children}</div>
    </li>
  )
}
