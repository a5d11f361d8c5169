import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ErrorComponentProps, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { ManagedServer } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { PermissionChips } from '#web/features/servers/managed/permission-chips.tsx'
import { ManagedServerUnavailable } from '#web/features/servers/server-unavailable.tsx'
import { ReissueDialog, ResetAddressDialog } from '#web/features/servers/server-dialogs.tsx'
import { identityOf } from '#web/features/servers/server-header.tsx'
import { MANAGED_TABS } from '#web/features/servers/server-tabs.ts'
import { managedServerOptions, serverListOptions } from '#web/features/servers/servers.api.ts'
import { StopManagingDialog } from '#web/features/managers/stop-managing-dialog.tsx'
import { Avatar } from '#web/features/session/avatar.tsx'
import { meOptions } from '#web/features/session/session.api.ts'
import { isStatus } from '#web/lib/http/call.ts'
import '#web/ui/mono.css'
import { ErrorPage } from '#web/shell/error-page.tsx'
import { Button } from '#web/ui/button.tsx'
import { BackLink } from '#web/ui/page-header.tsx'
import { ServerFrame } from './server-frame.tsx'
import { ConnectTab } from '#web/features/servers/connect/connect-tab.tsx'
import { ListingTab } from '#web/features/servers/listing/listing-tab.tsx'

type DialogName = 'reissue' | 'reset' | 'stop'

const ROUTE = '/member/management/$user_id/servers/$server_id'

/** The backend answers 404 if the user does not manage the server. */
export function ManagedServerPage() {
  const { user_id, server_id } = useParams({ from: ROUTE })
  // The page stays visible while the user stops managing its server, but no longer reloads it.
  const [stoppingId, setStoppingId] = useState<string>()
  const { data: server, error } = useQuery({ ...managedServerOptions(user_id, server_id), enabled: stoppingId !== server_id })
  if (server === undefined) return isStatus(error, 404) ? <ManagedServerUnavailable /> : null
  if (isStatus(error, 404) && stoppingId !== server.public_id) return <GrantEnded server={server} />
  return (
    <ManagedServerView
      key={server.public_id}
      server={server}
      onStopping={(isStopping) => setStoppingId(isStopping ? server.public_id : undefined)}
    />
  )
}

export function ManagedServerError({ error }: ErrorComponentProps) {
  return isStatus(error, 404) ? <ManagedServerUnavailable /> : <ErrorPage error={error} />
}

function GrantEnded({ server }: { server: ManagedServer }) {
  const client = useQueryClient()
  const { data: me } = useSuspenseQuery(meOptions)
  useEffect(() => {
    // Without the event stream, `me` and the list are stale.
    for (const { queryKey } of [meOptions, serverListOptions]) void client.invalidateQueries({ queryKey }, { cancelRefetch: false })
  }, [client])
  return (
    <ManagedServerUnavailable server={server} wasRevoked={me.recieved_managements.every(({ owner_id }) => owner_id !== server.user_id)} />
  )
}

function ManagedServerView({ server, onStopping }: { server: ManagedServer; onStopping: (isStopping: boolean) => void }) {
  const { tab = 'overview' } = useSearch({ from: ROUTE })
  const [dialog, setDialog] = useState<DialogName>()
  return (
    <>
      <ServerFrame
        server={server}
        back="/servers"
        crumbs={<BackLink to="/servers">{m.nav_servers()}</BackLink>}
        identity={{ ...identityOf(server), note: <ManagedFor server={server} onStop={() => setDialog('stop')} /> }}
        tabs={MANAGED_TABS}
        tab={tab}
        onOpenDialog={setDialog}
      >
        {tab === 'listing' && <ListingTab server={server} />}
        {tab === 'connect' && <ConnectTab server={server} onReissue={() => setDialog('reissue')} />}
      </ServerFrame>
      <OpenDialog name={dialog} server={server} onStopping={onStopping} onClose={() => setDialog(undefined)} />
    </>
  )
}

function ManagedFor({ server: { owner, permissions }, onStop }: { server: ManagedServer; onStop: () => void }) {
  return (
    <div className="card mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 px-3.5 py-2 max-sm:mt-2 max-sm:gap-x-2 max-sm:gap-y-1 max-sm:rounded-none max-sm:border-0 max-sm:border-t max-sm:bg-transparent max-sm:px-0 max-sm:py-1.5">
      <span className="inline-flex min-w-0 flex-1 basis-0 items-center gap-1.5 text-ink-3">
        <span className="shrink-0">{m.managed_page_for()}</span>
        <Avatar user={owner.discord} size={20} />
        <span className="min-w-0 [overflow-wrap:anywhere] font-medium text-ink-1">{owner.discord.username}</span>
      </span>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5 text-12 text-ink-3 max-sm:order-last max-sm:w-full">
        <span aria-hidden="true">{m.servers_managed_permissions_yours()}</span>
        <PermissionChips permissions={permissions} />
      </div>
      <Button variant="quiet" className="-mr-2 max-sm:px-2" onClick={onStop}>
        {m.managed_page_stop()}
      </Button>
    </div>
  )
}

interface OpenDialogProps {
  name: DialogName | undefined
  server: ManagedServer
  onStopping: (isStopping: boolean) => void
  onClose: () => void
}

function OpenDialog({ name, server, onStopping, onClose }: OpenDialogProps) {
  const { data: me } = useSuspenseQuery(meOptions)
  const navigate = useNavigate()
  const current = me.recieved_managements.find((each) => each.owner_id === server.user_id)
  // The request removes the grant from `me` at once, but the dialog still needs it.
  const [grant, setGrant] = useState(current)
  if (current && current !== grant) setGrant(current)
  if (name === 'reissue') return <ReissueDialog server={server} onClose={onClose} />
  if (name === 'reset') return <ResetAddressDialog server={server} onClose={onClose} />
  if (name === 'stop' && grant) {
    return (
      <StopManagingDialog
        grant={grant}
        onStopping={onStopping}
        onStopped={() => navigate({ to: '/servers', ignoreBlocker: true })}
        onClose={onClose}
      />
    )
  }
  return null
}
