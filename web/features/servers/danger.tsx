import type { ReactNode } from 'react'
import type { Server } from '#contract/servers.ts'
import { Button } from '#web/ui/button.tsx'

interface DangerProps {
  server: Server
  onReset: () => void
  onReissue: () => void
  /** Handing it over has a part of its own. */
  handOver: ReactNode
  onDelete: () => void
}

/** What can hurt, each with what it does. */
export function Danger({ server, onReset, onReissue, handOver, onDelete }: DangerProps) {
  return (
    <div className="card divide-y divide-line overflow-hidden">
      <Act
        title="Reset the bound address"
        action={
          <Button onClick={onReset} disabled={server.bound_address === null}>
            Reset address…
          </Button>
        }
      >
        {server.bound_address === null
          ? 'The server is not bound to an address.'
          : 'You moved the server to another host. The next announce binds it to its new address.'}
      </Act>
      {server.credential_hint === '' ? (
        <Act title="Make a credential" action={<Button onClick={onReissue}>Make a credential…</Button>}>
          The server has none. It can announce once it has one.
        </Act>
      ) : (
        <Act title="Reissue the credential" action={<Button onClick={onReissue}>Reissue…</Button>}>
          It leaked, or somebody who knew it left. You choose how long the old one lives on.
        </Act>
      )}
      {handOver}
      <Act
        title="Delete the server"
        action={
          <Button look="danger" onClick={onDelete}>
            Delete server…
          </Button>
        }
      >
        It leaves the list at once, its credential dies, and this can’t be undone.
      </Act>
    </div>
  )
}

function Act({ title, action, children }: { title: string; action: ReactNode; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3 p-5 sm:flex-row sm:items-center sm:justify-between sm:gap-6">
      <div>
        <h2 className="font-medium">{title}</h2>
        <p className="mt-0.5 text-13 text-ink-2">{children}</p>
      </div>
      {action}
    </section>
  )
}
