/** Mutations of users by administrators, and their cache updates. */
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import type { AdminUser } from '#contract/users/users-admin.ts'

const REVOKE_OWN_ADMIN = ['users', 'revoke own Admin'] as const

/** @param onOwnAdminRevoked leaves the admin area. The mutation stays pending until then. */
export function useUserMutation<T = void>(mutationFn: (change: T) => Promise<AdminUser>, onOwnAdminRevoked?: () => Promise<void>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    ...(onOwnAdminRevoked && { mutationKey: REVOKE_OWN_ADMIN }),
    onSuccess: async () => {
      await onOwnAdminRevoked?.()
      // All of them, because an administrator may change their own account.
      await client.invalidateQueries()
    },
  })
}

/** True until the former administrator has left the admin area. */
export function useIsRevokingOwnAdmin(): boolean {
  return useIsMutating({ mutationKey: REVOKE_OWN_ADMIN }) > 0
}
