/** Guards of the routes that need a signed-in user. */
import type { QueryClient } from '@tanstack/react-query'
import type { Me } from '#contract/users/users.ts'
import { m } from '#messages'
import { isStatus } from '#web/lib/http/http-error.ts'
import { isAdmin } from './is-admin.ts'
import { goToLogin, meOptions } from './session.api.ts'

/** Fetches the current user. A 403 leads to the login page, and other errors to the error page. */
export async function requireMember(client: QueryClient): Promise<{ me: Me; restricted: boolean }> {
  try {
    const me = await client.ensureQueryData(meOptions)
    // A restricted account can only read itself, cancel its deletion and log out.
    const restricted = me.banned || me.delete_at !== null
    return { me, restricted }
  } catch (error) {
    if (!isStatus(error, 403)) throw error
    goToLogin()
    // Never resolves: nothing of this page may show while the browser leaves it.
    return await new Promise<never>(() => {})
  }
}

/** Throws the error that the error page shows. A restricted account sees its own page instead. */
export function requireAdmin({ me, restricted }: { me: Me; restricted: boolean }): void {
  if (restricted || isAdmin(me)) return
  throw new Error(m.session_admin_only())
}
