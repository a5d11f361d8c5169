import { Link } from '@tanstack/react-router'
import { DoorOpen } from 'lucide-react'
import type { ManagedServer } from '#contract/servers.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { buttonClass } from '#web/ui/button.tsx'

/** The end of a management: no error, only something to know. Without a server it had ended before the page was opened. */
export function NoLongerManaged({ server, ownerEnded = false }: { server?: ManagedServer; ownerEnded?: boolean }) {
  const title = server ? 'You no longer manage this server' : 'You don’t manage this server'
  useTitle(title)
  return (
    <div role="status" className="flex min-h-[60dvh] flex-col items-center justify-center py-12 text-center">
      <span className="inline-flex size-12 items-center justify-center rounded-full bg-surface-2 text-ink-2">
        <DoorOpen size={22} aria-hidden="true" />
      </span>
      <h1 tabIndex={-1} className="mt-5 text-20 font-semibold tracking-[-0.01em] text-balance outline-none">
        {title}
      </h1>
      <p className="mt-2 max-w-md [overflow-wrap:anywhere] text-pretty text-ink-2">
        {server === undefined && 'Its owner has not let you manage it, or has ended it, or the server is gone.'}
        {server !== undefined && (
          <>
            {ownerEnded ? `${server.owner.discord.username} has ended it.` : `${server.name} is gone, or has another owner now.`} Nothing
            else of yours has changed.
          </>
        )}
      </p>
      <Link to="/servers" className={buttonClass('primary', 'mt-6')}>
        To your servers
      </Link>
    </div>
  )
}
