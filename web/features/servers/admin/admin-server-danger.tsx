import { Ban, Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AdminServer } from '#contract/servers-admin.ts'
import { Button } from '#web/ui/button.tsx'

export type AdminAct = 'reset' | 'ban' | 'unban' | 'delete'

/** Where each act stands. */
const PLACES = { reset: 'danger-reset', ban: 'danger-ban', unban: 'danger-ban', delete: 'danger-delete' } as const

/** The title over what asked for the act: it stays, whatever becomes of its buttons. */
export function titleOfAct(act: AdminAct | undefined): HTMLElement | null {
  return act === undefined ? null : document.getElementById(PLACES[act])
}

/** What an administrator can do to a server, each with what it does. Its credential is its owner's alone. */
export function AdminServerDanger({ server, onAsk }: { server: AdminServer; onAsk: (act: AdminAct) => void }) {
  return (
    <div className="card divide-y divide-line overflow-hidden">
      <Act
        id={PLACES.reset}
        title="Reset the bound address"
        action={
          <Button onClick={() => onAsk('reset')} disabled={server.bound_address === null}>
            Reset address…
          </Button>
        }
      >
        {server.bound_address === null
          ? 'The server is not bound to an address.'
          : 'The next announce with its credential binds it to where that comes from.'}
      </Act>
      {server.banned ? (
        <Act
          id={PLACES.ban}
          title="The ban"
          action={
            <>
              <Button icon={<Clock size={15} aria-hidden="true" />} onClick={() => onAsk('ban')}>
                Change ban…
              </Button>
              <Button onClick={() => onAsk('unban')}>Lift ban…</Button>
            </>
          }
        >
          It is not on the list, and its announces are refused.
        </Act>
      ) : (
        <Act
          id={PLACES.ban}
          title="Ban the server"
          action={
            <Button look="danger" icon={<Ban size={15} aria-hidden="true" />} onClick={() => onAsk('ban')}>
              Ban server…
            </Button>
          }
        >
          It leaves the list at once. Its owner sees why, and until when.
        </Act>
      )}
      <Act
        id={PLACES.delete}
        title="Delete the server"
        action={
          <Button look="danger" onClick={() => onAsk('delete')}>
            Delete server…
          </Button>
        }
      >
        It leaves the list at once, its credential dies, and this can’t be undone.
      </Act>
    </div>
  )
}

function Act({ id, title, action, children }: { id: string; title: string; action: ReactNode; children: ReactNode }) {
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
