import { useState } from 'react'
import type { AdminServer } from '#contract/servers-admin.ts'
import { ActDialog } from '#web/ui/act-dialog.tsx'
import { BanDialog } from '#web/ui/ban-dialog.tsx'
import type { BanReasons } from '#web/ui/ban-form.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useBanServer } from './admin-server-acts.ts'

export const SERVER_BAN_REASONS: BanReasons = [
  ['Misleading name', 'The name pretends to be another server. Give it a name of its own and write to us.'],
  ['False player counts', 'The player counts that the server announces are not true.'],
  ['Offensive listing', 'The name, the description or the pictures break the rules of the list.'],
  ['Harms players', 'Joining the server harms players or what they own.'],
]

interface BanDialogProps {
  server: AdminServer
  onClose: () => void
}

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

export function UnbanServerDialog({ server, onClose }: BanDialogProps) {
  const ban = useBanServer(server.public_id)
  return (
    <ActDialog
      title={`Lift the ban of ${server.name}?`}
      confirm="Lift ban"
      mutation={ban}
      onConfirm={async () => {
        await ban.mutateAsync({ banned: false })
        toastSuccess('Ban lifted', server.name)
        onClose()
      }}
      onClose={onClose}
    >
      <p>Its announces are taken again, and with the next one it is back on the list.</p>
    </ActDialog>
  )
}
