import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { ServerTransfer } from '#contract/servers/transfers.ts'
import { m } from '#messages'
import { MutationDialog } from '#web/ui/dialog/mutation-dialog.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { counted } from '#web/ui/count-text.ts'
import { ImageTile } from '#web/ui/image-tile.tsx'
import { WarnNote } from '#web/ui/note.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { TransferDetails } from './transfer-details.tsx'
import { useAcceptTransfer, useCancelTransfer } from './transfers.api.ts'

export function IncomingTransfer({ transfer }: { transfer: ServerTransfer }) {
  const [dialog, setDialog] = useState<'accept' | 'decline'>()
  const obstaclesId = useId()
  const { token, from_user, obstacles, issues } = transfer
  const isBlocked = obstacles.length > 0
  const close = () => setDialog(undefined)
  return (
    <article aria-label={m.transfers_request_label({ server: token.name })} className="card border-l-2 border-l-accent py-4 pr-5 pl-4.75">
      <div className="flex flex-col gap-4 sm:flex-row sm:items-start sm:justify-between sm:gap-6">
        <div className="flex min-w-0 gap-3">
          <ImageTile id={token.public_id} name={token.name} url={token.icon_url} className="size-9" />
          <div className="min-w-0">
            <h3 className="font-medium [overflow-wrap:anywhere]">{token.name}</h3>
            <TransferDetails transfer={transfer} user={from_user} message={m.transfers_request_from} />
          </div>
        </div>
        <div className="flex shrink-0 flex-wrap gap-2 max-sm:*:flex-1">
          <Button onClick={() => setDialog('decline')} aria-label={m.transfers_decline_named({ server: token.name })}>
            {m.transfers_decline()}
          </Button>
          {/* A blocked button stays focusable and describes the obstacles. In the inbox, it takes the focus of its item. */}
          <button
            type="button"
            data-item-focus
            aria-label={m.transfers_accept_named({ server: token.name })}
            aria-disabled={isBlocked || undefined}
            aria-describedby={isBlocked ? obstaclesId : undefined}
            onClick={isBlocked ? undefined : () => setDialog('accept')}
            className={isBlocked ? buttonClass('secondary', 'cursor-not-allowed opacity-60') : buttonClass('primary')}
          >
            {m.transfers_accept()}
          </button>
        </div>
      </div>
      {isBlocked && (
        <WarnNote className="mt-4">
          <div id={obstaclesId}>
            <p className="font-medium">{m.transfers_blocked()}</p>
            <ul className="mt-0.5 space-y-1 text-ink-2">
              {obstacles.map(({ code, message }) => (
                <li key={code}>{message}</li>
              ))}
            </ul>
          </div>
        </WarnNote>
      )}
      {issues.length > 0 && <TransferredIssues issues={issues} />}
      {dialog === 'accept' && <AcceptDialog transfer={transfer} onClose={close} />}
      {dialog === 'decline' && <DeclineDialog transfer={transfer} onClose={close} />}
    </article>
  )
}

const ISSUE_MESSAGES = {
  NOTICE: m.transfers_issue,
  UNRANKED: m.transfers_issue_unranked,
  UNLISTED: m.transfers_issue_unlisted,
} as const

/** Open protection issues that stay with the server after the transfer. */
function TransferredIssues({ issues }: Pick<ServerTransfer, 'issues'>) {
  return (
    <WarnNote className="mt-4">
      <p className="font-medium">{m.transfers_issues(counted(issues.length))}</p>
      <ul className="mt-0.5 space-y-1 text-ink-2">
        {issues.map(({ kind, summary, consequence, first_seen_at }) => (
          <li key={`${kind} ${summary}`} className="[overflow-wrap:anywhere]">
            <RichText message={ISSUE_MESSAGES[consequence]} inputs={{ summary }} tags={{ time: () => <TimeAgo at={first_seen_at} /> }} />
          </li>
        ))}
      </ul>
    </WarnNote>
  )
}

function AcceptDialog({ transfer, onClose }: { transfer: ServerTransfer; onClose: () => void }) {
  const accept = useAcceptTransfer()
  const navigate = useNavigate()
  const { token, from_user, effects } = transfer
  return (
    <MutationDialog
      title={m.transfers_accept_title({ server: token.name })}
      confirm={m.transfers_accept_confirm()}
      mutation={accept}
      onConfirm={async () => {
        await accept.mutateAsync(transfer)
        toastSuccess(m.transfers_accepted(), token.name)
        // The server's page shows the next step.
        void navigate({ to: '/servers/$server_id', params: { server_id: token.public_id } })
      }}
      onClose={onClose}
    >
      <p>{m.transfers_accept_hint({ user: from_user.discord.username })}</p>
      {effects.length > 0 && (
        <ul className="list-disc space-y-1 pl-5">
          {effects.map(({ code, message }) => (
            <li key={code}>{message}</li>
          ))}
        </ul>
      )}
    </MutationDialog>
  )
}

function DeclineDialog({ transfer, onClose }: { transfer: ServerTransfer; onClose: () => void }) {
  const decline = useCancelTransfer(m.transfers_decline_failed())
  return (
    <ConfirmDialog
      title={m.transfers_decline_title({ server: transfer.token.name })}
      confirm={m.transfers_decline_confirm()}
      onConfirm={() => {
        onClose()
        decline.mutate(transfer)
      }}
      onClose={onClose}
    >
      <p>{m.transfers_decline_hint({ user: transfer.from_user.discord.username })}</p>
    </ConfirmDialog>
  )
}
