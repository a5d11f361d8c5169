import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch, type ErrorComponentProps } from '@tanstack/react-router'
import { useState, useEffect } from 'react'
import { BIN_DAYS } from '#contract/servers/bin-days.ts'
import type { Server, ManagedServer } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { newOwnerOptions } from '#web/features/activity/new-owner.ts'
import { ServerOpenIssues } from '#web/features/protection/open-issues-note.tsx'
import { Danger } from '#web/features/servers/danger.tsx'
import { TransferSection } from '#web/features/transfers/outgoing-transfer.tsx'
import { TransferDialog } from '#web/features/transfers/transfer-dialog.tsx'
import { OwnServerUnavailable, ManagedServerUnavailable } from '#web/features/servers/server-unavailable.tsx'
import { DeleteDialog, ReissueDialog, ResetAddressDialog } from '#web/features/servers/server-dialogs.tsx'
import { identityOf } from '#web/features/servers/server-header.tsx'
import { restoreServer } from '#web/features/servers/server-mutations.ts'
import { SERVER_TABS, MANAGED_TABS } from '#web/features/servers/server-tabs.ts'
import {
  deletedServersOptions,
  removeServerFromCache,
  serverListOptions,
  serverOptions,
  managedServerOptions,
} from '#web/features/servers/servers.api.ts'
import { issueIdOf, openReasons } from '#web/features/servers/status.ts'
import { ServerAlerts } from '#web/features/webhooks/server-alerts.tsx'
import { isStatus } from '#web/lib/http/call.ts'
import '#web/ui/mono.css'
import { useIsPhone } from '#web/lib/use-media.ts'
import { ConnectTab } from '#web/features/servers/connect/connect-tab.tsx'
import { ActivityTab } from '#web/features/activity/activity-list.tsx'
import { ListingTab } from '#web/features/servers/listing/listing-tab.tsx'
import { PermissionChips } from '#web/features/servers/managed/permission-chips.tsx'
import { StopManagingDialog } from '#web/features/managers/stop-managing-dialog.tsx'
import { Avatar } from '#web/features/session/avatar.tsx'
import { meOptions } from '#web/features/session/session.api.ts'
import { ErrorPage } from '#web/shell/error-page.tsx'
import { Button } from '#web/ui/button.tsx'
import { BackLink } from '#web/ui/page-header.tsx'
import { toastUndo } from '#web/ui/toast.ts'
import { ServerNextSteps } from './new-server-page.tsx'
import { ServerFrame } from './server-frame.tsx'

type DialogName = 'reissue' | 'reset' | 'transfer' | 'delete'

/** The last known server. `isUnavailable`: it is missing from the user's servers, or its request returned 404. */
function useOwnServer(id: string) {
  const client = useQueryClient()
  const { data: list, dataUpdatedAt: listFetchedAt } = useQuery(serverListOptions)
  const fetchedAt = client.getQueryState(serverOptions(id).queryKey)?.dataUpdatedAt ?? 0
  const isMissing = list !== undefined && listFetchedAt > fetchedAt && list.owned.every(({ public_id }) => public_id !== id)
  const { data, error } = useQuery({ ...serverOptions(id), enabled: !isMissing })
  const [lastServer, setLastServer] = useState(data)
  if (data && data !== lastServer) setLastServer(data)
  return {
    server: data ?? (lastServer?.public_id === id ? lastServer : undefined),
    error,
    isUnavailable: isMissing || isStatus(error, 404),
  }
}

export function ServerPage() {
  const { server_id } = useParams({ from: '/member/servers/$server_id' })
  const { server, error, isUnavailable } = useOwnServer(server_id)
  // The route loader has fetched the server, so it is only missing after an error.
  if (server === undefined) {
    if (error) throw error
    return null
  }
  return <OwnServer key={server.public_id} server={server} isUnavailable={isUnavailable} />
}

function OwnServer({ server, isUnavailable }: { server: Server; isUnavailable: boolean }) {
  const { tab = 'overview' } = useSearch({ from: '/member/servers/$server_id' })
  const [dialog, setDialog] = useState<DialogName>()
  const isPhone = useIsPhone()
  // The note omits issues that are already shown as a reason for not being listed: all on the overview, the first on other tabs.
  const shownReasons = tab === 'overview' ? server.listing.reasons : server.listing.reasons.slice(0, 1)
  const { data: newOwner } = useQuery({ ...newOwnerOptions(server.public_id), enabled: isUnavailable })
  // The delete dialog stays open until the deletion is done.
  if (isUnavailable && dialog !== 'delete') return <OwnServerUnavailable server={server} newOwner={newOwner} />
  return (
    <>
      <ServerFrame
        server={server}
        back="/servers"
        crumbs={<BackLink to="/servers">{m.nav_servers()}</BackLink>}
        identity={identityOf(server)}
        answers={
          <ServerOpenIssues
            server={server}
            except={shownReasons.map(issueIdOf)}
            saysNone={isPhone && tab === 'overview' && server.listing.listed && openReasons(server).length === 0}
          />
        }
        aside={<ServerAlerts server={server} />}
        tabs={SERVER_TABS}
        tab={tab}
        onOpenDialog={setDialog}
      >
        {tab === 'listing' && <ListingTab server={server} />}
        {tab === 'connect' && (
          <ConnectTab server={server} nextSteps={<ServerNextSteps server={server} />} onReissue={() => setDialog('reissue')} />
        )}
        {tab === 'activity' && <ActivityTab id={server.public_id} />}
        {tab === 'danger' && (
          <Danger onDelete={() => setDialog('delete')}>
            <TransferSection server={server} onTransfer={() => setDialog('transfer')} />
          </Danger>
        )}
      </ServerFrame>
      <OpenDialog name={dialog} server={server} onClose={() => setDialog(undefined)} />
    </>
  )
}

function OpenDialog({ name, server, onClose }: { name: DialogName | undefined; server: Server; onClose: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const onDeleted = async () => {
    const restore = () => restoreServer(client, server.public_id)
    toastUndo(m.server_page_deleted(), m.server_page_deleted_restorable({ server: server.name, count: BIN_DAYS }), restore, {
      done: [m.servers_bin_restored({ server: server.name }), m.servers_bin_restored_hint()],
    })
    await navigate({ to: '/servers' })
    removeServerFromCache(client, server.public_id)
    await client.invalidateQueries({ queryKey: deletedServersOptions.queryKey })
  }
  if (name === 'reissue') return <ReissueDialog server={server} onClose={onClose} />
  if (name === 'reset') return <ResetAddressDialog server={server} onClose={onClose} />
  if (name === 'transfer') return <TransferDialog server={server} onClose={onClose} />
  if (name === 'delete') return <DeleteDialog server={server} onDeleted={() => void onDeleted()} onClose={onClose} />
  return null
}

type ManagedDialogName = 'reissue' | 'reset' | 'stop'

const MANAGED_ROUTE = '/member/management/$user_id/servers/$server_id'

/** The backend answers 404 if the user does not manage the server. */
export function ManagedServerPage() {
  const { user_id, server_id } = useParams({ from: MANAGED_ROUTE })
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
  const { tab = 'overview' } = useSearch({ from: MANAGED_ROUTE })
  const [dialog, setDialog] = useState<ManagedDialogName>()
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
      <OpenManagedDialog name={dialog} server={server} onStopping={onStopping} onClose={() => setDialog(undefined)} />
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

interface OpenManagedDialogProps {
  name: ManagedDialogName | undefined
  server: ManagedServer
  onStopping: (isStopping: boolean) => void
  onClose: () => void
}

function OpenManagedDialog({ name, server, onStopping, onClose }: OpenManagedDialogProps) {
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
