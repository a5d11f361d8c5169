import { ArrowRightLeft } from 'lucide-react'
import type { Server } from '#contract/servers.ts'
import { OutgoingTransfer } from './outgoing-transfer.tsx'
import { focusOnceGone } from '#web/lib/focus.ts'
import { Button } from '#web/ui/button.tsx'
import { useOfferOf } from '#web/features/servers/use-offer-of.ts'

/** Handing the server over; while it is on offer, the offer. */
export function HandOver({ server, onHandOver }: { server: Server; onHandOver: () => void }) {
  const offered = useOfferOf(server.public_id)
  if (!offered) {
    return (
      <section className="flex flex-col gap-3 p-5 sm:flex-row sm:items-center sm:justify-between sm:gap-6">
        <div>
          <h2 id="hand-over" tabIndex={-1} className="font-medium outline-none">
            Hand the server over
          </h2>
          <p className="mt-0.5 text-13 text-ink-2">Somebody else becomes its owner once they accept. Its credential ends then.</p>
        </div>
        <Button onClick={onHandOver}>Hand over…</Button>
      </section>
    )
  }
  return (
    <section aria-labelledby="hand-over" className="tint-info">
      <OutgoingTransfer
        transfer={offered}
        title={
          <h2 id="hand-over" tabIndex={-1} className="flex items-center gap-2 font-medium outline-none">
            <ArrowRightLeft size={16} className="text-info" aria-hidden="true" />
            On offer
          </h2>
        }
        onGone={() => focusOnceGone(() => document.getElementById('hand-over'))}
      />
    </section>
  )
}
