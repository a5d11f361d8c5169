import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { EyeOff } from 'lucide-react'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { exactTime, durationText, useNow } from '#web/lib/time.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { isAdminServer, hasPermission, type ShownServer } from './access.ts'
import { issueIdOf, reasonText } from './status.ts'

interface WhyNotListedProps {
  server: ShownServer
  /** The page is about something else: one line. */
  isCompact: boolean
  onSelect: (tab: 'overview' | 'listing' | 'announces') => void
  onOpenDialog: (dialog: 'reissue' | 'reset') => void
}

/** Why the server is not on the list, and what to do. Nothing while it is. */
export function WhyNotListed({ server, isCompact, onSelect, onOpenDialog }: WhyNotListedProps) {
  const { listed, reasons } = server.listing
  const [first] = reasons
  if (listed) return null
  const question = server.owner ? 'Why is it not listed?' : 'Why am I not listed?'
  if (isCompact) {
    return first && <InOneLine label={question} text={reasonText(first, server.banned_until)} onMore={() => onSelect('overview')} />
  }
  return (
    <section aria-labelledby="why" className="mb-6 flex gap-3 rounded-10 border border-line tint-warn p-4">
      <EyeOff size={18} className="mt-0.5 shrink-0 text-warn" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <h2 id="why" className="font-medium">
          {question}
        </h2>
        <ul className="mt-1 space-y-1 text-ink-2">
          {reasons.map((reason) => (
            <li key={reason.code} className="[overflow-wrap:anywhere]">
              {reasonText(reason, server.banned_until)} <Lasting since={reason.since} />
            </li>
          ))}
        </ul>
        {server.banned && <Appeal />}
        <div className="mt-3 flex flex-wrap gap-2 empty:hidden">
          <NextStep server={server} onSelect={onSelect} onOpenDialog={onOpenDialog} />
        </div>
      </div>
    </section>
  )
}

function InOneLine({ label, text, onMore }: { label: string; text: string; onMore: () => void }) {
  return (
    <section aria-label={label} className="mb-4 flex items-center gap-2.5 rounded-6 tint-warn px-3 py-1 text-13">
      <EyeOff size={15} className="shrink-0 text-warn" aria-hidden="true" />
      <p className="min-w-0 flex-1 truncate text-ink-2" title={text}>
        <span className="font-medium text-ink-1">Not listed</span> · {text}
      </p>
      <button
        type="button"
        onClick={onMore}
        className="min-h-7 shrink-0 rounded-6 px-1.5 font-medium text-accent hover:underline pointer-coarse:min-h-11"
      >
        What to do
      </button>
    </section>
  )
}

/** `For 21 s.` */
function Lasting({ since }: { since: string }) {
  const now = useNow()
  return (
    <time dateTime={since} data-tip={exactTime(since)} className="rounded-6 text-12 whitespace-nowrap tabular-nums">
      For {durationText(since, now)}.
    </time>
  )
}

function Appeal() {
  const { data: about } = useQuery(aboutOptions)
  if (about === undefined) return null
  return (
    <p className="mt-2 text-ink-2">
      If you think this is a mistake, write to{' '}
      <a href={`mailto:${about.ban_appeal_email}`} className="[overflow-wrap:anywhere] text-accent underline underline-offset-2">
        {about.ban_appeal_email}
      </a>
      .
    </p>
  )
}

/** By the first reason, and by what the user may do. */
function NextStep(props: Omit<WhyNotListedProps, 'isCompact'>) {
  const { banned, listing } = props.server
  const issueId = listing.reasons.map(issueIdOf).find((id) => id !== undefined)
  if (banned) return null
  return issueId === undefined ? <Step {...props} /> : <IssueLink server={props.server} issueId={issueId} />
}

function Step({ server, onSelect, onOpenDialog }: Omit<WhyNotListedProps, 'isCompact'>) {
  const { owner, listing } = server
  const code = listing.reasons[0]?.code
  const mayReissue = hasPermission(server, 'REISSUE_CREDENTIAL')
  // After a hand-over: without a credential nothing else helps.
  if (server.credential_hint === '' && mayReissue) {
    return (
      <Button look="primary" onClick={() => onOpenDialog('reissue')}>
        Make a credential…
      </Button>
    )
  }
  const reissue = mayReissue && <Button onClick={() => onOpenDialog('reissue')}>Reissue…</Button>
  if (code === 'ADDRESS_MISMATCH' && server.bound_address !== null && hasPermission(server, 'RESET_ADDRESS')) {
    const whose = owner ? 'That was us: reset the address' : 'That was me: reset the address'
    return (
      <>
        <Button look="primary" onClick={() => onOpenDialog('reset')}>
          {isAdminServer(server) ? 'Reset the address' : whose}
        </Button>
        {reissue}
      </>
    )
  }
  if (reissue && (code === 'CREDENTIAL_REVOKED' || code === 'CREDENTIAL_REISSUED')) return reissue
  if (server.status === 'never_seen' && !owner) {
    return (
      <Link to="/servers/new" search={{ server: server.public_id }} className={buttonClass('primary')}>
        Wait for its first announce
      </Link>
    )
  }
  if (!server.visible && hasPermission(server, 'EDIT_DETAILS')) return <Button onClick={() => onSelect('listing')}>Edit the listing</Button>
  return <Button onClick={() => onSelect('announces')}>See its announces</Button>
}

function IssueLink({ server, issueId: issue_id }: { server: ShownServer; issueId: string }) {
  const look = buttonClass('primary')
  const says = 'What was found, and what to do'
  if (isAdminServer(server)) {
    return (
      <Link to="/admin/protection-issues/$issue_id/users/$user_id" params={{ issue_id, user_id: server.user_id }} className={look}>
        {says}
      </Link>
    )
  }
  // A manager can't open it.
  if (server.owner) return null
  return (
    <Link to="/protection-issues/$issue_id" params={{ issue_id }} className={look}>
      {says}
    </Link>
  )
}
