import { ActDialog } from '#web/ui/act-dialog.tsx'
import type { ShownServer } from './access.ts'
import { useDeleteServer } from './change-server.ts'

interface DeleteDialogProps {
  server: ShownServer
  onDeleted: () => void
  onClose: () => void
}

export function DeleteDialog({ server, onDeleted, onClose }: DeleteDialogProps) {
  const remove = useDeleteServer(server)
  return (
    <ActDialog
      title={`Delete ${server.name}?`}
      confirm="Delete server"
      danger
      typed={{ name: server.name, wrong: `That is not the server’s name: ${server.name}` }}
      mutation={remove}
      onConfirm={async () => {
        await remove.mutateAsync()
        onDeleted()
      }}
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
    </ActDialog>
  )
}
