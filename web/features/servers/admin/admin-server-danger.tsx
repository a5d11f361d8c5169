import { Ban, Clock } from 'lucide-react'
import type { AdminServer } from '#contract/servers-admin.ts'
import { Danger, DangerAction } from '#web/features/servers/danger.tsx'
import { Button } from '#web/ui/button.tsx'

export type AdminAct = 'reset' | 'ban' | 'unban' | 'delete'

/** The title over the act's button: it stays when the button goes. */
export function titleOfAct(act: AdminAct | undefined): HTMLElement | null {
  return act === undefined ? null : document.getElementById(act === 'unban' ? 'danger-ban' : `danger-${act}`)
}

export function AdminServerDanger({ server, onAsk }: { server: AdminServer; onAsk: (act: AdminAct) => void }) {
  const ban = (
    <Button look="danger" icon={<Ban size={15} aria-hidden="true" />} onClick={() => onAsk('ban')}>
      Ban server…
    </Button>
  )
  const change = (
    <>
      <Button icon={<Clock size={15} aria-hidden="true" />} onClick={() => onAsk('ban')}>
        Change ban…
      </Button>
      <Button onClick={() => onAsk('unban')}>Lift ban…</Button>
    </>
  )
  return (
    <Danger server={server} onOpenDialog={onAsk}>
      <DangerAction id="danger-ban" title={server.banned ? 'The ban' : 'Ban the server'} action={server.banned ? change : ban}>
        {server.banned
          ? 'It is not on the list, and its announces are refused.'
          : 'It leaves the list at once. Its owner sees why, and until when.'}
      </DangerAction>
    </Danger>
  )
}
