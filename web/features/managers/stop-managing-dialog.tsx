import { useQueryClient } from '@tanstack/react-query'
import type { ReceivedManagement } from '#contract/users/users.ts'
import { m } from '#messages'
import { MutationDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { forgetOwner, useStopManaging } from './managers.api.ts'

interface StopManagingDialogProps {
  grant: ReceivedManagement
  /** True while the request runs, false if it fails. */
  onStopping?: (stopping: boolean) => void
  /** Leaves the pages of the owner's servers before they are removed from the cache. */
  onStopped: () => Promise<void> | void
  onClose: () => void
}

export function StopManagingDialog({ grant, onStopping, onStopped, onClose }: StopManagingDialogProps) {
  const client = useQueryClient()
  const stop = useStopManaging(grant.id)
  const user = grant.owner.discord.username
  return (
    <MutationDialog
      title={m.managers_stop_title({ user })}
      confirm={m.managers_stop_confirm()}
      danger
      mutation={stop}
      onConfirm={async () => {
        onStopping?.(true)
        try {
          await stop.mutateAsync()
        } catch (error) {
          onStopping?.(false)
          throw error
        }
        await onStopped()
        forgetOwner(client, grant.owner_id)
        toastSuccess(m.managers_stopped({ user }))
      }}
      onClose={onClose}
    >
      <p>{m.managers_stop_hint()}</p>
      <p>{m.managers_stop_undo({ user })}</p>
    </MutationDialog>
  )
}
