import type { ReactNode } from 'react'
import { BIN_DAYS } from '#contract/bin-days.ts'
import { m } from '#messages'
import { Button } from '#web/ui/button.tsx'
import { isAdminServer, type ShownServer } from './access.ts'

interface DangerProps {
  server: ShownServer
  onOpenDialog: (dialog: 'reset' | 'delete') => void
  children: ReactNode
}

export function Danger({ server, onOpenDialog, children }: DangerProps) {
  const isBound = server.bound_address !== null
  const resetHint = isAdminServer(server) ? m.servers_danger_reset_hint_admin() : m.servers_danger_reset_hint()
  const reset = (
    <Button onClick={() => onOpenDialog('reset')} disabled={!isBound}>
      {m.servers_danger_reset_button()}
    </Button>
  )
  const remove = (
    <Button variant="danger" onClick={() => onOpenDialog('delete')}>
      {m.servers_danger_delete_button()}
    </Button>
  )
  return (
    <div className="card divide-y divide-line overflow-hidden">
      <DangerAction id="danger-reset" title={m.servers_danger_reset()} action={reset}>
        {isBound ? resetHint : m.servers_danger_reset_unbound()}
      </DangerAction>
      {children}
      <DangerAction id="danger-delete" title={m.servers_danger_delete()} action={remove}>
        {m.servers_danger_delete_hint({ count: BIN_DAYS })}
      </DangerAction>
    </div>
  )
}

export function ReissueAction({ server, onReissue }: { server: ShownServer; onReissue: () => void }) {
  if (server.credential_hint === '') {
    return (
      <DangerAction
        id="danger-reissue"
        title={m.servers_danger_create()}
        action={<Button onClick={onReissue}>{m.servers_credential_create()}</Button>}
      >
        {m.servers_danger_create_hint()}
      </DangerAction>
    )
  }
  return (
    <DangerAction
      id="danger-reissue"
      title={m.servers_danger_reissue()}
      action={<Button onClick={onReissue}>{m.servers_danger_reissue_button()}</Button>}
    >
      {m.servers_danger_reissue_hint()}
    </DangerAction>
  )
}

interface DangerActionProps {
  /** ID of the title, which can take the focus after the button is removed. */
  id: string
  title: string
  action: ReactNode
  children: ReactNode
}

export function DangerAction({ id, title, action, children }: DangerActionProps) {
  return (
    <section className="flex flex-col gap-3 p-5 sm:flex-row sm:items-center sm:justify-between sm:gap-6">
      <div>
        <h2 id={id} tabIndex={-1} className="font-medium outline-none">
          {title}
        </h2>
        <p className="mt-0.5 text-13 text-ink-2">{children}</p>
      </div>
      <div className="flex shrink-0 flex-col gap-2 sm:flex-row">{action}</div>
    </section>
  )
}
