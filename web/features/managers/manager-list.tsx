import { useEffect, useRef, useState } from 'react'
import type { GivenManagement, Me } from '#contract/users.ts'
import { Person } from '#web/features/users/person.tsx'
import { focusOnceGone } from '#web/lib/focus.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { ChangePermissionsDialog } from './change-permissions-dialog.tsx'
import { useRevoke } from './managers.api.ts'
import { PermissionChips } from '#web/features/servers/managed/permission-chips.tsx'

type Asked = { what: 'change' | 'revoke'; id: string }

/** Who manages one's servers, what each may do, and the ways to change that. */
export function ManagerList({ me }: { me: Me }) {
  const [asked, setAsked] = useState<Asked>()
  const title = useRef<HTMLHeadingElement>(null)
  const revoke = useRevoke()
  const given = me.gived_managements
  const close = () => setAsked(undefined)
  // Who leaves meanwhile takes the question about himself with him.
  const current = asked && given.find(({ id }) => id === asked.id)
  const hasLeft = asked !== undefined && current === undefined
  useEffect(() => {
    if (hasLeft) focusOnceGone(() => title.current)
  }, [hasLeft])
  return (
    <section aria-labelledby="managers" className="card">
      <header className="flex items-baseline justify-between gap-3 px-5 py-4">
        <h2 id="managers" ref={title} tabIndex={-1} className="font-medium outline-none">
          Your managers
        </h2>
        <span className="text-13 text-ink-3 tabular-nums">
          {given.length} of {me.max_managers}
        </span>
      </header>
      {given.length === 0 ? (
        <p className="border-t border-line px-5 py-6 text-13 text-pretty text-ink-2">
          Nobody but you manages your servers. Give helpers only the permissions they need, and take them back at any time.
        </p>
      ) : (
        <ul className="divide-y divide-line border-t border-line">
          {given.map((each) => (
            <ManagerRow
              key={each.id}
              given={each}
              onChange={() => setAsked({ what: 'change', id: each.id })}
              onRevoke={() => setAsked({ what: 'revoke', id: each.id })}
            />
          ))}
        </ul>
      )}
      {current && asked.what === 'change' && <ChangePermissionsDialog given={current} onClose={close} />}
      {current && asked.what === 'revoke' && (
        <RevokeDialog
          given={current}
          onConfirm={() => {
            revoke.mutate(current)
            close()
            focusOnceGone(() => title.current)
          }}
          onClose={close}
        />
      )}
    </section>
  )
}

interface ManagerRowProps {
  given: GivenManagement
  onChange: () => void
  onRevoke: () => void
}

function ManagerRow({ given: { manager, permissions, created_at }, onChange, onRevoke }: ManagerRowProps) {
  const name = manager.discord.username
  return (
    <li className="flex flex-col gap-3 px-5 py-4 sm:flex-row sm:items-start sm:justify-between sm:gap-5">
      <div className="min-w-0 space-y-2.5">
        <Person person={manager}>
          Added <TimeAgo at={created_at} />
        </Person>
        <div className="sm:pl-11">
          <PermissionChips permissions={permissions} />
        </div>
      </div>
      <div className="flex shrink-0 gap-2 max-sm:*:flex-1">
        <Button onClick={onChange} aria-label={`Change the permissions of ${name}`}>
          Change…
        </Button>
        <Button onClick={onRevoke} aria-label={`Revoke ${name}`}>
          Revoke…
        </Button>
      </div>
    </li>
  )
}

interface RevokeDialogProps {
  given: GivenManagement
  onConfirm: () => void
  onClose: () => void
}

function RevokeDialog({ given: { manager, permissions }, onConfirm, onClose }: RevokeDialogProps) {
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
