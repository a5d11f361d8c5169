import { useNavigate } from '@tanstack/react-router'
import { ArrowRightLeft, TriangleAlert } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { ServerTransfer } from '#contract/transfers.ts'
import { Avatar } from '#web/features/session/avatar.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { AcceptDialog } from './accept-dialog.tsx'
import { Lapses } from './lapses.tsx'
import { useEndOffer } from './transfers.api.ts'
import { useHandedOnFocus } from './use-handed-on-focus.ts'

interface IncomingTransferProps {
  transfer: ServerTransfer
  /** The card goes with its buttons, and with the focus: whoever shows it says where that goes. */
  onGone: () => void
}

/** A server that somebody offers: from whom, what it would change, and what stands in the way. */
export function IncomingTransfer({ transfer, onGone }: IncomingTransferProps) {
  const [asked, setAsked] = useState<'accept' | 'decline'>()
  const navigate = useNavigate()
  const obstaclesId = useId()
  const { token, obstacles, issues } = transfer
  const close = () => setAsked(undefined)
  const card = useHandedOnFocus<HTMLElement>(onGone)
  return (
    <article ref={card} aria-label={`Offer: ${token.name}`} className="card border-l-2 border-l-accent p-4 sm:p-5">
      <div className="flex flex-col gap-4 sm:flex-row sm:items-start sm:justify-between sm:gap-6">
        <Offer transfer={transfer} />
        <div className="flex shrink-0 gap-2 max-sm:*:flex-1">
          <Button onClick={() => setAsked('decline')} aria-label={`Decline ${token.name}`}>
            Decline…
          </Button>
          <AcceptButton name={token.name} blockedBy={obstacles.length > 0 ? obstaclesId : undefined} onAccept={() => setAsked('accept')} />
        </div>
      </div>
      {obstacles.length > 0 && (
        <Obstacles id={obstaclesId}>
          {obstacles.map(({ code, message }) => (
            <li key={code}>{message}</li>
          ))}
        </Obstacles>
      )}
      {issues.length > 0 && <CarriedIssues issues={issues} />}
      {asked === 'accept' && (
        <AcceptDialog
          transfer={transfer}
          // The server's page says what is to be done next.
          onAccepted={() => void navigate({ to: '/servers/$server_id', params: { server_id: token.public_id } })}
          onClose={close}
        />
      )}
      {asked === 'decline' && <DeclineDialog transfer={transfer} onClose={close} />}
    </article>
  )
}

function Offer({ transfer: { token, from_user, created_at, expires_at } }: { transfer: ServerTransfer }) {
  return (
    <div className="flex min-w-0 gap-3">
      <ArrowRightLeft size={18} className="mt-0.5 shrink-0 text-accent" aria-hidden="true" />
      <div className="min-w-0">
        <h3 className="font-medium [overflow-wrap:anywhere]">{token.name}</h3>
        <p className="mt-1 flex items-center gap-1.5 text-13 text-ink-2">
          <Avatar person={from_user.discord} size={24} />
          <span className="min-w-0 break-words">
            <strong className="font-semibold text-ink-1">{from_user.discord.username}</strong> offers you this server
          </span>
        </p>
        <p className="mt-1 text-12 text-ink-3">
          <TimeAgo at={created_at} />, <Lapses at={expires_at} />
        </p>
      </div>
    </div>
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
    <div className="mt-4 flex gap-2.5 rounded-6 tint-warn px-3 py-2.5 text-13">
      <TriangleAlert size={16} className="mt-0.5 shrink-0 text-warn" aria-hidden="true" />
      <div className="min-w-0">
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
      </div>
    </div>
  )
}

function DeclineDialog({ transfer, onClose }: { transfer: ServerTransfer; onClose: () => void }) {
  const decline = useEndOffer('The offer was not declined')
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

/** Blocked, it can still be reached, and says why. */
function AcceptButton({ name, blockedBy, onAccept }: { name: string; blockedBy: string | undefined; onAccept: () => void }) {
  const blocked = blockedBy !== undefined
  return (
    <button
      type="button"
      aria-label={`Accept ${name}`}
      aria-disabled={blocked || undefined}
      aria-describedby={blockedBy}
      onClick={blocked ? undefined : onAccept}
      className={buttonClass(blocked ? 'secondary' : 'primary', blocked ? 'cursor-not-allowed opacity-60' : undefined)}
    >
      Accept…
    </button>
  )
}

function Obstacles({ id, children }: { id: string; children: ReactNode }) {
  return (
    <div id={id} className="mt-4 flex gap-2.5 rounded-6 tint-warn px-3 py-2.5 text-13">
      <TriangleAlert size={16} className="mt-0.5 shrink-0 text-warn" aria-hidden="true" />
      <div className="min-w-0">
        <p className="font-medium">You can’t accept yet.</p>
        <ul className="mt-0.5 space-y-1 text-ink-2">{children}</ul>
      </div>
    </div>
  )
}
