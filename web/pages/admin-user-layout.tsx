import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useParams, useRouterState } from '@tanstack/react-router'
import { meOptions } from '#web/features/session/session.api.ts'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'
import { PersonCard } from '#web/features/users/admin/person-card.tsx'
import '#web/ui/mono.css'
import { LinkTabs } from '#web/ui/link-tabs.tsx'

const PARTS = [
  { part: 'servers', label: 'Servers' },
  { part: 'benefits', label: 'Benefits' },
  { part: 'settings', label: 'Settings' },
  { part: 'activity', label: 'Activity' },
  { part: 'protection', label: 'Protection' },
] as const

/** One person as administrators see him: who he is over the parts, each a page with an address of its own. */
export function AdminUserLayout() {
  const { user_id: id } = useParams({ from: '/member/admin/users/$user_id' })
  const { data: user } = useSuspenseQuery(adminUserOptions(id))
  const { data: me } = useSuspenseQuery(meOptions)
  const base = `/admin/users/${id}`
  const path = useRouterState({ select: (state) => state.location.pathname.replace(/\/$/, '') })
  return (
    <>
      <PersonCard key={user.id} user={user} isSelf={me.id === user.id} />
      <LinkTabs
        label={`Parts of ${user.discord.username}`}
        tabs={PARTS.map(({ part, label }) => ({ to: `${base}/${part}`, label }))}
        current={path === base ? `${base}/servers` : path}
      />
      <Outlet />
    </>
  )
}
