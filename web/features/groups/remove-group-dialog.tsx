import type { Group } from '#contract/groups.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useRemoveGroup } from './groups.api.ts'

interface RemoveGroupDialogProps {
  group: Group
  onRemoved: () => void
  onClose: () => void
}

/** Says which servers leave the group before it goes. */
export function RemoveGroupDialog({ group, onRemoved, onClose }: RemoveGroupDialogProps) {
  const { name, servers } = group
  const remove = useRemoveGroup()
  const confirm = useSingly(async () => {
    await remove.mutateAsync(group)
    toastSuccess('Group deleted', name)
    onClose()
    onRemoved()
  })
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      confirm="Delete group"
      danger
      busy={remove.isPending}
      error={remove.error ? messageOf(remove.error) : undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      {servers.length === 0 ? (
        <p>No server is in it. Nothing changes on the list.</p>
      ) : (
        <>
          <p>{servers.length === 1 ? 'This server leaves' : 'These servers leave'} the group, and nothing else changes:</p>
          <ul className="list-disc space-y-1 pl-5">
            {servers.map((server) => (
              <li key={server.public_id}>{server.name}</li>
            ))}
          </ul>
        </>
      )}
    </ConfirmDialog>
  )
}
