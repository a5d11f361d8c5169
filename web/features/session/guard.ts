/** Who may enter: routes that need a person ask for them first (product.md section 2). */
import type { QueryClient } from '@tanstack/react-query'
import type { Me } from '#contract/users.ts'
import { discardHeadStart } from '#web/lib/call.ts'
import { isStatus } from '#web/lib/http-error.ts'
import { isAdmin } from './is-admin.ts'
import { goToLogin, meOptions } from './session.api.ts'

/** Fetches the current user. A 403 leads to the login page, anything else goes on to the error page. */
export async function requireMember(client: QueryClient): Promise<{ me: Me; restricted: boolean }> {
  try {
    const me = await client.ensureQueryData(meOptions)
    // Then the account may do nothing but read itself, cancel its deletion and log out.
    const restricted = me.banned || me.delete_at !== null
    // The page's early calls were refused; once the account may do more they are another matter.
    if (restricted) discardHeadStart()
    return { me, restricted }
  } catch (error) {
    if (!isStatus(error, 403)) throw error
    goToLogin()
    // The browser is on its way to another page; nothing of this one should show meanwhile.
    return await new Promise<never>(() => {})
  }
}

/**
 * For the pages of administrators. Throws what the error page shows (product.md section 2, word for word). An account that is kept at
 * the root sees why there, and nothing of this.
 */
export function requireAdmin({ me, restricted }: { me: Me; restricted: boolean }): void {
  if (restricted || isAdmin(me)) return
  throw new Error('This route can only be accessed by users with administrative privileges.')
}
