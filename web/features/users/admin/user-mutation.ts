/** Changing somebody, and what follows from it in this panel. */
import { type QueryClient, useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import type { AdminUser } from '#contract/users-admin.ts'
import { isAdmin } from '#web/features/session/is-admin.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { adminUserOptions } from './admin-user.api.ts'

/** What administrators see of themselves outside the admin area: all of it may follow from their tier, limits or ban. */
const OWN: readonly unknown[] = ['me', 'servers', 'server', 'managed', 'activity', 'benefits']
const REVOKE_OWN_ADMIN = ['users', 'giving up Admin'] as const

/**
 * An act on somebody, which answers how they stand then.
 * @param onOwnAdminRevoked where administrators take Admin from themselves: leaves the area. The act is over once it is left.
 */
export function useUserMutation<T = void>(mutationFn: (change: T) => Promise<AdminUser>, onOwnAdminRevoked?: () => Promise<void>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    ...(onOwnAdminRevoked && { mutationKey: REVOKE_OWN_ADMIN }),
    onSuccess: async (user) => {
      await onOwnAdminRevoked?.()
      await setUserCache(client, user)
    },
  })
}

/** True while somebody gives up being an administrator: the page stands until they have left it. */
export function useIsRevokingOwnAdmin(): boolean {
  return useIsMutating({ mutationKey: REVOKE_OWN_ADMIN }) > 0
}

/** Shows the person as the change left them, here, in the lists and in the audit log. Who changed themselves sees it everywhere. */
async function setUserCache(client: QueryClient, user: AdminUser): Promise<void> {
  const { queryKey: kept } = adminUserOptions(user.id)
  // What was asked before the change would put it back.
  await client.cancelQueries({ queryKey: kept, exact: true })
  client.setQueryData(kept, user)
  const isSelf = client.getQueryData(meOptions.queryKey)?.id === user.id
  const mayRead = !isSelf || (isAdmin(user) && !user.banned)
  const isKept = JSON.stringify(kept)
  // The lists that show it follow in their own time.
  void client.invalidateQueries({
    predicate: ({ queryKey: [noun, part], queryHash }) => {
      if (queryHash === isKept) return false
      if (noun === 'admin' || (noun === 'benefits' && part === 'admin')) return mayRead
      return isSelf && OWN.includes(noun)
    },
  })
  // What they may still see depends on who they are now: that is waited for.
  if (isSelf) await client.refetchQueries({ queryKey: meOptions.queryKey, exact: true }, { cancelRefetch: false })
}
