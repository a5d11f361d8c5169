import type { AdminServer } from '#contract/servers-admin.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { BanFields, useBanForm } from '#web/ui/ban-form.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useBanServer } from './admin-server-acts.ts'

interface BanDialogProps {
  server: AdminServer
  onClose: () => void
}

/** Bans a server with a reason and an end, or changes those of a ban that stands. */
export function BanServerDialog({ server, onClose }: BanDialogProps) {
  const { banned, name, owner } = server
  const form = useBanForm({ reason: server.ban_reason, until: server.banned_until })
  const ban = useBanServer(server.public_id)
  const submit = useSingly(async () => {
    const asked = form.read()
    if (asked === undefined) return
    await ban.mutateAsync({ banned: true, ...asked })
    toastSuccess(banned ? 'Ban changed' : 'Server banned', name)
    onClose()
  })
  return (
    <Dialog
      title={banned ? `Change the ban of ${name}` : `Ban ${name}?`}
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
        <p className="mt-2 text-ink-2">
          {banned
            ? `${owner.discord.username} sees the reason and the end.`
            : `It leaves the list at once and its announces are refused. ${owner.discord.username} sees the reason and the end; the other servers stay.`}
        </p>
        <div className="mt-4">
          <BanFields form={form} of="server" hint="Its owner reads it." />
        </div>
        {ban.error && <ErrorNote className="mt-4">{messageOf(ban.error)}</ErrorNote>}
        <DialogActions>
          <Button data-focus-first onClick={onClose} disabled={ban.isPending}>
            Cancel
          </Button>
          <Button type="submit" look={banned ? 'primary' : 'danger'} busy={ban.isPending}>
            {banned ? 'Change ban' : 'Ban server'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
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
