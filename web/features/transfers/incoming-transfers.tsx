import { useNavigate } from '@tanstack/react-router'
import { ArrowRightLeft } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { ServerTransfer } from '#contract/transfers.ts'
import { focusAfterRemoval } from '#web/lib/focus.ts'
import { MutationDialog } from '#web/ui/mutation-dialog.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { WarnNote } from '#web/ui/note.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { TransferDetails, useFocusedRemoval } from './transfer-details.tsx'
import { useAcceptTransfer, useCancelTransfer } from './transfers.api.ts'

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
            onGone={() => focusAfterRemoval(() => title.current ?? document.querySelector<HTMLElement>('h1[tabindex]'))}
          />
        ))}
      </div>
    </section>
  )
}

/** A server that is offered to the user. @param onGone the card went while it had the focus. */
export function IncomingTransfer({ transfer, onGone }: { transfer: ServerTransfer; onGone: () => void }) {
  const [asked, setAsked] = useState<'accept' | 'decline'>()
  const obstaclesId = useId()
  const { token, from_user, obstacles, issues } = transfer
  const isBlocked = obstacles.length > 0
  const close = () => setAsked(undefined)
  const card = useFocusedRemoval<HTMLElement>(onGone)
  return (
    <article ref={card} aria-label={`Offer: ${token.name}`} className="card border-l-2 border-l-accent p-4 sm:p-5">
      <div className="flex flex-col gap-4 sm:flex-row sm:items-start sm:justify-between sm:gap-6">
        <div className="flex min-w-0 gap-3">
          <ArrowRightLeft size={18} className="mt-0.5 shrink-0 text-accent" aria-hidden="true" />
          <div className="min-w-0">
            <h3 className="font-medium [overflow-wrap:anywhere]">{token.name}</h3>
            <TransferDetails transfer={transfer} person={from_user}>
              <strong className="font-semibold text-ink-1">{from_user.discord.username}</strong> offers you this server
            </TransferDetails>
          </div>
        </div>
        <div className="flex shrink-0 gap-2 max-sm:*:flex-1">
          <Button onClick={() => setAsked('decline')} aria-label={`Decline ${token.name}`}>
            Decline…
          </Button>
          {/* Blocked, it can still be reached, and says why. */}
          <button
            type="button"
            aria-label={`Accept ${token.name}`}
            aria-disabled={isBlocked || undefined}
            aria-describedby={isBlocked ? obstaclesId : undefined}
            onClick={isBlocked ? undefined : () => setAsked('accept')}
            className={isBlocked ? buttonClass('secondary', 'cursor-not-allowed opacity-60') : buttonClass('primary')}
          >
            Accept…
          </button>
        </div>
      </div>
      {isBlocked && (
        <WarnNote className="mt-4">
          <div id={obstaclesId}>
            <p className="font-medium">You can’t accept yet.</p>
            <ul className="mt-0.5 space-y-1 text-ink-2">
              {obstacles.map(({ code, message }) => (
                <li key={code}>{message}</li>
              ))}
            </ul>
          </div>
        </WarnNote>
      )}
      {issues.length > 0 && <CarriedIssues issues={issues} />}
      {asked === 'accept' && <AcceptDialog transfer={transfer} onClose={close} />}
      {asked === 'decline' && <DeclineDialog transfer={transfer} onClose={close} />}
    </article>
  )
}

const CONSEQUENCE_WORDS = {
  NOTICE: '',
  UNRANKED: 'It is ranked below other servers.',
  UNLISTED: 'It is kept off the public list.',
} as const

/** What the list holds against the server, and what its new owner takes over with it. */
function CarriedIssues({ issues }: Pick<ServerTransfer, 'issues'>) {
  return (
    <WarnNote className="mt-4">
      <p className="font-medium">
        {issues.length === 1 ? 'An open issue comes with this server' : `${issues.length} open issues come with this server`}
      </p>
      <ul className="mt-0.5 space-y-1 text-ink-2">
        {issues.map((issue) => (
          <li key={`${issue.kind} ${issue.summary}`} className="[overflow-wrap:anywhere]">
            {issue.summary} {CONSEQUENCE_WORDS[issue.consequence]} First seen <TimeAgo at={issue.first_seen_at} />.
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
      title={`Accept ${token.name}?`}
      confirm="Accept the server"
      mutation={accept}
      onConfirm={async () => {
        await accept.mutateAsync(transfer)
        toastSuccess('The server is yours', token.name)
        // The server's page says what to do next.
        void navigate({ to: '/servers/$server_id', params: { server_id: token.public_id } })
      }}
      onClose={onClose}
    >
      <p>
        It moves from {from_user.discord.username} to you, with its id and its listing. What happened before stays with{' '}
        {from_user.discord.username}.
      </p>
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
  const decline = useCancelTransfer('The offer was not declined')
  return (
    <ConfirmDialog
      title={`Decline ${transfer.token.name}?`}
      confirm="Decline"
      busy={false}
      onConfirm={() => {
        onClose()
        decline.mutate(transfer)
      }}
      onClose={onClose}
    >
      <p>It stays with {transfer.from_user.discord.username}, who sees that you declined. A new offer can be made at any time.</p>
    </ConfirmDialog>
  )
}
