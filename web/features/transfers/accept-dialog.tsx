import type { ServerTransfer } from '#contract/transfers.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useAccept } from './transfers.api.ts'

interface AcceptDialogProps {
  transfer: ServerTransfer
  onAccepted: () => void
  onClose: () => void
}

/** Says what changes before it does. */
export function AcceptDialog({ transfer, onAccepted, onClose }: AcceptDialogProps) {
  const accept = useAccept()
  const { token, from_user, effects } = transfer
  const confirm = useSingly(async () => {
    await accept.mutateAsync(transfer)
    toastSuccess('The server is yours', token.name)
    onAccepted()
  })
  return (
    <ConfirmDialog
      title={`Accept ${token.name}?`}
      confirm="Accept the server"
      busy={accept.isPending}
      error={accept.error ? messageOf(accept.error) : undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        It moves from {from_user.discord.username} to you, with its id and its listing. What happened before stays with{' '}
        {from_user.discord.username}.
      </p>
      {effects.length > 0 && (
        <ul className="list-disc space-y-1 pl-5">
          {effects.map(({ code, message }) => (
            <li key={code}>{message}</li>
          ))}
        </ul>
      )}
    </ConfirmDialog>
  )
}
