import { Ban, Clock } from 'lucide-react'
import type { AdminServer } from '#contract/servers/servers-admin.ts'
import { m } from '#messages'
import { Danger, DangerAction } from '#web/features/servers/danger.tsx'
import { Button } from '#web/ui/button.tsx'

export type AdminServerDialog = 'reset' | 'ban' | 'lift' | 'delete'

interface AdminServerDangerProps {
  server: AdminServer
  onOpenDialog: (dialog: AdminServerDialog) => void
}

export function AdminServerDanger({ server, onOpenDialog }: AdminServerDangerProps) {
  const ban = (
    <Button variant="danger" icon={<Ban size={15} aria-hidden="true" />} onClick={() => onOpenDialog('ban')}>
      {m.servers_admin_ban_ask()}
    </Button>
  )
  const change = (
    <>
      <Button icon={<Clock size={15} aria-hidden="true" />} onClick={() => onOpenDialog('ban')}>
        {m.common_ban_change_ask()}
      </Button>
      <Button onClick={() => onOpenDialog('lift')}>{m.common_ban_lift_ask()}</Button>
    </>
  )
  return (
    <Danger onDelete={() => onOpenDialog('delete')}>
      <DangerAction
        id="danger-ban"
        title={server.banned ? m.common_ban() : m.servers_admin_ban_confirm()}
        action={server.banned ? change : ban}
      >
        {server.banned ? m.servers_admin_ban_active() : m.servers_admin_ban_hint()}
      </DangerAction>
    </Danger>
  )
}
