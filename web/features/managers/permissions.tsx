import { TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { type Permission, PERMISSION_KEYS, PERMISSIONS } from '#contract/permissions.ts'
import type { GivenManagement } from '#contract/users.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { FieldError } from '#web/ui/form/field-error.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useGrant } from './managers.api.ts'

export function ChangePermissionsDialog({ given, onClose }: { given: GivenManagement; onClose: () => void }) {
  const name = given.manager.discord.username
  const [permissions, setPermissions] = useState<readonly Permission[]>(given.permissions)
  const grant = useGrant()
  const changed = PERMISSION_KEYS.some((key) => permissions.includes(key) !== given.permissions.includes(key))
  const save = useSingly(async () => {
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

export function PermissionFields({ legend, value, onChange, error }: PermissionFieldsProps) {
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
