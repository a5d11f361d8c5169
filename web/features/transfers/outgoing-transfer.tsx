import { ArrowRightLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Server } from '#contract/servers/servers.ts'
import type { ServerTransfer } from '#contract/servers/transfers.ts'
import { m } from '#messages'
import { DangerAction } from '#web/features/servers/danger.tsx'
import { useOutgoingTransfer } from '#web/features/servers/servers.api.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmButton } from '#web/ui/dialog/confirm-dialog.tsx'
import { ImageTile } from '#web/ui/image-tile.tsx'
import { TransferDetails } from './transfer-details.tsx'
import { useCancelTransfer } from './transfers.api.ts'

interface OutgoingTransferProps {
  transfer: ServerTransfer
  /** By default the server's name. */
  title?: ReactNode
}

export function OutgoingTransfer({ transfer, title }: OutgoingTransferProps) {
  const cancel = useCancelTransfer()
  const { token, to_user } = transfer
  return (
    <div className="flex flex-col gap-4 px-5 py-4 sm:flex-row sm:items-center sm:justify-between sm:gap-6">
      <div className="flex min-w-0 gap-3">
        <ImageTile id={token.public_id} name={token.name} url={token.icon_url} className="size-9" />
        <div className="min-w-0">
          {title ?? <h3 className="font-medium [overflow-wrap:anywhere]">{token.name}</h3>}
          <TransferDetails transfer={transfer} user={to_user} message={m.transfers_waiting} />
        </div>
      </div>
      <ConfirmButton
        trigger={
          <Button className="shrink-0" aria-label={m.transfers_cancel_named({ server: token.name })}>
            {m.transfers_cancel()}
          </Button>
        }
        title={m.transfers_cancel_title({ server: token.name })}
        confirm={m.transfers_cancel_confirm()}
        cancel={m.transfers_cancel_keep()}
        mutation={cancel}
        onConfirm={() => cancel.mutateAsync(transfer)}
      >
        <p>{m.transfers_cancel_hint({ user: to_user.discord.username })}</p>
      </ConfirmButton>
    </div>
  )
}

export function TransferSection({ server, onTransfer }: { server: Server; onTransfer: () => void }) {
  const transfer = useOutgoingTransfer(server.public_id)
  if (!transfer) {
    return (
      <DangerAction id="transfer" title={m.transfers_section()} action={<Button onClick={onTransfer}>{m.transfers_section_open()}</Button>}>
        {m.transfers_section_hint()}
      </DangerAction>
    )
  }
  return (
    <section aria-labelledby="transfer" className="tint-info">
      <OutgoingTransfer
        transfer={transfer}
        title={
          <h2 id="transfer" tabIndex={-1} className="flex items-center gap-2 font-medium outline-none">
            <ArrowRightLeft size={16} className="text-info" aria-hidden="true" />
            {m.transfers_pending()}
          </h2>
        }
      />
    </section>
  )
}
