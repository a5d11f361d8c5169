import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { m } from '#messages'
import { isAdmin, meOptions } from '#web/features/session/session.api.ts'
import { useIsRevokingOwnAdmin } from '#web/features/users/admin/user-mutation.ts'
import { ErrorPage } from './error-page.tsx'

/** Shows an error when the user loses administrator rights, unless they revoked their own. */
export function AdminArea() {
  const { data: me } = useQuery(meOptions)
  const isRevokingOwnAdmin = useIsRevokingOwnAdmin()
  if (me && !isAdmin(me) && !isRevokingOwnAdmin) {
    return <ErrorPage error={new Error(m.shell_admin_restricted())} />
  }
  return <Outlet />
}
