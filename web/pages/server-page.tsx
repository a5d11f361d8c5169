import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { Server } from '#contract/servers.ts'
import { ServerHistoryCard } from '#web/features/history/server-history.tsx'
import { ServerFindings } from '#web/features/protection/server-findings.tsx'
import { AnnouncesTab } from '#web/features/servers/announces-tab.tsx'
import { Danger, ReissueAct } from '#web/features/servers/danger.tsx'
import { HandOver } from '#web/features/transfers/outgoing-transfer.tsx'
import { HandOverDialog } from '#web/features/transfers/hand-over-dialog.tsx'
import { NoLongerYours } from '#web/features/servers/no-longer.tsx'
import { Overview } from '#web/features/servers/overview.tsx'
import { DeleteDialog, ReissueDialog, ResetAddressDialog } from '#web/features/servers/server-dialogs.tsx'
import { ServerHeader } from '#web/features/servers/server-header.tsx'
import { SERVER_TABS, type ServerTab } from '#web/features/servers/server-tabs.ts'
import { dropServer, serverListOptions, serverOptions, useOfferOf } from '#web/features/servers/servers.api.ts'
import { issueOf, statusMark } from '#web/features/servers/status.ts'
import { WhyNotListed } from '#web/features/servers/why-not-listed.tsx'
import '#web/ui/mono.css'
import { isStatus } from '#web/lib/http-error.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { toastSuccess } from '#web/ui/toast.ts'

const ActivityTab = lazyPart(() => import('#web/features/activity/activity-tab.tsx').then((part) => part.ActivityTab))
// The form brings its validation with it, which nothing else here needs.
const ListingTab = lazyPart(() => import('#web/features/servers/listing/listing-tab.tsx').then((part) => part.ListingTab))

type Asked = 'reissue' | 'reset' | 'hand-over' | 'delete'

/** The server as it was last known, and whether it has gone since: the list has it no more, or the backend says so. */
function useOwnServer(id: string) {
  const client = useQueryClient()
  const { data: list, dataUpdatedAt: listedAt } = useQuery(serverListOptions)
  const readAt = client.getQueryState(serverOptions(id).queryKey)?.dataUpdatedAt ?? 0
  const isUnlisted = list !== undefined && listedAt > readAt && list.owned.every(({ public_id }) => public_id !== id)
  // What is known to be gone is not asked for once more.
  const { data, error } = useQuery({ ...serverOptions(id), enabled: !isUnlisted })
  const [known, setKnown] = useState(data)
  if (data && data !== known) setKnown(data)
  return { server: data ?? (known?.public_id === id ? known : undefined), error, isGone: isUnlisted || isStatus(error, 404) }
}

/** One server of one's own. */
export function ServerPage() {
  const { server_id } = useParams({ from: '/member/servers/$server_id' })
  const { server, error, isGone } = useOwnServer(server_id)
  // The route has read it before the page is entered.
  if (server === undefined) {
    if (error) throw error
    return null
  }
  return <OwnServer server={server} isGone={isGone} />
}

function OwnServer({ server, isGone }: { server: Server; isGone: boolean }) {
  const { tab = 'overview' } = useSearch({ from: '/member/servers/$server_id' })
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Asked>()
  useTitle(`${statusMark(server)} ${server.name}`)
  const select = (key: ServerTab) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, tab: key === 'overview' ? undefined : key }), resetScroll: false })
  // Of what keeps the server off the list the overview says all, any other part the first.
  const said = tab === 'overview' ? server.listing.reasons : server.listing.reasons.slice(0, 1)
  const offer = useOfferOf(server.public_id)
  // The last one before it went: the offer goes with the server.
  const [lastOffer, setLastOffer] = useState(offer)
  if (!isGone && offer !== lastOffer) setLastOffer(offer)
  // Who deletes it sees his own dialog to its end.
  if (isGone && asked !== 'delete') return <NoLongerYours server={server} offer={lastOffer} />
  return (
    <>
      <ServerHeader server={server} />
      <WhyNotListed server={server} brief={tab !== 'overview'} onSelect={select} onAsk={setAsked} />
      <ServerFindings server={server} except={said.map(issueOf)} />
      <Tabs label="Parts of the server" tabs={SERVER_TABS} current={tab} onSelect={select}>
        {tab === 'overview' && (
          <Overview
            server={server}
            history={<ServerHistoryCard key={server.public_id} id={server.public_id} isNew={server.status === 'never_seen'} />}
            onAsk={setAsked}
          />
        )}
        {tab === 'listing' && (
          <Suspense fallback={<Skeleton className="h-96" />}>
            <ListingTab key={server.public_id} server={server} />
          </Suspense>
        )}
        {tab === 'announces' && <AnnouncesTab id={server.public_id} />}
        {tab === 'activity' && (
          <Suspense fallback={<Skeleton className="h-72" />}>
            <ActivityTab id={server.public_id} />
          </Suspense>
        )}
        {tab === 'danger' && (
          <Danger server={server} onAsk={setAsked}>
            <ReissueAct server={server} onReissue={() => setAsked('reissue')} />
            <HandOver server={server} onHandOver={() => setAsked('hand-over')} />
          </Danger>
        )}
      </Tabs>
      <AskedDialog asked={asked} server={server} onClose={() => setAsked(undefined)} />
    </>
  )
}

function AskedDialog({ asked, server, onClose }: { asked: Asked | undefined; server: Server; onClose: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const deleted = async () => {
    toastSuccess('Server deleted', server.name)
    await navigate({ to: '/servers' })
    dropServer(client, server.public_id)
  }
  if (asked === 'reissue') return <ReissueDialog server={server} onClose={onClose} />
  if (asked === 'reset') return <ResetAddressDialog server={server} onClose={onClose} />
  if (asked === 'hand-over') return <HandOverDialog server={server} onClose={onClose} />
  if (asked === 'delete') return <DeleteDialog server={server} onDeleted={() => void deleted()} onClose={onClose} />
  return null
}
