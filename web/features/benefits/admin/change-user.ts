/** Changing somebody's tier and benefits. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { BenefitKey, TierId } from '#contract/benefits.ts'
import { GIVING_UP, keepUser } from '#web/features/users/admin/keep-user.ts'
import { call } from '#web/lib/call.ts'

/** Forces a tier; null goes back to the person's own. */
export function useForceTier(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (tier: TierId | null) => call('PUT /api/admin/users/{id}/tier', { params: { id }, body: { tier_id: tier } }),
    onSuccess: (user) => keepUser(client, user),
  })
}

/**
 * Grants one benefit, or takes its grant back.
 * @param onGivenUp where an administrator takes Admin from himself: leaves the area. The act is over once it is left.
 */
export function useGrantOf(id: string, key: BenefitKey, onGivenUp?: () => Promise<void>) {
  const client = useQueryClient()
  return useMutation({
    ...(onGivenUp && { mutationKey: GIVING_UP }),
    mutationFn: (grant: boolean) => {
      const params = { id, key }
      return grant
        ? call('PUT /api/admin/users/{id}/benefits/{key}', { params })
        : call('DELETE /api/admin/users/{id}/benefits/{key}', { params })
    },
    onSuccess: async (user) => {
      await onGivenUp?.()
      await keepUser(client, user)
    },
  })
}
