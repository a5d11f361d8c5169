import { Link } from '@tanstack/react-router'
import type { ManagedServer } from '#contract/servers.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { NoLonger } from '#web/features/servers/no-longer.tsx'

/** The end of a management. Without a server it had ended before the page was opened. */
export function NoLongerManaged({ server, ownerEnded = false }: { server?: ManagedServer; ownerEnded?: boolean }) {
  return (
    <NoLonger
      title={server ? 'You no longer manage this server' : 'You don’t manage this server'}
      serverId={server?.public_id}
      actions={
        <Link to="/servers" className={buttonClass('primary')}>
          To your servers
        </Link>
      }
    >
      {server === undefined && 'Its owner has not let you manage it, or has ended it, or the server is gone.'}
      {server !== undefined && (
        <>
          {ownerEnded
            ? `You manage nothing for ${server.owner.discord.username} any more.`
            : `${server.name} is gone, or has another owner now.`}{' '}
          Nothing else of yours has changed.
        </>
      )}
    </NoLonger>
  )
}
