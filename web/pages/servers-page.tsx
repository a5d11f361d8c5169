import { type QueryClient, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { Suspense } from 'react'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { PeakPlaceholder } from '#web/features/history/peak-placeholder.tsx'
import { issuesOfUserOptions } from '#web/features/protection/protection.api.ts'
import { managedGroups } from '#web/features/servers/managed/managed-groups.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { SummaryStrip } from '#web/features/servers/summary-strip.tsx'
import { meOptions } from '#web/features/session/session.api.ts'
import { useFirstPageShown } from '#web/lib/use-first-page-shown.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { AfterFirstPage } from '#web/ui/after-first-page.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'

const FirstServer = lazyComponent(() => import('#web/features/servers/first-server.tsx').then((module) => module.FirstServer))

// Lazy, because it is below everything else and mostly empty.
const DeletedServers = lazyComponent(
  () => import('#web/features/servers/deleted-servers.tsx').then((module) => module.DeletedServers),
  () => null,
)

// Lazy, because the first page has a byte budget. It loads beside the data.
const ServerList = lazyComponent(() => import('#web/features/servers/list/server-list.tsx').then((module) => module.ServerList))

const AnswerLines = lazyComponent(
  () => import('#web/features/notifications/answer-lines.tsx').then((module) => module.AnswerLines),
  () => null,
)

/** Loads the lines above the list with the page. Arriving later, they would move the list. Without them, the page still works. */
export async function loadServersPage(client: QueryClient, userId: string): Promise<void> {
  const [list, issues] = await Promise.all([
    client.ensureQueryData(serverListOptions),
    client.ensureQueryData(issuesOfUserOptions(userId)).catch(() => []),
    ServerList.preload(),
  ])
  if (list.incoming_transfers.length > 0 || issues.length > 0) await AnswerLines.preload()
  if (list.owned.length === 0) await FirstServer.preload()
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

const peakPlaceholder = () => <PeakPlaceholder />
const peakOf = (players: number) => (
  <Suspense fallback={<PeakPlaceholder />}>
    <DayPeak current={players} />
  </Suspense>
)

const GRAPH_PLACEHOLDER = <span className="h-4 w-24 max-w-full" />
const graphPlaceholderOf = () => GRAPH_PLACEHOLDER
const graphOf = ({ public_id }: Server) => (
  <Suspense fallback={GRAPH_PLACEHOLDER}>
    <Sparkline id={public_id} />
  </Suspense>
)

export function ServersPage() {
  const { data: list } = useSuspenseQuery(serverListOptions)
  const { data: me } = useSuspenseQuery(meOptions)
  const { data: issues = [] } = useQuery(issuesOfUserOptions(me.id))
  const shown = useFirstPageShown()
  useTitle(m.nav_servers())
  const { owned } = list
  const managed = managedGroups(me.recieved_managements, list.management)
  const all = [...owned, ...list.management]
  const max = me.max_masterlist_tokens
  return (
    <>
      <PageHeader
        title={m.nav_servers()}
        beside={
          // Two lines on a phone, so that the button stays beside it.
          <span className="text-13 text-ink-3 tabular-nums max-sm:max-w-24 max-sm:leading-4">
            {list.management.length > 0
              ? m.servers_page_count_managed({ count: owned.length, max, managed: list.management.length })
              : m.servers_page_count({ count: owned.length, max })}
          </span>
        }
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
      <div className="card mb-3 overflow-hidden empty:hidden max-sm:-mt-2">
        {(list.incoming_transfers.length > 0 || issues.length > 0) && (
          <Suspense>
            <AnswerLines transfers={list.incoming_transfers} issues={issues} />
          </Suspense>
        )}
      </div>
      {all.length > 0 && <SummaryStrip servers={all} peak={shown ? peakOf : peakPlaceholder} />}
      {(owned.length > 0 || managed.length > 0) && (
        <Suspense>
          <ServerList servers={owned} managed={managed} graphOf={shown ? graphOf : graphPlaceholderOf} pinned={list.pinned} />
        </Suspense>
      )}
      {owned.length === 0 && (
        <div className={managed.length > 0 ? 'mt-8' : undefined}>
          <Suspense>
            <FirstServer />
          </Suspense>
        </div>
      )}
      <AfterFirstPage>
        <DeletedServers />
      </AfterFirstPage>
    </>
  )
}
