import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import type { ServerTransfer } from '#contract/servers/transfers.ts'
import { m } from '#messages'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { counted } from '#web/ui/count-text.ts'
import { ConfirmButton } from '#web/ui/dialog/confirm-dialog.tsx'
import { ImageTile } from '#web/ui/image-tile.tsx'
import { WarnNote } from '#web/ui/states.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { TransferDetails } from './transfer-details.tsx'
import { useAcceptTransfer, useCancelTransfer } from './transfers.api.ts'

export function IncomingTransfer({ transfer }: { transfer: ServerTransfer }) {
  const obstaclesId = useId()
  const { token, from_user, obstacles, issues } = transfer
  const decline = useCancelTransfer()
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
          <ConfirmButton
            trigger={<Button aria-label={m.transfers_decline_named({ server: token.name })}>{m.transfers_decline()}</Button>}
            title={m.transfers_decline_title({ server: token.name })}
            confirm={m.transfers_decline_confirm()}
            mutation={decline}
            onConfirm={() => decline.mutateAsync(transfer)}
          >
            <p>{m.transfers_decline_hint({ user: from_user.discord.username })}</p>
          </ConfirmButton>
          <AcceptTransfer transfer={transfer} obstaclesId={obstaclesId} />
        </div>
      </div>
      {obstacles.length > 0 && (
        <Warning id={obstaclesId} title={m.transfers_blocked()}>
          {obstacles.map(({ code, message }) => (
            <li key={code}>{message}</li>
          ))}
        </Warning>
      )}
      {/* Those that stay with the server. */}
      {issues.length > 0 && (
        <Warning title={m.transfers_issues(counted(issues.length))}>
          {issues.map(({ kind, summary, consequence, first_seen_at }) => (
            <li key={`${kind} ${summary}`} className="[overflow-wrap:anywhere]">
              <RichText message={ISSUE_MESSAGES[consequence]} inputs={{ summary }} tags={{ time: () => <TimeAgo at={first_seen_at} /> }} />
            </li>
          ))}
        </Warning>
      )}
    </article>
  )
}

const ISSUE_MESSAGES = {
  NOTICE: m.transfers_issue,
  UNRANKED: m.transfers_issue_unranked,
  UNLISTED: m.transfers_issue_unlisted,
} as const

function Warning({ id, title, children }: { id?: string; title: string; children: ReactNode }) {
  return (
    <WarnNote className="mt-4">
      <div id={id}>
        <p className="font-medium">{title}</p>
        <ul className="mt-0.5 space-y-1 text-ink-2">{children}</ul>
      </div>
    </WarnNote>
  )
}

/** A blocked button stays focusable and describes the obstacles. In the inbox, it takes the focus of its item. */
function AcceptTransfer({ transfer, obstaclesId }: { transfer: ServerTransfer; obstaclesId: string }) {
  const accept = useAcceptTransfer()
  const navigate = useNavigate()
  const { token, from_user, effects, obstacles } = transfer
  const label = m.transfers_accept_named({ server: token.name })
  if (obstacles.length > 0) {
    return (
      <button
        type="button"
        data-item-focus
        aria-label={label}
        aria-disabled
        aria-describedby={obstaclesId}
        className={buttonClass('secondary', 'cursor-not-allowed opacity-60')}
      >
        {m.transfers_accept()}
      </button>
    )
  }
  return (
    <ConfirmButton
      trigger={
        <Button data-item-focus variant="primary" aria-label={label}>
          {m.transfers_accept()}
        </Button>
      }
      title={m.transfers_accept_title({ server: token.name })}
      confirm={m.transfers_accept_confirm()}
      mutation={accept}
      onConfirm={async () => {
        await accept.mutateAsync(transfer)
        toastSuccess(m.transfers_accepted(), token.name)
        // The server's page shows the next step.
        await navigate({ to: '/servers/$server_id', params: { server_id: token.public_id } })
      }}
    >
      <p>{m.transfers_accept_hint({ user: from_user.discord.username })}</p>
      {effects.length > 0 && (
        <ul className="list-disc space-y-1 pl-5">
          {effects.map(({ code, message }) => (
            <li key={code}>{message}</li>
          ))}
        </ul>
      )}
    </ConfirmButton>
  )
}
