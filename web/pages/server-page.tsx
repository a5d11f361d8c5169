import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Server } from '#contract/servers.ts'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { AnnouncesTab } from '#web/features/servers/announces-tab.tsx'
import { Danger } from '#web/features/servers/danger.tsx'
import { DeleteDialog } from '#web/features/servers/delete-dialog.tsx'
import { Flags } from '#web/features/servers/flags.tsx'
import { Overview } from '#web/features/servers/overview.tsx'
import { ReissueDialog } from '#web/features/servers/reissue-dialog.tsx'
import { ResetAddressDialog } from '#web/features/servers/reset-address-dialog.tsx'
import { SERVER_TABS, type ServerTab } from '#web/features/servers/server-tabs.ts'
import { dropServer, serverOptions } from '#web/features/servers/servers.api.ts'
import { statusMark, statusOf } from '#web/features/servers/status.ts'
import { StatusPill } from '#web/features/servers/status-pill.tsx'
import { WhyNotListed, WhyNotListedBriefly } from '#web/features/servers/why-not-listed.tsx'
import '#web/ui/mono.css'
import { useTitle } from '#web/lib/use-title.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { toastSuccess } from '#web/ui/toast.ts'

// The form brings its validation with it, which nothing else here needs.
const ListingTab = lazy(() => import('#web/features/servers/listing-tab.tsx').then((part) => ({ default: part.ListingTab })))

type Asked = 'reissue' | 'reset' | 'delete'

/** One server of one's own. */
export function ServerPage() {
  const { server_id } = useParams({ from: '/member/servers/$server_id' })
  const { tab = 'overview' } = useSearch({ from: '/member/servers/$server_id' })
  const { data: server } = useSuspenseQuery(serverOptions(server_id))
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Asked>()
  useTitle(`${statusMark(server)} ${server.name}`)
  const select = (key: ServerTab) => void navigate({ to: '.', search: key === 'overview' ? {} : { tab: key }, resetScroll: false })
  return (
    <>
      <ServerHeader server={server} />
      {tab === 'overview' ? (
        <WhyNotListed server={server} action={<NextStep server={server} onSelect={select} onAsk={setAsked} />} />
      ) : (
        <WhyNotListedBriefly server={server} onMore={() => select('overview')} />
      )}
      <Tabs label="Parts of the server" tabs={SERVER_TABS} current={tab} onSelect={select}>
        {tab === 'overview' && <Overview server={server} onReissue={() => setAsked('reissue')} onReset={() => setAsked('reset')} />}
        {tab === 'listing' && (
          <Suspense fallback={<Skeleton className="h-96" />}>
            <ListingTab key={server.public_id} server={server} />
          </Suspense>
        )}
        {tab === 'announces' && <AnnouncesTab id={server.public_id} />}
        {tab === 'danger' && (
          <Danger
            server={server}
            onReset={() => setAsked('reset')}
            onReissue={() => setAsked('reissue')}
            onDelete={() => setAsked('delete')}
          />
        )}
      </Tabs>
      <AskedDialog asked={asked} server={server} onClose={() => setAsked(undefined)} />
    </>
  )
}

function ServerHeader({ server }: { server: Server }) {
  const status = statusOf(server)
  return (
    <PageHeader
      above={
        <Link
          to="/servers"
          activeOptions={{ exact: true }}
          className="-ml-1 inline-flex min-h-6 items-center gap-1 rounded-6 pr-1 hover:text-ink-1"
        >
          <ChevronLeft size={14} aria-hidden="true" />
          Servers
        </Link>
      }
      title={server.name}
      beside={
        <span className="inline-flex items-center gap-2">
          <StatusPill server={server} />
          <Flags server={server} />
        </span>
      }
      below={
        <span className="inline-flex items-center gap-1">
          <span className="font-mono text-ink-2">{server.public_id}</span>
          <CopyButton text={server.public_id} label="Copy the server id" />
          {status.key === 'online' && <span className="text-ink-3">On the list, players see it</span>}
        </span>
      }
    />
  )
}

interface NextStepProps {
  server: Server
  onSelect: (tab: ServerTab) => void
  onAsk: (dialog: Asked) => void
}

/** What to do about not being listed, by the reason that comes first. */
function NextStep({ server, onSelect, onAsk }: NextStepProps) {
  if (server.banned) return null
  const reissue = <Button onClick={() => onAsk('reissue')}>Reissue…</Button>
  const code = server.listing.reasons[0]?.code
  if (code === 'ADDRESS_MISMATCH' && server.bound_address !== null) {
    return (
      <>
        <Button look="primary" onClick={() => onAsk('reset')}>
          That was me: reset the address
        </Button>
        {reissue}
      </>
    )
  }
  if (code === 'CREDENTIAL_REVOKED' || code === 'CREDENTIAL_REISSUED') return reissue
  if (server.status === 'never_seen') {
    return (
      <Link to="/servers/new" search={{ server: server.public_id }} className={buttonClass('primary')}>
        Wait for its first announce
      </Link>
    )
  }
  if (!server.visible) return <Button onClick={() => onSelect('listing')}>Edit the listing</Button>
  return <Button onClick={() => onSelect('announces')}>See its announces</Button>
}

function AskedDialog({ asked, server, onClose }: { asked: Asked | undefined; server: Server; onClose: () => void }) {
  const { data: about } = useSuspenseQuery(aboutOptions)
  const client = useQueryClient()
  const navigate = useNavigate()
  const deleted = async () => {
    toastSuccess('Server deleted', server.name)
    await navigate({ to: '/servers' })
    dropServer(client, server.public_id)
  }
  if (asked === 'reissue') return <ReissueDialog server={server} masterlist={about.masterlist_url} onClose={onClose} />
  if (asked === 'reset') return <ResetAddressDialog server={server} onClose={onClose} />
  if (asked === 'delete') return <DeleteDialog server={server} onDeleted={() => void deleted()} onClose={onClose} />
  return null
}
