import { Link } from '@tanstack/react-router'
import { EyeOff, TriangleAlert } from 'lucide-react'
import { m } from '#messages'
import { AppealLink } from '#web/features/about/appeal-link.tsx'
import { exactTime, durationText, useNow } from '#web/lib/time.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { isAdminServer, hasPermission, type ShownServer } from './access.ts'
import { useAddressPolicy } from './endpoint/address-policy.tsx'
import { AddressStep, isAddressCode } from './endpoint/address-step.tsx'
import { issueIdOf, openReasons, reasonText } from './status.ts'

interface WhyNotListedProps {
  server: ShownServer
  /** One line, for tabs other than the overview. */
  isCompact: boolean
  onSelect: (tab: 'overview' | 'listing' | 'announces' | 'connect') => void
  onOpenDialog: (dialog: 'reissue' | 'reset') => void
}

/** Why the server is not listed, or what is wrong with a listed one, and what to do about it. */
export function WhyNotListed({ server, isCompact, ...actions }: WhyNotListedProps) {
  const { banned, listing } = server
  const { listed } = listing
  const reasons = openReasons(server)
  const [first] = reasons
  if (listed && first === undefined) return null
  const title = listed ? m.servers_why_warning_title() : m.servers_why_title()
  const Icon = listed ? TriangleAlert : EyeOff
  if (isCompact) {
    if (first === undefined) return null
    const notListed = reasons.length > 1 ? m.servers_why_not_listed_reasons({ count: reasons.length }) : m.servers_why_not_listed()
    const status = listed ? m.servers_why_warning() : notListed
    const text = reasonText(first, server)
    return (
      <section aria-label={title} className="mb-4 flex items-center gap-2.5 rounded-6 tint-warn px-3 py-1 text-13">
        <Icon size={15} className="shrink-0 text-warn" aria-hidden="true" />
        <p className="min-w-0 flex-1 truncate text-ink-2" title={text}>
          <span className="font-medium text-ink-1">{status}</span> · {text}
        </p>
        <button
          type="button"
          onClick={() => actions.onSelect('overview')}
          className="min-h-7 shrink-0 rounded-6 px-1.5 font-medium text-accent hover:underline pointer-coarse:min-h-11"
        >
          {m.servers_why_details()}
        </button>
      </section>
    )
  }
  return (
    <section aria-labelledby="why" className="mb-4 flex gap-3 rounded-10 border border-line tint-warn p-4">
      <Icon size={18} className="mt-0.5 shrink-0 text-warn" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <h2 id="why" tabIndex={-1} className="font-medium outline-none">
          {title}
        </h2>
        <ul className="mt-1 space-y-1 text-ink-2">
          {reasons.map((reason) => (
            <li key={reason.code} className="[overflow-wrap:anywhere]">
              {reasonText(reason, server)} <Duration since={reason.since} />
            </li>
          ))}
        </ul>
        {banned ? (
          <p className="mt-2 text-ink-2">
            <RichText message={m.shell_banned_appeal} tags={{ address: () => <AppealLink /> }} />
          </p>
        ) : (
          <div className="mt-3 flex flex-wrap gap-2 empty:hidden">
            {reasons.map((reason) => (
              <AddressStep key={reason.code} server={server} reason={reason} onSelect={actions.onSelect} />
            ))}
            {!reasons.some(({ code }) => isAddressCode(code)) && <NextStep server={server} {...actions} />}
          </div>
        )}
      </div>
    </section>
  )
}

function Duration({ since }: { since: string }) {
  const now = useNow()
  return (
    <time dateTime={since} data-tip={exactTime(since)} className="rounded-6 text-12 whitespace-nowrap tabular-nums">
      {m.servers_why_duration({ duration: durationText(since, now) })}
    </time>
  )
}

/** Depends on the reasons and on the user's permissions. */
function NextStep({ server, onSelect, onOpenDialog }: Omit<WhyNotListedProps, 'isCompact'>) {
  const { owner, listing } = server
  const code = listing.reasons[0]?.code
  const issueId = listing.reasons.map(issueIdOf).find((id) => id !== undefined)
  if (issueId !== undefined) return <IssueLink server={server} issueId={issueId} />
  const canReissue = hasPermission(server, 'REISSUE_CREDENTIAL')
  // After a transfer, the server needs a credential first.
  if (server.credential_hint === '' && canReissue) {
    return (
      <Button variant="primary" onClick={() => onOpenDialog('reissue')}>
        {m.servers_credential_create()}
      </Button>
    )
  }
  const reissue = canReissue && <Button onClick={() => onOpenDialog('reissue')}>{m.servers_danger_reissue_button()}</Button>
  if (code === 'ADDRESS_MISMATCH' && server.bound_address !== null && hasPermission(server, 'RESET_ADDRESS')) {
    return (
      <>
        <MovedStep server={server} onReset={() => onOpenDialog('reset')} />
        {reissue}
      </>
    )
  }
  if (reissue && (code === 'CREDENTIAL_REVOKED' || code === 'CREDENTIAL_REISSUED')) return reissue
  if (server.status === 'never_seen' && !owner) {
    return (
      <Link to="/servers/new" search={{ server: server.public_id }} className={buttonClass('primary')}>
        {m.servers_why_setup()}
      </Link>
    )
  }
  if (!server.visible && hasPermission(server, 'EDIT_DETAILS'))
    return <Button onClick={() => onSelect('listing')}>{m.servers_why_listing()}</Button>
  return <Button onClick={() => onSelect('announces')}>{m.servers_why_announces()}</Button>
}

function MovedStep({ server, onReset }: { server: ShownServer; onReset: () => void }) {
  const { policy, save } = useAddressPolicy(server)
  return (
    <>
      <Button variant="primary" onClick={onReset}>
        {isAdminServer(server) ? m.servers_danger_reset_button() : m.servers_why_reset_moved()}
      </Button>
      {policy === 'bound' && <Button onClick={() => save('follow')}>{m.servers_why_follow()}</Button>}
    </>
  )
}

function IssueLink({ server, issueId: issue_id }: { server: ShownServer; issueId: string }) {
  const className = buttonClass('primary')
  if (isAdminServer(server)) {
    return (
      <Link to="/admin/protection-issues/$issue_id/users/$user_id" params={{ issue_id, user_id: server.user_id }} className={className}>
        {m.servers_why_issue()}
      </Link>
    )
  }
  // Managers can't open issues.
  if (server.owner) return null
  return (
    <Link to="/protection-issues/$issue_id" params={{ issue_id }} className={className}>
      {m.servers_why_issue()}
    </Link>
  )
}
