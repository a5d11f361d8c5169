import type { Server } from '#contract/servers.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useDeleteServer } from './change-server.ts'

interface DeleteDialogProps {
  server: Server
  onDeleted: () => void
  onClose: () => void
}

export function DeleteDialog({ server, onDeleted, onClose }: DeleteDialogProps) {
  const remove = useDeleteServer(server)
  const confirm = useSingly(async () => {
    await remove.mutateAsync()
    onDeleted()
  })
  return (
    <ConfirmDialog
      title={`Delete ${server.name}?`}
      confirm="Delete server"
      danger
      typed={{ name: server.name, wrong: `That is not the server’s name: ${server.name}` }}
      busy={remove.isPending}
      error={remove.error ? messageOf(remove.error) : undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>This can’t be undone:</p>
      <ul className="list-disc space-y-1 pl-5">
        <li>it leaves the public list at once{server.live ? `, with ${server.live.players} players on it` : ''};</li>
        <li>its credential stops working;</li>
        <li>
          its id <span className="font-mono">{server.public_id}</span> and its name are given up.
        </li>
      </ul>
    </ConfirmDialog>
  )
}
