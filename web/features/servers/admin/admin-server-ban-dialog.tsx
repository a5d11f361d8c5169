import { useState } from 'react'
import type { AdminServer } from '#contract/servers-admin.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { BanDialog } from '#web/ui/ban-dialog.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useBanServer } from './admin-server-acts.ts'
import { SERVER_BAN_REASONS } from './servers-ban-reasons.ts'

interface BanDialogProps {
  server: AdminServer
  onClose: () => void
}

/** Bans a server with a reason and an end, or changes those of a ban that stands. */
export function BanServerDialog({ server, onClose }: BanDialogProps) {
  // As it was when it was asked for: the answer comes before the dialog goes.
  const [{ banned, ban_reason: reason, banned_until: until, name, owner }] = useState(server)
  const ban = useBanServer(server.public_id)
  return (
    <BanDialog
      title={banned ? `Change the ban of ${name}` : `Ban ${name}?`}
      explains={
        banned
          ? `${owner.discord.username} sees the reason and the end.`
          : `It leaves the list at once and its announces are refused. ${owner.discord.username} sees the reason and the end; the other servers stay.`
      }
      reasons={SERVER_BAN_REASONS}
      hint="Its owner reads it."
      confirm={banned ? 'Change ban' : 'Ban server'}
      standing={banned ? { reason, until } : undefined}
      busy={ban.isPending}
      error={ban.error}
      onBan={async (typed) => {
        await ban.mutateAsync({ banned: true, ...typed })
        toastSuccess(banned ? 'Ban changed' : 'Server banned', name)
        onClose()
      }}
      onClose={onClose}
    />
  )
}

/** Takes a ban back. */
export function UnbanServerDialog({ server, onClose }: BanDialogProps) {
  const ban = useBanServer(server.public_id)
  const confirm = useSingly(async () => {
    await ban.mutateAsync({ banned: false })
    toastSuccess('Ban lifted', server.name)
    onClose()
  })
  return (
    <ConfirmDialog
      title={`Lift the ban of ${server.name}?`}
      confirm="Lift ban"
      busy={ban.isPending}
      error={ban.error ? messageOf(ban.error) : undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>Its announces are taken again, and with the next one it is back on the list.</p>
    </ConfirmDialog>
  )
}
