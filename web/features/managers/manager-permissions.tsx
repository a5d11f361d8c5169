import { TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { type Permission, PERMISSION_KEYS, PERMISSIONS } from '#contract/permissions.ts'
import type { GivenManagement, Me, PublicUser } from '#contract/users.ts'
import { FindUser } from '#web/features/users/find-user.tsx'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { FieldError } from '#web/ui/form/field-error.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useGrantPermissions } from './managers.api.ts'

/** First who, then what they may do: nothing is granted before the user has seen whom they found. */
export function AddManager({ me }: { me: Me }) {
  const titleId = useId()
  // The next manager begins with an empty form.
  const [turn, setTurn] = useState(0)
  const full = me.gived_managements.length >= me.max_managers
  return (
    <section aria-labelledby={titleId} className="card p-5">
      <h2 id={titleId} tabIndex={-1} className="font-medium outline-none">
        Add a manager
      </h2>
      {full ? (
        <p className="mt-0.5 text-13 text-pretty text-ink-2">{limitText(me.max_managers)}</p>
      ) : (
        <>
          <p className="mt-0.5 mb-4 text-13 text-pretty text-ink-2">
            A manager helps you with <strong className="font-semibold text-ink-1">all your servers</strong>, those you register later too.
            Handing over and deleting stay yours.
          </p>
          <AddForm
            key={turn}
            me={me}
            onAdded={() => {
              setTurn(turn + 1)
              document.getElementById(titleId)?.focus({ preventScroll: true })
            }}
          />
        </>
      )}
    </section>
  )
}

function limitText(max: number): string {
  if (max === 0) return 'Your account can’t have managers.'
  return `You have reached your limit of ${max} ${max === 1 ? 'manager' : 'managers'}. Revoke one to make room for somebody else.`
}

function AddForm({ me, onAdded }: { me: Me; onAdded: () => void }) {
  const [person, setPerson] = useState<PublicUser>()
  const [permissions, setPermissions] = useState<readonly Permission[]>(['EDIT_DETAILS'])
  const [tried, setTried] = useState(false)
  const grant = useGrantPermissions()
  const send = useSingleFlight(async () => {
    setTried(true)
    if (!person || permissions.length === 0) return
    await grant.mutateAsync({ person, permissions: [...permissions] })
    toastSuccess(`${person.discord.username} manages your servers now`)
    onAdded()
  })
  return (
    <div className="space-y-5">
      <FindUser
        me={me}
        selfMessage="That is you. Your servers are yours already: you need no permission."
        reject={(found) =>
          me.gived_managements.some(({ manager_id }) => manager_id === found.id)
            ? `${found.discord.username} is one of your managers already. Change the permissions in the list below.`
            : undefined
        }
        found={person}
        onFound={(found) => {
          setPerson(found)
          grant.reset()
        }}
      />
      {person && (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            send()
          }}
          className="space-y-4"
        >
          <PermissionFields
            legend={`What may ${person.discord.username} do?`}
            value={permissions}
            onChange={setPermissions}
            error={tried && permissions.length === 0 ? 'Choose at least one permission.' : undefined}
          />
          {grant.error && <ErrorNote>{messageOf(grant.error)}</ErrorNote>}
          <Button type="submit" look="primary" busy={grant.isPending} className="max-sm:w-full">
            Add manager
          </Button>
        </form>
      )}
    </div>
  )
}

export function ChangePermissionsDialog({ given, onClose }: { given: GivenManagement; onClose: () => void }) {
  const name = given.manager.discord.username
  const [permissions, setPermissions] = useState<readonly Permission[]>(given.permissions)
  const grant = useGrantPermissions()
  const changed = PERMISSION_KEYS.some((key) => permissions.includes(key) !== given.permissions.includes(key))
  const save = useSingleFlight(async () => {
    if (permissions.length === 0) return
    if (changed) {
      await grant.mutateAsync({ person: given.manager, permissions: [...permissions] })
      toastSuccess('Permissions changed', name)
    }
    onClose()
  })
  return (
    <Dialog title={`Change what ${name} may do`} onDismiss={grant.isPending ? undefined : onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <p className="mt-2 mb-4 text-13 text-ink-2">On all your servers, from the moment you save.</p>
        <PermissionFields
          legend="Permissions"
          value={permissions}
          onChange={setPermissions}
          error={permissions.length === 0 ? 'Choose at least one. To take all of them away, revoke the manager.' : undefined}
        />
        {grant.error && <ErrorNote className="mt-4">{messageOf(grant.error)}</ErrorNote>}
        <DialogActions>
          <Button onClick={onClose} disabled={grant.isPending}>
            Cancel
          </Button>
          <Button type="submit" look="primary" busy={grant.isPending}>
            Save permissions
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

interface PermissionFieldsProps {
  legend: string
  value: readonly Permission[]
  onChange: (value: Permission[]) => void
  error?: string | undefined
}

function PermissionFields({ legend, value, onChange, error }: PermissionFieldsProps) {
  const errorId = useId()
  const toggle = (key: Permission) => onChange(PERMISSION_KEYS.filter((each) => value.includes(each) !== (each === key)))
  return (
    <fieldset aria-describedby={errorId} className="relative min-w-0">
      <legend className="mb-2 text-13 font-medium [overflow-wrap:anywhere]">{legend}</legend>
      <div className="divide-y divide-line rounded-6 border border-line">
        {PERMISSION_KEYS.map((key) => (
          // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- its text is two levels down
          <label
            key={key}
            className="flex cursor-pointer gap-3 p-3 transition-colors duration-100 first:rounded-t-6 last:rounded-b-6 hover:bg-surface-2 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="checkbox"
              checked={value.includes(key)}
              onChange={() => toggle(key)}
              className="mt-1 size-4 shrink-0 accent-(--accent) outline-none"
            />
            <span className="min-w-0">
              <span className="flex flex-wrap items-center gap-x-2">
                <span className="font-medium">{PERMISSIONS[key].name}</span>
                {PERMISSIONS[key].isDangerous && (
                  <span className="inline-flex items-center gap-1 text-12 font-medium text-warn">
                    <TriangleAlert size={13} aria-hidden="true" />
                    Dangerous
                  </span>
                )}
              </span>
              <span className="block text-13 text-ink-2">{PERMISSIONS[key].allows}</span>
            </span>
          </label>
        ))}
      </div>
      <FieldError id={errorId}>{error}</FieldError>
    </fieldset>
  )
}
