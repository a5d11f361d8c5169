import { Link } from '@tanstack/react-router'
import type { Server } from '#contract/servers.ts'
import type { ServerTransfer } from '#contract/transfers.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { NoLonger } from './no-longer.tsx'

interface NoLongerYoursProps {
  server: Server
  /** Under which it went. */
  offer: ServerTransfer | undefined
}

/** The server went while its page was open: somebody accepted it, or it was deleted in another window. */
export function NoLongerYours({ server, offer }: NoLongerYoursProps) {
  return (
    <NoLonger
      title="This server is no longer yours"
      serverId={server.public_id}
      actions={
        <>
          <Link to="/settings/activity" className={buttonClass('secondary')}>
            See the activity
          </Link>
          <Link to="/servers" activeOptions={{ exact: true }} className={buttonClass('primary')}>
            To your servers
          </Link>
        </>
      }
    >
      {offer
        ? `${offer.to_user.discord.username} accepted ${server.name}. It is theirs now.`
        : `${server.name} has another owner now, or it was deleted. Your activity says which, and when.`}
    </NoLonger>
  )
}
