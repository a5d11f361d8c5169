import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { isAdmin } from '#web/features/session/is-admin.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { useIsGivingUp } from '#web/features/users/admin/keep-user.ts'
import { ErrorPage } from './error-page.tsx'

/**
 * The pages of administrators. The route lets nobody else in; who loses the right while he is in sees why he can't go on (product.md
 * section 2, word for word). Who gives it up himself is on his way out.
 */
export function AdminArea() {
  const { data: me } = useQuery(meOptions)
  const isGivingUp = useIsGivingUp()
  if (me && !isAdmin(me) && !isGivingUp) {
    return <ErrorPage error={new Error('Restricted access. You must have the ADMIN benefit to access this page.')} />
  }
  return <Outlet />
}
