/** One user, for administrators: the card above the tabs, and each tab, which is a page with its own URL. */
import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useParams, useRouterState } from '@tanstack/react-router'
import { use } from 'react'
import { m } from '#messages'
import { AuditSection } from '#web/features/activity/audit/audit-views.tsx'
import { Grants } from '#web/features/benefits/admin/grants.tsx'
import { TierCard } from '#web/features/benefits/admin/tier-card.tsx'
import { IssueList } from '#web/features/protection/issue-list.tsx'
import { PlayersMeter } from '#web/features/servers/admin/servers-columns.tsx'
import { SERVER_COLUMNS, ServerCells } from '#web/features/servers/list/server-columns.tsx'
import { meOptions } from '#web/features/session/session.api.ts'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'
import { LimitsCard } from '#web/features/users/admin/limits-card.tsx'
import { UserCard } from '#web/features/users/admin/user-card.tsx'
import { BanCard } from '#web/features/users/admin/user-status.tsx'
import { isStatus } from '#web/lib/http/call.ts'
import { useTitle } from '#web/lib/use-title.ts'
import '#web/ui/mono.css'
import { EmptyState, WarnNote } from '#web/ui/states.tsx'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { useListTable } from '#web/ui/table/list-table.tsx'
import { LinkTabs } from '#web/ui/tabs.tsx'

const TABS = [
  { path: 'servers', label: m.nav_servers() },
  { path: 'benefits', label: m.nav_benefits() },
  { path: 'settings', label: m.nav_settings() },
  { path: 'activity', label: m.nav_activity() },
  { path: 'protection', label: m.nav_protection() },
] as const

function useAdminUser() {
  const { user_id: id } = useParams({ from: '/member/admin/users/$user_id' })
  const { data: me } = useSuspenseQuery(meOptions)
  const { data: user, error } = useSuspenseQuery(adminUserOptions(id))
  return { user, error, isSelf: me.id === user.id }
}

/** @param page the page's name, for the browser tab */
function useTab(page: string) {
  const { user, isSelf } = useAdminUser()
  useTitle(m.user_page_title({ page, user: user.discord.username }))
  return { user, isSelf }
}

export function AdminUserLayout() {
  const { user, error, isSelf } = useAdminUser()
  const base = `/admin/users/${user.id}`
  const path = useRouterState({ select: (state) => state.location.pathname.replace(/\/$/, '') })
  return (
    <>
      {isStatus(error, 404) && <WarnNote className="mb-4">{m.user_page_erased()}</WarnNote>}
      <UserCard key={user.id} user={user} isSelf={isSelf} />
      <LinkTabs
        label={m.user_page_tabs({ user: user.discord.username })}
        tabs={TABS.map((tab) => ({ to: `${base}/${tab.path}`, label: tab.label }))}
        current={path === base ? `${base}/servers` : path}
      />
      <Outlet />
    </>
  )
}

export function AdminUserServersPage() {
  const { user } = useTab(m.nav_servers())
  const cells = use(ServerCells)
  const table = useListTable({
    rows: user.masterListTokens,
    columns: SERVER_COLUMNS,
    idOf: ({ public_id: id }) => id,
    nameOf: ({ name }) => name,
  })
  const name = user.discord.username
  if (user.masterListTokens.length === 0) {
    return <EmptyState title={m.user_page_servers_none()}>{m.user_page_servers_none_hint({ user: name })}</EmptyState>
  }
  return (
    <ServerCells
      value={{
        ...cells,
        graphOf: ({ live }) => <PlayersMeter live={live} />,
        linkOf: ({ public_id: server_id }) => ({ to: '/admin/servers/$server_id', params: { server_id } }),
      }}
    >
      <DataTable table={table} label={m.user_page_servers({ user: name })} header="wide" />
    </ServerCells>
  )
}

export function AdminUserBenefitsPage() {
  const { user, isSelf } = useTab(m.nav_benefits())
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_340px]">
      <div className="lg:order-last">
        <TierCard key={user.id} user={user} />
      </div>
      <Grants key={user.id} user={user} isSelf={isSelf} />
    </div>
  )
}

export function AdminUserSettingsPage() {
  const { user, isSelf } = useTab(m.nav_settings())
  return (
    <div key={user.id} className="max-w-[840px] space-y-5">
      <LimitsCard user={user} />
      <TierCard user={user} />
      <BanCard user={user} isSelf={isSelf} />
    </div>
  )
}

export function AdminUserActivityPage() {
  const { user } = useTab(m.nav_activity())
  return (
    <div className="max-w-[840px]">
      <AuditSection key={user.id} targetId={user.id} />
    </div>
  )
}

export function AdminUserProtectionPage() {
  const { user } = useTab(m.nav_protection_issues())
  return (
    <div className="max-w-[840px]">
      <IssueList key={user.id} userId={user.id} viewer="administrator" />
    </div>
  )
}
