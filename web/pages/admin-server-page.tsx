import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { AdminServer } from '#contract/servers-admin.ts'
import { ServerHistoryCard } from '#web/features/history/server-history.tsx'
import { BanServerDialog, UnbanServerDialog } from '#web/features/servers/admin/ban-servers.tsx'
import { type AdminAct, AdminServerDanger, titleOfAct } from '#web/features/servers/admin/admin-server-danger.tsx'
import { AdminServerHeader } from '#web/features/servers/admin/admin-server-header.tsx'
import { ADMIN_SERVER_TABS, type AdminServerTab } from '#web/features/servers/server-tabs.ts'
import { dropAdministered } from '#web/features/servers/admin/admin-server-acts.ts'
import { adminServerOptions } from '#web/features/servers/servers.api.ts'
import { AnnouncesTab } from '#web/features/servers/announces-tab.tsx'
import { NoLonger } from '#web/features/servers/no-longer.tsx'
import { Overview } from '#web/features/servers/overview.tsx'
import { DeleteDialog, ResetAddressDialog } from '#web/features/servers/server-dialogs.tsx'
import { statusMark } from '#web/features/servers/status.ts'
import { WhyNotListed } from '#web/features/servers/why-not-listed.tsx'
import '#web/ui/mono.css'
import { focusOnceGone } from '#web/lib/focus.ts'
import { isStatus } from '#web/lib/http-error.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { toastSuccess } from '#web/ui/toast.ts'

// The form brings its validation with it, which nothing else here needs.
const Listing = lazyPart(() => import('#web/features/servers/admin/admin-server-listing.tsx').then((part) => part.AdminServerListing))
const AuditPart = lazyPart(() => import('#web/features/activity/audit/audit-part.tsx').then((part) => part.AuditPart))
const ServerIssues = lazyPart(() => import('#web/features/protection/queue/server-issues.tsx').then((part) => part.ServerIssues))

const ROUTE = '/member/admin/servers/$server_id'

/** One server as an administrator sees it, whosever it is. */
export function AdminServerPage() {
  const { server_id } = useParams({ from: ROUTE })
  const { data: server, error } = useQuery(adminServerOptions(server_id))
  const [deleting, setDeleting] = useState(false)
  // The route has read it before the page is entered.
  if (server === undefined) {
    if (error) throw error
    return null
  }
  // Who deletes it sees his own dialog to its end.
  if (isStatus(error, 404) && !deleting) return <Gone server={server} />
  return <Administered key={server.public_id} server={server} onDeleting={setDeleting} />
}

function Gone({ server }: { server: AdminServer }) {
  const navigate = useNavigate()
  return (
    <NoLonger
      title={`${server.name} is gone`}
      serverId={server.public_id}
      actions={
        <Button look="primary" onClick={() => void navigate({ to: '/admin/servers' })}>
          To all servers
        </Button>
      }
    >
      The server was deleted meanwhile. What happened to it stays in the audit log.
    </NoLonger>
  )
}

function Administered({ server, onDeleting }: { server: AdminServer; onDeleting: (deleting: boolean) => void }) {
  const { tab = 'overview' } = useSearch({ from: ROUTE })
  const navigate = useNavigate()
  const [asked, setAsked] = useState<AdminAct>()
  useTitle(`${statusMark(server)} ${server.name}`)
  const select = (key: AdminServerTab) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, tab: key === 'overview' ? undefined : key }), resetScroll: false })
  const ask = (act: AdminAct | undefined) => {
    onDeleting(act === 'delete')
    setAsked(act)
  }
  const tabs = ADMIN_SERVER_TABS.map((each) =>
    each.key === 'protection' && server.open_issues > 0
      ? { ...each, label: <Counted label={each.label} count={server.open_issues} /> }
      : each,
  )
  return (
    <>
      <AdminServerHeader server={server} onAsk={ask} />
      {!server.banned && <WhyNotListed server={server} brief={tab !== 'overview'} onSelect={select} onAsk={() => ask('reset')} />}
      <Tabs label="Parts of the server" tabs={tabs} current={tab} onSelect={select}>
        <Part server={server} tab={tab} onAsk={ask} />
      </Tabs>
      <AskedDialog
        asked={asked}
        server={server}
        onClose={() => {
          ask(undefined)
          // What was pressed may go, or rest, with what it was for.
          focusOnceGone(() => titleOfAct(asked) ?? document.querySelector<HTMLElement>('h1[tabindex]'))
        }}
      />
    </>
  )
}

function Counted({ label, count }: { label: string; count: number }) {
  return (
    <>
      {label}{' '}
      <span className="ml-1 rounded-full tint-warn px-1.5 text-12 text-warn tabular-nums">
        {count}
        <span className="sr-only"> open</span>
      </span>
    </>
  )
}

function Part({ server, tab, onAsk }: { server: AdminServer; tab: AdminServerTab; onAsk: (act: AdminAct) => void }) {
  const { public_id: id } = server
  if (tab === 'overview') {
    const history = <ServerHistoryCard id={id} isNew={server.status === 'never_seen'} asAdmin />
    return <Overview server={server} history={history} onAsk={() => onAsk('reset')} />
  }
  if (tab === 'announces') return <AnnouncesTab id={id} asAdmin />
  if (tab === 'danger') return <AdminServerDanger server={server} onAsk={onAsk} />
  return (
    <Suspense fallback={<Skeleton className="h-96" />}>
      {tab === 'listing' && <Listing server={server} />}
      {tab === 'activity' && <AuditPart targetId={id} onServer />}
      {tab === 'protection' && <ServerIssues serverId={id} />}
    </Suspense>
  )
}

function AskedDialog({ asked, server, onClose }: { asked: AdminAct | undefined; server: AdminServer; onClose: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const deleted = async () => {
    toastSuccess('Server deleted', server.name)
    await navigate({ to: '/admin/servers', ignoreBlocker: true })
    dropAdministered(client, server)
  }
  if (asked === 'reset') return <ResetAddressDialog server={server} onClose={onClose} />
  if (asked === 'ban') return <BanServerDialog server={server} onClose={onClose} />
  if (asked === 'unban') return <UnbanServerDialog server={server} onClose={onClose} />
  if (asked === 'delete') return <DeleteDialog server={server} onDeleted={() => void deleted()} onClose={onClose} />
  return null
}
