import type { AdminUser } from '#contract/users-admin.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { BanFields, useBanForm } from '#web/ui/ban-form.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useBanUser } from './change-user.ts'

interface BanDialogProps {
  user: Pick<AdminUser, 'id' | 'discord' | 'banned' | 'ban_reason' | 'banned_until'>
  isSelf: boolean
  onClose: () => void
}

/** Bans somebody with a reason and an end, or changes those of a ban that stands. */
export function BanUserDialog({ user, isSelf, onClose }: BanDialogProps) {
  const { banned, discord } = user
  const form = useBanForm(banned ? { reason: user.ban_reason, until: user.banned_until } : undefined)
  const ban = useBanUser(user.id)
  const submit = useSingly(async () => {
    const typed = form.read()
    if (!typed) return
    await ban.mutateAsync({ banned: true, banReason: typed.reason, banned_until: typed.banned_until })
    toastSuccess(banned ? 'Ban changed' : 'User banned', discord.username)
    onClose()
  })
  return (
    <Dialog
      title={banned ? `Change the ban of ${discord.username}` : `Ban ${isSelf ? 'yourself' : discord.username}?`}
      role="alertdialog"
      keepOnBackdrop
      onDismiss={ban.isPending ? undefined : onClose}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <p className="mt-2 mb-4 text-ink-2">
          {banned
            ? `${discord.username} sees the reason and the end.`
            : isSelf
              ? 'Your servers leave the list at once, and you can do nothing more here. Only another administrator can lift it.'
              : `All servers of ${discord.username} leave the list at once, offers of servers end, and ${discord.username} can do nothing more here than read the reason and the end.`}
        </p>
        <BanFields form={form} of="person" hint={`${discord.username} reads it.`} />
        {ban.error && <ErrorNote className="mt-4">{messageOf(ban.error)}</ErrorNote>}
        <DialogActions>
          <Button data-focus-first onClick={onClose} disabled={ban.isPending}>
            Cancel
          </Button>
          <Button type="submit" look={banned ? 'primary' : 'danger'} busy={ban.isPending}>
            {banned ? 'Change ban' : 'Ban'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
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
