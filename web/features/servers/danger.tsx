import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { isAdminServer, type ShownServer } from './access.ts'

type Ask = (act: 'reset' | 'delete') => void

export function Danger({ server, onOpenDialog, children }: { server: ShownServer; onOpenDialog: Ask; children: ReactNode }) {
  const isBound = server.bound_address !== null
  const binds = isAdminServer(server)
    ? 'The next announce with its credential binds it to where that comes from.'
    : 'You moved the server to another host. The next announce binds it to its new address.'
  const reset = (
    <Button onClick={() => onOpenDialog('reset')} disabled={!isBound}>
      Reset address…
    </Button>
  )
  const remove = (
    <Button look="danger" onClick={() => onOpenDialog('delete')}>
      Delete server…
    </Button>
  )
  return (
    <div className="card divide-y divide-line overflow-hidden">
      <DangerAction id="danger-reset" title="Reset the bound address" action={reset}>
        {isBound ? binds : 'The server is not bound to an address.'}
      </DangerAction>
      {children}
      <DangerAction id="danger-delete" title="Delete the server" action={remove}>
        It leaves the list at once, its credential dies, and this can’t be undone.
      </DangerAction>
    </div>
  )
}

export function ReissueAction({ server, onReissue }: { server: ShownServer; onReissue: () => void }) {
  if (server.credential_hint === '') {
    return (
      <DangerAction id="danger-reissue" title="Make a credential" action={<Button onClick={onReissue}>Make a credential…</Button>}>
        The server has none. It can announce once it has one.
      </DangerAction>
    )
  }
  return (
    <DangerAction id="danger-reissue" title="Reissue the credential" action={<Button onClick={onReissue}>Reissue…</Button>}>
      It leaked, or somebody who knew it left. You choose how long the old one lives on.
    </DangerAction>
  )
}

interface DangerActionProps {
  /** Of the title: it can take the focus when the button is gone. */
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
