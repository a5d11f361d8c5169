import { ActDialog } from '#web/ui/act-dialog.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import type { ShownServer } from './access.ts'
import { useResetAddress } from './change-server.ts'

export function ResetAddressDialog({ server, onClose }: { server: ShownServer; onClose: () => void }) {
  const reset = useResetAddress(server)
  return (
    <ActDialog
      title={`Reset the bound address of ${server.name}?`}
      confirm="Reset address"
      mutation={reset}
      onConfirm={async () => {
        await reset.mutateAsync()
        toastSuccess('Address reset', 'The next announce binds the server to where it comes from.')
        onClose()
      }}
      onClose={onClose}
    >
      <p>
        The server is bound to <span className="font-mono break-all text-ink-1">{server.bound_address}</span>. After the reset the next
        announce with its credential binds it anew, from wherever that comes.
      </p>
    </ActDialog>
  )
}
