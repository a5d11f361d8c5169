import { useState } from 'react'
import type { AdminUser } from '#contract/users-admin.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { BanDialog } from '#web/ui/ban-dialog.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { USER_BAN_REASONS } from './ban-reasons.ts'
import { useBanUser } from './change-user.ts'

interface BanDialogProps {
  user: Pick<AdminUser, 'id' | 'discord' | 'banned' | 'ban_reason' | 'banned_until'>
  isSelf: boolean
  onClose: () => void
}

/** Bans somebody with a reason and an end, or changes those of a ban that stands. */
export function BanUserDialog({ user, isSelf, onClose }: BanDialogProps) {
  // As he was when it was asked for: the answer comes before the dialog goes.
  const [{ banned, ban_reason: reason, banned_until: until, discord }] = useState(user)
  const { username } = discord
  const ban = useBanUser(user.id)
  return (
    <BanDialog
      title={banned ? `Change the ban of ${username}` : `Ban ${isSelf ? 'yourself' : username}?`}
      explains={
        banned
          ? `${username} sees the reason and the end.`
          : isSelf
            ? 'Your servers leave the list at once, and you can do nothing more here. Only another administrator can lift it.'
            : `All servers of ${username} leave the list at once, offers of servers end, and ${username} can do nothing more here than read the reason and the end.`
      }
      reasons={USER_BAN_REASONS}
      hint={`${username} reads it.`}
      confirm={banned ? 'Change ban' : 'Ban'}
      standing={banned ? { reason, until } : undefined}
      busy={ban.isPending}
      error={ban.error}
      onBan={async (typed) => {
        await ban.mutateAsync({ banned: true, banReason: typed.reason, banned_until: typed.banned_until })
        toastSuccess(banned ? 'Ban changed' : 'User banned', username)
        onClose()
      }}
      onClose={onClose}
    />
  )
}

/** Takes a ban back. */
export function UnbanUserDialog({ user, onClose }: Omit<BanDialogProps, 'isSelf'>) {
  const { username } = user.discord
  const ban = useBanUser(user.id)
  const confirm = useSingly(async () => {
    await ban.mutateAsync({ banned: false })
    toastSuccess('Ban lifted', username)
    onClose()
  })
  return (
    <ConfirmDialog
      title={`Lift the ban of ${username}?`}
      confirm="Lift ban"
      busy={ban.isPending}
      error={ban.error ? messageOf(ban.error) : undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{username} can use everything again at once, and the servers are back on the list with their next announce.</p>
    </ConfirmDialog>
  )
}
