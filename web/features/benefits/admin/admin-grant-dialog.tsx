import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

interface AdminGrantDialogProps {
  person: string
  takes: boolean
  isSelf: boolean
  busy: boolean
  error: string | undefined
  onConfirm: () => void
  onClose: () => void
}

/** Who may do everything is asked for twice. */
export function AdminGrantDialog({ person, takes, isSelf, busy, error, onConfirm, onClose }: AdminGrantDialogProps) {
  const common = { busy, error, onConfirm, onClose }
  if (!takes) {
    return (
      <ConfirmDialog title={`Make ${person} an administrator?`} confirm="Grant Admin" danger {...common}>
        <p>
          {person} can then read and change the servers, limits, tiers and benefits of everybody, ban people, and take Admin from others,
          from you too. It holds until an administrator takes it back.
        </p>
      </ConfirmDialog>
    )
  }
  return (
    <ConfirmDialog
      title={isSelf ? 'Give up being an administrator?' : `Take Admin from ${person}?`}
      confirm="Take Admin back"
      danger
      {...common}
    >
      <p>
        {isSelf
          ? 'You leave the admin area at once. Only another administrator can give it back to you.'
          : `${person} leaves the admin area at once. What ${person} changed there stays.`}
      </p>
    </ConfirmDialog>
  )
}
