import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { BIN_DAYS } from '#contract/servers/bin-days.ts'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { newOwnerOptions } from '#web/features/activity/new-owner.ts'
import { ServerOpenIssues } from '#web/features/protection/open-issues-note.tsx'
import { Danger } from '#web/features/servers/danger.tsx'
import { TransferSection } from '#web/features/transfers/outgoing-transfer.tsx'
import { TransferDialog } from '#web/features/transfers/transfer-dialog.tsx'
import { OwnServerUnavailable } from '#web/features/servers/server-unavailable.tsx'
import { DeleteDialog, ReissueDialog, ResetAddressDialog } from '#web/features/servers/server-dialogs.tsx'
import { identityOf } from '#web/features/servers/server-header.tsx'
import { restoreServer } from '#web/features/servers/server-mutations.ts'
import { SERVER_TABS } from '#web/features/servers/server-tabs.ts'
import { deletedServersOptions, removeServerFromCache, serverListOptions, serverOptions } from '#web/features/servers/servers.api.ts'
import { issueIdOf } from '#web/features/servers/status.ts'
import { ServerAlerts } from '#web/features/webhooks/server-alerts.tsx'
import { isStatus } from '#web/lib/http/call.ts'
import '#web/ui/mono.css'
import { useIsPhone } from '#web/lib/use-is-phone.ts'
import { BackLink } from '#web/ui/page-header.tsx'
import { toastUndo } from '#web/ui/toast.ts'
import { ServerFrame } from './server-frame.tsx'
import { ConnectTab } from '#web/features/servers/connect/connect-tab.tsx'
import { ServerNextSteps } from './server-next-steps.tsx'
import { ActivityTab } from '#web/features/activity/activity-list.tsx'
import { ListingTab } from '#web/features/servers/listing/listing-tab.tsx'

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
  return <OwnServer server={server} isUnavailable={isUnavailable} />
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
        answers={<ServerOpenIssues server={server} except={shownReasons.map(issueIdOf)} saysNone={isPhone && tab === 'overview'} />}
        aside={<ServerAlerts server={server} />}
        tabs={SERVER_TABS}
        tab={tab}
        onOpenDialog={setDialog}
      >
        {tab === 'listing' && <ListingTab key={server.public_id} server={server} />}
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
    toastUndo(m.server_page_deleted(), m.server_page_deleted_restorable({ server: server.name, count: BIN_DAYS }), () =>
      restoreServer(client, server.public_id),
    )
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
