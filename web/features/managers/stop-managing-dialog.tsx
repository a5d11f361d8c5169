import { useQueryClient } from '@tanstack/react-query'
import type { ReceivedManagement } from '#contract/users.ts'
import { MutationDialog } from '#web/ui/mutation-dialog.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { removeOwnerFromCache, useStopManaging } from './managers.api.ts'

interface StopManagingDialogProps {
  management: ReceivedManagement
  /** While it is true, the user's own act ends the servers' pages. */
  onStopping?: (stopping: boolean) => void
  /** Leaves what shows the servers, before they are removed from it. */
  onStopped: () => Promise<void> | void
  onClose: () => void
}

export function StopManagingDialog({ management, onStopping, onStopped, onClose }: StopManagingDialogProps) {
  const client = useQueryClient()
  const stop = useStopManaging(management.id)
  const { username } = management.owner.discord
  return (
    <MutationDialog
      title={`Stop managing ${username}’s servers?`}
      confirm="Stop managing"
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
        removeOwnerFromCache(client, management.owner_id)
        toastSuccess(`You no longer manage ${username}’s servers`)
      }}
      onClose={onClose}
    >
      <p>All of them leave your list at once. The servers themselves go on as they are.</p>
      <p>Only {username} can let you manage them again.</p>
    </MutationDialog>
  )
}
