import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { AdminServer } from '#contract/servers/servers-admin.ts'
import { m } from '#messages'
import { BanServerDialog, LiftServerBanDialog } from '#web/features/servers/admin/ban-servers.tsx'
import {
  type AdminServerDialog,
  AdminServerDanger,
  adminIdentityOf,
  BanNote,
  AdminServerListing,
} from '#web/features/servers/admin/admin-server-parts.tsx'
import { removeAdminServerFromCache } from '#web/features/servers/server-mutations.ts'
import { ServerUnavailable } from '#web/features/servers/server-unavailable.tsx'
import { DeleteDialog, ResetAddressDialog } from '#web/features/servers/server-dialogs.tsx'
import { ADMIN_SERVER_TABS } from '#web/features/servers/server-tabs.ts'
import { adminServerOptions } from '#web/features/servers/servers.api.ts'
import { isStatus } from '#web/lib/http/call.ts'
import '#web/ui/mono.css'
import { Breadcrumbs } from '#web/ui/breadcrumbs.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { ServerFrame } from '#web/pages/server-frame.tsx'
import { AuditSection } from '#web/features/activity/audit/audit-views.tsx'
import { ServerIssues } from '#web/features/protection/issue-list.tsx'

const ROUTE = '/member/admin/servers/$server_id'

export function AdminServerPage() {
  const { server_id } = useParams({ from: ROUTE })
  const { data: server, error } = useQuery(adminServerOptions(server_id))
  const [deleting, setDeleting] = useState(false)
  // The route loader has already fetched it.
  if (server === undefined) {
    if (error) throw error
    return null
  }
  // During a deletion from this page, the dialog stays open until it is done.
  if (isStatus(error, 404) && !deleting) return <DeletedServer server={server} />
  return <AdminServerTabs key={server.public_id} server={server} onDeleting={setDeleting} />
}

function DeletedServer({ server }: { server: AdminServer }) {
  const back = (
    <Link to="/admin/servers" className={buttonClass('primary')}>
      {m.server_page_all_servers()}
    </Link>
  )
  return (
    <ServerUnavailable title={m.server_page_deleted_title({ server: server.name })} serverId={server.public_id} actions={back}>
      {m.server_page_deleted_hint()}
    </ServerUnavailable>
  )
}

function AdminServerTabs({ server, onDeleting }: { server: AdminServer; onDeleting: (deleting: boolean) => void }) {
  const { tab = 'overview' } = useSearch({ from: ROUTE })
  const [dialog, setDialog] = useState<AdminServerDialog>()
  const { public_id: id } = server
  const openDialog = (next: AdminServerDialog | undefined) => {
    onDeleting(next === 'delete')
    setDialog(next)
  }
  return (
    <>
      <ServerFrame
        server={server}
        back="/admin/servers"
        crumbs={<Breadcrumbs ancestors={[{ to: '/admin/servers', label: m.nav_servers() }]} current={server.name} />}
        identity={adminIdentityOf(server, openDialog)}
        notes={<BanNote server={server} isCompact={tab !== 'overview'} />}
        tabs={ADMIN_SERVER_TABS}
        badges={{ protection: server.open_issues > 0 && <OpenIssuesBadge count={server.open_issues} /> }}
        tab={tab}
        asAdmin
        onOpenDialog={() => openDialog('reset')}
      >
        {tab === 'danger' && <AdminServerDanger server={server} onOpenDialog={openDialog} />}
        {tab === 'listing' && <AdminServerListing server={server} />}
        {tab === 'activity' && <AuditSection targetId={id} onServer />}
        {tab === 'protection' && <ServerIssues serverId={id} />}
      </ServerFrame>
      <OpenDialog dialog={dialog} server={server} onClose={() => openDialog(undefined)} />
    </>
  )
}

function OpenIssuesBadge({ count }: { count: number }) {
  return (
    <>
      {' '}
      <span className="ml-1 rounded-full tint-warn px-1.5 text-12 text-warn tabular-nums">
        <span aria-hidden="true">{count}</span>
        <span className="sr-only">{m.nav_open({ count })}</span>
      </span>
    </>
  )
}

function OpenDialog({ dialog, server, onClose }: { dialog: AdminServerDialog | undefined; server: AdminServer; onClose: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const onDeleted = async () => {
    toastSuccess(m.server_page_deleted(), server.name)
    await navigate({ to: '/admin/servers', ignoreBlocker: true })
    removeAdminServerFromCache(client, server)
  }
  if (dialog === 'reset') return <ResetAddressDialog server={server} onClose={onClose} />
  if (dialog === 'ban') return <BanServerDialog server={server} onClose={onClose} />
  if (dialog === 'lift') return <LiftServerBanDialog server={server} onClose={onClose} />
  if (dialog === 'delete') return <DeleteDialog server={server} onDeleted={() => void onDeleted()} onClose={onClose} />
  return null
}
