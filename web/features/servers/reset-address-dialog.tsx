import { messageOf } from '#web/lib/http-error.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import type { ShownServer } from './access.ts'
import { useResetAddress } from './change-server.ts'

export function ResetAddressDialog({ server, onClose }: { server: ShownServer; onClose: () => void }) {
  const reset = useResetAddress(server)
  const confirm = useSingly(async () => {
    await reset.mutateAsync()
    toastSuccess('Address reset', 'The next announce binds the server to where it comes from.')
    onClose()
  })
  return (
    <ConfirmDialog
      title={`Reset the bound address of ${server.name}?`}
      confirm="Reset address"
      busy={reset.isPending}
      error={reset.error ? messageOf(reset.error) : undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        The server is bound to <span className="font-mono break-all text-ink-1">{server.bound_address}</span>. After the reset the next
        announce with its credential binds it anew, from wherever that comes.
      </p>
    </ConfirmDialog>
  )
}
