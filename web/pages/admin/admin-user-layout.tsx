import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useParams, useRouterState } from '@tanstack/react-router'
import { m } from '#messages'
import { meOptions } from '#web/features/session/session.api.ts'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'
import { UserCard } from '#web/features/users/admin/user-card.tsx'
import { isStatus } from '#web/lib/http/http-error.ts'
import '#web/ui/mono.css'
import { LinkTabs } from '#web/ui/tabs.tsx'
import { WarnNote } from '#web/ui/note.tsx'

const TABS = [
  { path: 'servers', label: m.nav_servers() },
  { path: 'benefits', label: m.nav_benefits() },
  { path: 'settings', label: m.nav_settings() },
  { path: 'activity', label: m.nav_activity() },
  { path: 'protection', label: m.nav_protection() },
] as const

/** The user's card above the tabs. Each tab is a page with its own URL. */
export function AdminUserLayout() {
  const { user_id: id } = useParams({ from: '/member/admin/users/$user_id' })
  const { data: user, error } = useSuspenseQuery(adminUserOptions(id))
  const { data: me } = useSuspenseQuery(meOptions)
  const base = `/admin/users/${id}`
  const path = useRouterState({ select: (state) => state.location.pathname.replace(/\/$/, '') })
  return (
    <>
      {isStatus(error, 404) && <WarnNote className="mb-4">{m.user_page_erased()}</WarnNote>}
      <UserCard key={user.id} user={user} isSelf={me.id === user.id} />
      <LinkTabs
        label={m.user_page_tabs({ user: user.discord.username })}
        tabs={TABS.map((tab) => ({ to: `${base}/${tab.path}`, label: tab.label }))}
        current={path === base ? `${base}/servers` : path}
      />
      <Outlet />
    </>
  )
}
