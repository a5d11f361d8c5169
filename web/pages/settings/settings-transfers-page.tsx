import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { m } from '#messages'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { IncomingTransfer } from '#web/features/transfers/incoming-transfers.tsx'
import { OutgoingTransfer } from '#web/features/transfers/outgoing-transfer.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { useTitle } from '#web/lib/use-title.ts'

export function SettingsTransfersPage() {
  const { data: list } = useSuspenseQuery(serverListOptions)
  useTitle(m.nav_transfers())
  const { incoming_transfers: incoming, outgoing_transfers: outgoing } = list
  return (
    <div className="space-y-8">
      <Transfers title={m.transfers_page_incoming()}>
        {incoming.length === 0 ? (
          <NoTransfers>{m.transfers_page_incoming_none()}</NoTransfers>
        ) : (
          <div className="space-y-3">
            {incoming.map((transfer) => (
              <IncomingTransfer key={transfer.id} transfer={transfer} />
            ))}
          </div>
        )}
      </Transfers>
      <Transfers title={m.transfers_page_outgoing()}>
        {outgoing.length === 0 ? (
          <NoTransfers>
            <RichText
              message={m.transfers_page_outgoing_none}
              tags={{ b: (text) => <strong className="font-medium text-ink-1">{text}</strong> }}
            />
          </NoTransfers>
        ) : (
          <div className="card divide-y divide-line">
            {outgoing.map((transfer) => (
              <OutgoingTransfer key={transfer.id} transfer={transfer} />
            ))}
          </div>
        )}
      </Transfers>
    </div>
  )
}

function Transfers({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} tabIndex={-1} className="mb-3 font-medium outline-none">
        {title}
      </h2>
      {children}
    </section>
  )
}

function NoTransfers({ children }: { children: ReactNode }) {
  return <p className="card px-5 py-6 text-13 text-pretty text-ink-2">{children}</p>
}
