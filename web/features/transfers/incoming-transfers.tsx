import { useRef } from 'react'
import type { ServerTransfer } from '#contract/transfers.ts'
import { focusOnceGone } from '#web/lib/focus.ts'
import { IncomingTransfer } from './incoming-transfer.tsx'

/** What is offered to one, over one's servers: it waits for an answer. */
export function IncomingTransfers({ transfers }: { transfers: readonly ServerTransfer[] }) {
  const title = useRef<HTMLHeadingElement>(null)
  return (
    <section aria-labelledby="offered" className="mb-6">
      <h2 id="offered" ref={title} tabIndex={-1} className="mb-2 text-13 font-medium text-ink-2 outline-none">
        {transfers.length === 1 ? 'A server is offered to you' : `${transfers.length} servers are offered to you`}
      </h2>
      <div className="space-y-3">
        {transfers.map((transfer) => (
          <IncomingTransfer
            key={transfer.id}
            transfer={transfer}
            // With the last one this part of the page goes too.
            onGone={() => focusOnceGone(() => title.current ?? document.querySelector<HTMLElement>('h1[tabindex]'))}
          />
        ))}
      </div>
    </section>
  )
}
