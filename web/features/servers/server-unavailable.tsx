import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { DoorOpen } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { ManagedServer, Server } from '#contract/servers.ts'
import type { ServerTransfer } from '#contract/transfers.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { deleteDraft, readDraft } from '#web/lib/drafts.ts'
import { useRecoverFocus } from '#web/lib/use-recover-focus.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { buttonClass } from '#web/ui/button.tsx'

interface ServerUnavailableProps {
  title: string
  /** Whose page was open, maybe with a form in it. */
  serverId?: string | undefined
  actions: ReactNode
  children: ReactNode
}

/** Stands in place of a server's page that the user may not see (any more). It is no error. */
export function ServerUnavailable({ title, serverId, actions, children }: ServerUnavailableProps) {
  const heading = useRecoverFocus<HTMLHeadingElement>()
  const isUnsaved = useLostDraft(serverId)
  useTitle(title)
  return (
    <div role="status" className="flex min-h-[60dvh] flex-col items-center justify-center py-12 text-center">
      <span className="inline-flex size-12 items-center justify-center rounded-full bg-surface-2 text-ink-2">
        <DoorOpen size={22} aria-hidden="true" />
      </span>
      <h1 ref={heading} tabIndex={-1} className="mt-5 text-20 font-semibold tracking-[-0.01em] text-balance outline-none">
        {title}
      </h1>
      <p className="mt-2 max-w-md [overflow-wrap:anywhere] text-pretty text-ink-2">
        {children}
        {isUnsaved && ' What you had typed was not saved.'}
      </p>
      <div className="mt-6 flex flex-wrap justify-center gap-2">{actions}</div>
    </div>
  )
}

function useLostDraft(serverId: string | undefined): boolean {
  const { data: me } = useSuspenseQuery(meOptions)
  const key = serverId === undefined ? undefined : `${me.id}.listing.${serverId}`
  const [isThere] = useState(() => key !== undefined && readDraft(key) !== undefined)
  useEffect(() => {
    if (key !== undefined) deleteDraft(key)
  }, [key])
  return isThere
}

/** An own server went while its page was open. @param offer that it went under, if any. */
export function OwnServerUnavailable({ server, offer }: { server: Server; offer: ServerTransfer | undefined }) {
  return (
    <ServerUnavailable
      title="This server is no longer yours"
      serverId={server.public_id}
      actions={
        <>
          <Link to="/settings/activity" className={buttonClass('secondary')}>
            See the activity
          </Link>
          <ToYourServers />
        </>
      }
    >
      {offer
        ? `${offer.to_user.discord.username} accepted ${server.name}. It is theirs now.`
        : `${server.name} has another owner now, or it was deleted. Your activity says which, and when.`}
    </ServerUnavailable>
  )
}

/** The end of a management. Without a server it had ended before the page was opened. */
export function ManagedServerUnavailable({ server, ownerEnded = false }: { server?: ManagedServer; ownerEnded?: boolean }) {
  if (server === undefined) {
    return (
      <ServerUnavailable title="You don’t manage this server" actions={<ToYourServers />}>
        Its owner has not let you manage it, or has ended it, or the server is gone.
      </ServerUnavailable>
    )
  }
  return (
    <ServerUnavailable title="You no longer manage this server" serverId={server.public_id} actions={<ToYourServers />}>
      {ownerEnded
        ? `You manage nothing for ${server.owner.discord.username} any more.`
        : `${server.name} is gone, or has another owner now.`}{' '}
      Nothing else of yours has changed.
    </ServerUnavailable>
  )
}

function ToYourServers() {
  return (
    <Link to="/servers" activeOptions={{ exact: true }} className={buttonClass('primary')}>
      To your servers
    </Link>
  )
}
