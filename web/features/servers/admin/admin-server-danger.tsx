import { Ban, Clock } from 'lucide-react'
import type { AdminServer } from '#contract/servers-admin.ts'
import { Danger, DangerAction } from '#web/features/servers/danger.tsx'
import { Button } from '#web/ui/button.tsx'

export type AdminServerDialog = 'reset' | 'ban' | 'lift' | 'delete'

/** The title over the act's button: it stays when the button goes. */
export function dangerTitle(act: AdminServerDialog | undefined): HTMLElement | null {
  return act === undefined ? null : document.getElementById(act === 'lift' ? 'danger-ban' : `danger-${act}`)
}

export function AdminServerDanger({ server, onOpenDialog }: { server: AdminServer; onOpenDialog: (act: AdminServerDialog) => void }) {
  const ban = (
    <Button look="danger" icon={<Ban size={15} aria-hidden="true" />} onClick={() => onOpenDialog('ban')}>
      Ban server…
    </Button>
  )
  const change = (
    <>
      <Button icon={<Clock size={15} aria-hidden="true" />} onClick={() => onOpenDialog('ban')}>
        Change ban…
      </Button>
      <Button onClick={() => onOpenDialog('lift')}>Lift ban…</Button>
    </>
  )
  return (
    <Danger server={server} onOpenDialog={onOpenDialog}>
      <DangerAction id="danger-ban" title={server.banned ? 'The ban' : 'Ban the server'} action={server.banned ? change : ban}>
        {server.banned
          ? 'It is not on the list, and its announces are refused.'
          : 'It leaves the list at once. Its owner sees why, and until when.'}
      </DangerAction>
    </Danger>
  )
}
