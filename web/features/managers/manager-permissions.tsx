import { TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { type Permission, PERMISSION_KEYS, PERMISSIONS } from '#contract/servers/permissions.ts'
import type { GivenManagement, Me, PublicUser } from '#contract/users/users.ts'
import { m } from '#messages'
import { FindUser } from '#web/features/users/find-user.tsx'
import { messageOf } from '#web/lib/http/http-error.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { counted } from '#web/ui/count-text.ts'
import { Dialog, DialogActions } from '#web/ui/dialog/dialog.tsx'
import { CheckOption } from '#web/ui/form/check-option.tsx'
import { FieldError } from '#web/ui/form/field-error.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useGrantPermissions } from './managers.api.ts'

export function AddManager({ me }: { me: Me }) {
  const titleId = useId()
  // A new key empties the form for the next manager.
  const [formKey, setFormKey] = useState(0)
  const isFull = me.gived_managements.length >= me.max_managers
  return (
    <section aria-labelledby={titleId} className="card p-5">
      <h2 id={titleId} tabIndex={-1} className="font-medium outline-none">
        {m.managers_add_title()}
      </h2>
      {isFull ? (
        <p className="mt-0.5 text-13 text-pretty text-ink-2">{limitText(me.max_managers)}</p>
      ) : (
        <>
          <p className="mt-0.5 mb-4 text-13 text-pretty text-ink-2">
            <RichText message={m.managers_add_hint} tags={{ b: (text) => <strong className="font-semibold text-ink-1">{text}</strong> }} />
          </p>
          <AddForm key={formKey} me={me} onAdded={() => setFormKey(formKey + 1)} />
        </>
      )}
    </section>
  )
}

function limitText(max: number): string {
  return max === 0 ? m.managers_limit_zero() : m.managers_limit({ managers: m.count_managers(counted(max)) })
}

/** Shows the permissions only once the user is found. */
function AddForm({ me, onAdded }: { me: Me; onAdded: () => void }) {
  const [user, setUser] = useState<PublicUser>()
  const [permissions, setPermissions] = useState<readonly Permission[]>(['EDIT_DETAILS'])
  const [isSubmitted, setSubmitted] = useState(false)
  const grant = useGrantPermissions()
  const send = useSingleFlight(async () => {
    setSubmitted(true)
    if (!user || permissions.length === 0) return
    await grant.mutateAsync({ user_id: user.id, permissions: [...permissions] })
    toastSuccess(m.managers_added({ user: user.discord.username }))
    onAdded()
  })
  return (
    <div className="space-y-5">
      <FindUser
        me={me}
        selfMessage={m.managers_add_self()}
        reject={(found) =>
          me.gived_managements.some(({ manager_id }) => manager_id === found.id)
            ? m.managers_add_duplicate({ user: found.discord.username })
            : undefined
        }
        found={user}
        onFound={(found) => {
          setUser(found)
          grant.reset()
        }}
      />
      {user && (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            send()
          }}
          className="space-y-4"
        >
          <PermissionFields
            legend={m.managers_permissions_of({ user: user.discord.username })}
            value={permissions}
            onChange={setPermissions}
            error={isSubmitted && permissions.length === 0 ? m.managers_permissions_missing() : undefined}
          />
          {grant.error && <ErrorNote>{messageOf(grant.error)}</ErrorNote>}
          <Button type="submit" variant="primary" busy={grant.isPending} className="max-sm:w-full">
            {m.managers_add()}
          </Button>
        </form>
      )}
    </div>
  )
}

export function EditPermissionsDialog({ grant, onClose }: { grant: GivenManagement; onClose: () => void }) {
  const name = grant.manager.discord.username
  const [permissions, setPermissions] = useState<readonly Permission[]>(grant.permissions)
  const change = useGrantPermissions()
  const isChanged = PERMISSION_KEYS.some((key) => permissions.includes(key) !== grant.permissions.includes(key))
  const save = useSingleFlight(async () => {
    if (permissions.length === 0) return
    if (isChanged) {
      await change.mutateAsync({ user_id: grant.manager_id, permissions: [...permissions] })
      toastSuccess(m.managers_edit_saved(), name)
    }
    onClose()
  })
  return (
    <Dialog title={m.managers_edit_named({ user: name })} onDismiss={change.isPending ? undefined : onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <p className="mt-2 mb-4 text-13 text-ink-2">{m.managers_edit_hint()}</p>
        <PermissionFields
          legend={m.managers_permissions()}
          value={permissions}
          onChange={setPermissions}
          error={permissions.length === 0 ? m.managers_edit_missing() : undefined}
        />
        {change.error && <ErrorNote className="mt-4">{messageOf(change.error)}</ErrorNote>}
        <DialogActions>
          <Button onClick={onClose} disabled={change.isPending}>
            {m.common_cancel()}
          </Button>
          <Button type="submit" variant="primary" busy={change.isPending}>
            {m.managers_edit_save()}
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
          <CheckOption
            key={key}
            isChecked={value.includes(key)}
            onToggle={() => toggle(key)}
            title={
              <>
                <span className="font-medium">{PERMISSIONS[key].name()}</span>
                {PERMISSIONS[key].isDangerous && (
                  <span className="inline-flex items-center gap-1 text-12 font-medium text-warn">
                    <TriangleAlert size={13} aria-hidden="true" />
                    {m.managers_dangerous()}
                  </span>
                )}
              </>
            }
            hint={PERMISSIONS[key].allows()}
            className="first:rounded-t-6 last:rounded-b-6"
          />
        ))}
      </div>
      <FieldError id={errorId}>{error}</FieldError>
    </fieldset>
  )
}
