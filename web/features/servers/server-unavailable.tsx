import { Link } from '@tanstack/react-router'
import { DoorOpen } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { ManagedServer, Server } from '#contract/servers/servers.ts'
import type { PublicUser } from '#contract/users/users.ts'
import { m } from '#messages'
import { useDraftKey } from '#web/features/session/session.api.ts'
import { deleteDraft, readDraft } from '#web/lib/drafts.ts'
import { takeLostFocus } from '#web/lib/recover-focus.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { buttonClass } from '#web/ui/button.tsx'

interface ServerUnavailableProps {
  title: string
  /** The server whose page was open. Its unsaved draft is deleted. */
  serverId?: string | undefined
  actions: ReactNode
  children: ReactNode
}

/** Replaces the page of a server that was deleted, or that the user may no longer see. */
export function ServerUnavailable({ title, serverId, actions, children }: ServerUnavailableProps) {
  const hadDraft = useDeleteDraft(serverId)
  useTitle(title)
  return (
    <div role="status" className="flex min-h-[60dvh] flex-col items-center justify-center py-12 text-center">
      <span className="inline-flex size-12 items-center justify-center rounded-full bg-surface-2 text-ink-2">
        <DoorOpen size={22} aria-hidden="true" />
      </span>
      <h1 ref={takeLostFocus} tabIndex={-1} className="mt-5 text-20 font-semibold tracking-[-0.01em] text-balance outline-none">
        {title}
      </h1>
      <p className="mt-2 max-w-md [overflow-wrap:anywhere] text-pretty text-ink-2">
        {children}
        {hadDraft && ` ${m.servers_unavailable_unsaved()}`}
      </p>
      <div className="mt-6 flex flex-wrap justify-center gap-2">{actions}</div>
    </div>
  )
}

/** Deletes the draft of the listing. Returns whether there was one. */
function useDeleteDraft(serverId = ''): boolean {
  const key = useDraftKey(`listing.${serverId}`)
  const [hadDraft] = useState(() => readDraft(key) !== undefined)
  useEffect(() => deleteDraft(key), [key])
  return hadDraft
}

/** For one of the user's servers that was deleted or transferred while its page was open. @param newOwner if known. */
export function OwnServerUnavailable({ server, newOwner }: { server: Server; newOwner: PublicUser | undefined }) {
  return (
    <ServerUnavailable
      title={m.servers_unavailable_own_title()}
      serverId={server.public_id}
      actions={
        <>
          <Link to="/settings/activity" className={buttonClass('secondary')}>
            {m.servers_unavailable_activity()}
          </Link>
          <BackToServers />
        </>
      }
    >
      {newOwner
        ? m.servers_unavailable_transferred({ user: newOwner.discord.username, server: server.name })
        : m.servers_unavailable_own({ server: server.name })}
    </ServerUnavailable>
  )
}

/** For a server that the user does not manage. `server` is missing if its page was never open. */
export function ManagedServerUnavailable({ server, wasRevoked = false }: { server?: ManagedServer; wasRevoked?: boolean }) {
  if (server === undefined) {
    return (
      <ServerUnavailable title={m.servers_unavailable_managed_never_title()} actions={<BackToServers />}>
        {m.servers_unavailable_managed_never()}
      </ServerUnavailable>
    )
  }
  return (
    <ServerUnavailable title={m.servers_unavailable_managed_title()} serverId={server.public_id} actions={<BackToServers />}>
      {wasRevoked
        ? m.servers_unavailable_managed_ended({ owner: server.owner.discord.username })
        : m.servers_unavailable_managed({ server: server.name })}
    </ServerUnavailable>
  )
}

function BackToServers() {
  return (
    <Link to="/servers" activeOptions={{ exact: true }} className={buttonClass('primary')}>
      {m.servers_unavailable_back()}
    </Link>
  )
}
