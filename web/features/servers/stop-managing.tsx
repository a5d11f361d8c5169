import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { PublicUser } from '#contract/users.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { call } from '#web/lib/call.ts'
import { isStatus, messageOf } from '#web/lib/http-error.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { serverListOptions } from './servers.api.ts'

/** Ends one's own management of somebody else's servers. Where it has ended already, that is what was wanted. */
export function useStopManaging(managementId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      try {
        await call('DELETE /api/users/management/self/{id}', { params: { id: managementId } })
      } catch (error) {
        if (!isStatus(error, 404)) throw error
      }
    },
    // Before the stream says so: what one does oneself is no news.
    onMutate: async () => {
      await client.cancelQueries({ queryKey: meOptions.queryKey })
      client.setQueryData(
        meOptions.queryKey,
        (me) => me && { ...me, recieved_managements: me.recieved_managements.filter(({ id }) => id !== managementId) },
      )
    },
    onError: () => client.invalidateQueries({ queryKey: meOptions.queryKey }),
  })
}

/** Takes everything of this owner out of what is shown. */
export function dropOwner(client: QueryClient, ownerId: string): void {
  client.setQueryData(
    meOptions.queryKey,
    (me) => me && { ...me, recieved_managements: me.recieved_managements.filter((each) => each.owner_id !== ownerId) },
  )
  client.setQueryData(
    serverListOptions.queryKey,
    (list) => list && { ...list, management: list.management.filter((each) => each.user_id !== ownerId) },
  )
  client.removeQueries({ queryKey: ['managed', ownerId] })
}

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
