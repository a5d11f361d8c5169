/** Mutations of users by administrators, and their cache updates. */
import { type QueryClient, useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import type { AdminUser } from '#contract/users/users-admin.ts'
import { isAdmin } from '#web/features/session/is-admin.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { adminUserOptions } from './admin-user.api.ts'

/** Queries outside the admin area that changes to your own account can affect. */
const OWN_KEYS: readonly unknown[] = ['me', 'servers', 'server', 'managed', 'activity', 'benefits']
const REVOKE_OWN_ADMIN = ['users', 'revoke own Admin'] as const

/** @param onOwnAdminRevoked leaves the admin area. The mutation stays pending until then. */
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

/** True until the former administrator has left the admin area. */
export function useIsRevokingOwnAdmin(): boolean {
  return useIsMutating({ mutationKey: REVOKE_OWN_ADMIN }) > 0
}

/** Stores the changed user and invalidates what depends on them. */
async function setUserCache(client: QueryClient, user: AdminUser): Promise<void> {
  const { queryKey } = adminUserOptions(user.id)
  // A request sent before the change would restore the old state.
  await client.cancelQueries({ queryKey, exact: true })
  client.setQueryData(queryKey, user)
  const isSelf = client.getQueryData(meOptions.queryKey)?.id === user.id
  const canReadAdmin = !isSelf || (isAdmin(user) && !user.banned)
  const userHash = JSON.stringify(queryKey)
  void client.invalidateQueries({
    predicate: ({ queryKey: [root, area], queryHash }) => {
      if (queryHash === userHash) return false
      if (root === 'admin' || (root === 'benefits' && area === 'admin')) return canReadAdmin
      return isSelf && OWN_KEYS.includes(root)
    },
  })
  // Awaited, because it decides what the user can still access.
  if (isSelf) await client.refetchQueries({ queryKey: meOptions.queryKey, exact: true }, { cancelRefetch: false })
}
