import { ArrowRightLeft } from 'lucide-react'
import type { Server } from '#contract/servers.ts'
import { OutgoingTransfer } from './outgoing-transfer.tsx'
import { focusOnceGone } from '#web/lib/focus.ts'
import { Button } from '#web/ui/button.tsx'
import { DangerAct } from '#web/features/servers/danger.tsx'
import { useOfferOf } from '#web/features/servers/servers.api.ts'

/** Handing the server over; while it is on offer, the offer. */
export function HandOver({ server, onHandOver }: { server: Server; onHandOver: () => void }) {
  const offered = useOfferOf(server.public_id)
  if (!offered) {
    return (
      <DangerAct id="hand-over" title="Hand the server over" action={<Button onClick={onHandOver}>Hand over…</Button>}>
        Somebody else becomes its owner once they accept. Its credential ends then.
      </DangerAct>
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
