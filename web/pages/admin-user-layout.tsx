import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useParams, useRouterState } from '@tanstack/react-router'
import { meOptions } from '#web/features/session/session.api.ts'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'
import { PersonCard } from '#web/features/users/admin/person-card.tsx'
import { isStatus } from '#web/lib/http-error.ts'
import '#web/ui/mono.css'
import { LinkTabs } from '#web/ui/tabs.tsx'
import { WarnNote } from '#web/ui/note.tsx'

const PARTS = [
  { part: 'servers', label: 'Servers' },
  { part: 'benefits', label: 'Benefits' },
  { part: 'settings', label: 'Settings' },
  { part: 'activity', label: 'Activity' },
  { part: 'protection', label: 'Protection' },
] as const

/** The person over the parts, each a page with an address of its own. */
export function AdminUserLayout() {
  const { user_id: id } = useParams({ from: '/member/admin/users/$user_id' })
  const { data: user, error } = useSuspenseQuery(adminUserOptions(id))
  const { data: me } = useSuspenseQuery(meOptions)
  const base = `/admin/users/${id}`
  const path = useRouterState({ select: (state) => state.location.pathname.replace(/\/$/, '') })
  return (
    <>
      {isStatus(error, 404) && (
        <WarnNote className="mb-4">This account has been erased meanwhile. What is shown is how it last was.</WarnNote>
      )}
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
