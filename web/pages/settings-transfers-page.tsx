import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useId, useRef } from 'react'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { IncomingTransfer } from '#web/features/transfers/incoming-transfer.tsx'
import { OutgoingTransfer } from '#web/features/transfers/outgoing-transfer.tsx'
import { focusOnceGone } from '#web/lib/focus.ts'
import { useTitle } from '#web/lib/use-title.ts'

export function SettingsTransfersPage() {
  const { data: list } = useSuspenseQuery(serverListOptions)
  const incomingTitle = useRef<HTMLHeadingElement>(null)
  const outgoingTitle = useRef<HTMLHeadingElement>(null)
  useTitle('Transfers')
  const { incoming_transfers: incoming, outgoing_transfers: outgoing } = list
  return (
    <div className="max-w-[840px] space-y-8">
      <Offers title="Offered to you" titleRef={incomingTitle}>
        {incoming.length === 0 ? (
          <NoOffers>
            Nobody offers you a server right now. When somebody does, the offer stands here and above your servers for seven days.
          </NoOffers>
        ) : (
          <div className="space-y-3">
            {incoming.map((transfer) => (
              <IncomingTransfer key={transfer.id} transfer={transfer} onGone={() => focusOnceGone(() => incomingTitle.current)} />
            ))}
          </div>
        )}
      </Offers>
      <Offers title="Offered by you" titleRef={outgoingTitle}>
        {outgoing.length === 0 ? (
          <NoOffers>
            You offer no server right now. To hand one over, open it and choose <strong className="font-medium text-ink-1">Danger</strong>,
            then <strong className="font-medium text-ink-1">Hand over</strong>.
          </NoOffers>
        ) : (
          <div className="card divide-y divide-line">
            {outgoing.map((transfer) => (
              <OutgoingTransfer key={transfer.id} transfer={transfer} onGone={() => focusOnceGone(() => outgoingTitle.current)} />
            ))}
          </div>
        )}
      </Offers>
    </div>
  )
}

/** @param titleRef takes the focus when an offer that had it is gone. */
function Offers({ title, titleRef, children }: { title: string; titleRef: RefObject<HTMLHeadingElement | null>; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} ref={titleRef} tabIndex={-1} className="mb-3 font-medium outline-none">
        {title}
      </h2>
      {children}
    </section>
  )
}

function NoOffers({ children }: { children: ReactNode }) {
  return <p className="card px-5 py-6 text-13 text-pretty text-ink-2">{children}</p>
}
