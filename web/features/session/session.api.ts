/** The current user, the guards of the routes, and what a lost session does. */
import { type QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { Me } from '#contract/users/users.ts'
import type { BenefitKey } from '#contract/benefits/benefits.ts'
import { m } from '#messages'
import { call, isStatus } from '#web/lib/http/call.ts'
import { leavePage } from '#web/lib/drafts.ts'
import { storeSignOutReason, loginPath } from '#web/lib/url/next-path.ts'
import { serverTime } from '#web/lib/server-clock.ts'

export const meOptions = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => call('GET /api/auth/me', { signal }),
})

/** Loads the login page, which returns to the current address. The query cache is lost with this page. */
function goToLogin(): void {
  leavePage(loginPath(location.pathname + location.search))
}

let checking: Promise<unknown> | undefined

/**
 * Handles a 403, because a session, an account or a right may end while the panel is open. Refetches the current user, once for concurrent
 * errors. If that fails with 403 too, the session has ended.
 */
export function handleForbidden(client: QueryClient, key: readonly unknown[] | undefined): void {
  const me = client.getQueryData(meOptions.queryKey)
  if (key?.[0] !== meOptions.queryKey[0]) {
    // A reply in flight may be older than the end of the session, so this call replaces it.
    if (me) checking ??= client.refetchQueries({ queryKey: meOptions.queryKey }).finally(() => (checking = undefined))
    return
  }
  // An erased account has no page to return to.
  if (me?.delete_at && Date.parse(me.delete_at) <= serverTime(Date.now())) {
    storeSignOutReason(m.session_erased())
    leavePage('/login')
    return
  }
  if (me) storeSignOutReason(m.session_ended())
  goToLogin()
}

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

export function isAdmin({ benefits }: { readonly benefits: readonly { readonly key: BenefitKey }[] }): boolean {
  return benefits.some(({ key }) => key === 'ADMIN')
}

/** The key of a form's draft in this tab. It belongs to one user, because another one may sign in. */
export function useDraftKey(name: string): string {
  const { data: me } = useSuspenseQuery(meOptions)
  return `${me.id}.${name}`
}
