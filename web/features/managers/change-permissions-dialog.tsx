import { useState } from 'react'
import { type Permission, PERMISSION_KEYS } from '#contract/permissions.ts'
import type { GivenManagement } from '#contract/users.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useGrant } from './managers.api.ts'
import { PermissionFields } from './permission-fields.tsx'

interface ChangePermissionsDialogProps {
  given: GivenManagement
  onClose: () => void
}

export function ChangePermissionsDialog({ given, onClose }: ChangePermissionsDialogProps) {
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
