import { Link } from '@tanstack/react-router'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { isAdministered, may, type ShownServer } from './access.ts'
import { issueOf } from './held-back.ts'

interface NextStepProps {
  server: ShownServer
  onSelect: (tab: 'listing' | 'announces') => void
  onAsk: (dialog: 'reissue' | 'reset') => void
}

/** What to do about not being listed, by the first reason and by what the user may do. */
export function NextStep(props: NextStepProps) {
  const { server } = props
  if (server.banned) return null
  const held = server.listing.reasons.map(issueOf).find((id) => id !== undefined)
  if (held === undefined) return <Step {...props} />
  // A manager can't open an issue.
  return isAdministered(server) || !server.owner ? <SeeIssue server={server} issueId={held} /> : null
}

function Step({ server, onSelect, onAsk }: NextStepProps) {
  const reissue = may(server, 'REISSUE_CREDENTIAL') && <Button onClick={() => onAsk('reissue')}>Reissue…</Button>
  const code = server.listing.reasons[0]?.code
  // After a hand-over: without a credential nothing else helps.
  if (server.credential_hint === '' && may(server, 'REISSUE_CREDENTIAL')) {
    return (
      <Button look="primary" onClick={() => onAsk('reissue')}>
        Make a credential…
      </Button>
    )
  }
  if (code === 'ADDRESS_MISMATCH' && server.bound_address !== null && may(server, 'RESET_ADDRESS')) {
    return (
      <>
        <Button look="primary" onClick={() => onAsk('reset')}>
          {isAdministered(server)
            ? 'Reset the address'
            : server.owner
              ? 'That was us: reset the address'
              : 'That was me: reset the address'}
        </Button>
        {reissue}
      </>
    )
  }
  if ((code === 'CREDENTIAL_REVOKED' || code === 'CREDENTIAL_REISSUED') && reissue) return reissue
  if (server.status === 'never_seen' && !server.owner) {
    return (
      <Link to="/servers/new" search={{ server: server.public_id }} className={buttonClass('primary')}>
        Wait for its first announce
      </Link>
    )
  }
  if (!server.visible && may(server, 'EDIT_DETAILS')) return <Button onClick={() => onSelect('listing')}>Edit the listing</Button>
  return <Button onClick={() => onSelect('announces')}>See its announces</Button>
}

function SeeIssue({ server, issueId: issue_id }: { server: ShownServer; issueId: string }) {
  const look = buttonClass('primary')
  const says = 'What was found, and what to do'
  if (isAdministered(server)) {
    return (
      <Link to="/admin/protection-issues/$issue_id/users/$user_id" params={{ issue_id, user_id: server.user_id }} className={look}>
        {says}
      </Link>
    )
  }
  return (
    <Link to="/protection-issues/$issue_id" params={{ issue_id }} className={look}>
      {says}
    </Link>
  )
}
