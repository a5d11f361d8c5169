import { ArrowRightLeft } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Server } from '#contract/servers.ts'
import type { ServerTransfer } from '#contract/transfers.ts'
import { DangerAction } from '#web/features/servers/danger.tsx'
import { useOutgoingTransfer } from '#web/features/servers/servers.api.ts'
import { focusAfterRemoval } from '#web/lib/focus.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { TransferDetails, useFocusedRemoval } from './transfer-details.tsx'
import { useCancelTransfer } from './transfers.api.ts'

interface OutgoingTransferProps {
  transfer: ServerTransfer
  /** Stands over the offer; left out, it is the server's name. */
  title?: ReactNode
  /** It went while it had the focus. */
  onGone: () => void
}

export function OutgoingTransfer({ transfer, title, onGone }: OutgoingTransferProps) {
  const [asked, setAsked] = useState(false)
  const takeBack = useCancelTransfer('The offer was not taken back')
  const { token, to_user } = transfer
  const close = () => setAsked(false)
  const row = useFocusedRemoval<HTMLDivElement>(onGone)
  return (
    <div ref={row} className="flex flex-col gap-4 px-5 py-4 sm:flex-row sm:items-center sm:justify-between sm:gap-6">
      <div className="min-w-0">
        {title ?? <h3 className="font-medium [overflow-wrap:anywhere]">{token.name}</h3>}
        <TransferDetails transfer={transfer} person={to_user}>
          offered to <strong className="font-semibold text-ink-1">{to_user.discord.username}</strong>
        </TransferDetails>
      </div>
      <Button className="shrink-0" onClick={() => setAsked(true)} aria-label={`Take back the offer of ${token.name}`}>
        Take back…
      </Button>
      {asked && (
        <ConfirmDialog
          title={`Take back the offer of ${token.name}?`}
          confirm="Take back"
          cancel="Keep the offer"
          busy={false}
          onConfirm={() => {
            close()
            takeBack.mutate(transfer)
          }}
          onClose={close}
        >
          <p>{to_user.discord.username} can no longer accept. The server stays yours as it is.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

export function TransferSection({ server, onTransfer }: { server: Server; onTransfer: () => void }) {
  const offered = useOutgoingTransfer(server.public_id)
  if (!offered) {
    return (
      <DangerAction id="transfer" title="Hand the server over" action={<Button onClick={onTransfer}>Hand over…</Button>}>
        Somebody else becomes its owner once they accept. Its credential ends then.
      </DangerAction>
    )
  }
  return (
    <section aria-labelledby="transfer" className="tint-info">
      <OutgoingTransfer
        transfer={offered}
        title={
          <h2 id="transfer" tabIndex={-1} className="flex items-center gap-2 font-medium outline-none">
            <ArrowRightLeft size={16} className="text-info" aria-hidden="true" />
            On offer
          </h2>
        }
        onGone={() => focusAfterRemoval(() => document.getElementById('transfer'))}
      />
    </section>
  )
}
