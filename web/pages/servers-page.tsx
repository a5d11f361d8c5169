import { type QueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { Suspense } from 'react'
import type { Server } from '#contract/servers.ts'
import { m } from '#messages'
import { PeakPlaceholder } from '#web/features/history/peak-placeholder.tsx'
import { preloadOpenIssues, UserOpenIssues } from '#web/features/protection/user-open-issues.tsx'
import { FirstServer } from '#web/features/servers/first-server.tsx'
import { managedGroups } from '#web/features/servers/managed/managed-groups.ts'
import { ServerList } from '#web/features/servers/server-list.tsx'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { SummaryStrip } from '#web/features/servers/summary-strip.tsx'
import { meOptions } from '#web/features/session/session.api.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

// Lazy, because incoming transfers are rare.
const IncomingTransfers = lazyComponent(() =>
  import('#web/features/transfers/incoming-transfers.tsx').then((module) => module.IncomingTransfers),
)

// Lazy, because it is below everything else and mostly empty.
const DeletedServers = lazyComponent(
  () => import('#web/features/servers/deleted-servers.tsx').then((module) => module.DeletedServers),
  () => null,
)

/** Loads the banners with the page. Arriving later, they would move the list below them. */
export async function loadServersPage(client: QueryClient, userId: string): Promise<void> {
  const [list] = await Promise.all([client.ensureQueryData(serverListOptions), preloadOpenIssues(client, userId)])
  if (list.incoming_transfers.length > 0) await IncomingTransfers.preload()
}

/** The page doesn't wait for these, and works without them. */
const Sparkline = lazyComponent(
  () => import('#web/features/history/last-day.tsx').then((module) => module.Sparkline),
  () => null,
)
const DayPeak = lazyComponent(
  () => import('#web/features/history/last-day.tsx').then((module) => module.DayPeak),
  () => '–',
)

const peakOf = (players: number) => (
  <Suspense fallback={<PeakPlaceholder />}>
    <DayPeak current={players} />
  </Suspense>
)

const graphOf = ({ public_id, status }: Server) =>
  status !== 'never_seen' && (
    <Suspense fallback={<span className="h-4 w-24" />}>
      <Sparkline id={public_id} />
    </Suspense>
  )

/** The search text is in the URL. */
export function ServersPage() {
  const { data: list } = useSuspenseQuery(serverListOptions)
  const { data: me } = useSuspenseQuery(meOptions)
  const { q = '' } = useSearch({ strict: false })
  const navigate = useNavigate()
  useTitle(m.nav_servers())
  const { owned } = list
  const managed = managedGroups(me.recieved_managements, list.management)
  const max = me.max_masterlist_tokens
  return (
    <>
      <PageHeader
        title={m.nav_servers()}
        beside={<span className="text-13 text-ink-3 tabular-nums">{m.servers_page_count({ count: owned.length, max })}</span>}
        action={
          owned.length > 0 &&
          (owned.length < max ? (
            <Link to="/servers/new" className={buttonClass('primary')}>
              <Plus size={16} aria-hidden="true" />
              {m.nav_new_server()}
            </Link>
          ) : (
            <span className="text-13 text-ink-3">{m.servers_page_limit({ max })}</span>
          ))
        }
      />
      {list.incoming_transfers.length > 0 && (
        <Suspense fallback={<Skeleton className="mb-6 h-38" />}>
          <IncomingTransfers transfers={list.incoming_transfers} />
        </Suspense>
      )}
      <UserOpenIssues userId={me.id} />
      {owned.length > 0 && <SummaryStrip servers={owned} peak={peakOf} />}
      {(owned.length > 0 || managed.length > 0) && (
        <ServerList
          servers={owned}
          managed={managed}
          graphOf={graphOf}
          query={q}
          onSearch={(text) => void navigate({ to: '.', search: text === '' ? {} : { q: text }, replace: true, resetScroll: false })}
        />
      )}
      {owned.length === 0 && (
        <div className={managed.length > 0 ? 'mt-8' : undefined}>
          <FirstServer />
        </div>
      )}
      <Suspense>
        <DeletedServers />
      </Suspense>
    </>
  )
}
