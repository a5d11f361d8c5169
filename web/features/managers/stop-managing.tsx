import { useQueryClient } from '@tanstack/react-query'
import type { PublicUser } from '#contract/users.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { dropOwner, useStopManaging } from './managers.api.ts'

interface StopManagingDialogProps {
  owner: PublicUser
  managementId: string
  /** While it is true, what happens to the servers' pages is one's own doing. */
  onStopping?: (stopping: boolean) => void
  /** Leaves what shows the servers, before they are gone from it. */
  onStopped: () => Promise<void> | void
  onClose: () => void
}

export function StopManagingDialog({ owner, managementId, onStopping, onStopped, onClose }: StopManagingDialogProps) {
  const client = useQueryClient()
  const stop = useStopManaging(managementId)
  const { username } = owner.discord
  const confirm = useSingly(async () => {
    onStopping?.(true)
    try {
      await stop.mutateAsync()
    } catch (error) {
      onStopping?.(false)
      throw error
    }
    await onStopped()
    dropOwner(client, owner.id)
    toastSuccess(`You no longer manage ${username}’s servers`)
  })
  return (
    <ConfirmDialog
      title={`Stop managing ${username}’s servers?`}
      confirm="Stop managing"
      danger
      busy={stop.isPending}
      error={stop.error ? messageOf(stop.error) : undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>All of them leave your list at once. The servers themselves go on as they are.</p>
      <p>Only {username} can let you manage them again.</p>
    </ConfirmDialog>
  )
}
