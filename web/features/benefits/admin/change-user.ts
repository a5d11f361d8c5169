/** Changing somebody's tier and benefits. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { BenefitKey, TierId } from '#contract/benefits.ts'
import type { AdminUser } from '#contract/users-admin.ts'
import { isAdmin } from '#web/features/session/is-admin.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { call } from '#web/lib/call.ts'
import { adminBenefitsOptions, adminUserOptions } from './admin-benefits.api.ts'

/** Shows the person as the change left him. Who changed himself sees it everywhere. */
async function keepUser(client: QueryClient, user: AdminUser): Promise<void> {
  client.setQueryData(adminUserOptions(user.id).queryKey, user)
  const overview = adminBenefitsOptions(user.id).queryKey
  if (client.getQueryData(meOptions.queryKey)?.id !== user.id) {
    await client.invalidateQueries({ queryKey: overview })
    return
  }
  // Who has just given up being an administrator may not read what they read.
  const mayRead = isAdmin(user)
  await Promise.all([
    client.invalidateQueries({ queryKey: ['benefits'], predicate: ({ queryKey }) => mayRead || queryKey[1] !== 'admin' }),
    client.invalidateQueries({ queryKey: meOptions.queryKey }),
  ])
}

/** Forces a tier; null goes back to the person's own. */
export function useForceTier(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (tier: TierId | null) => call('PUT /api/admin/users/{id}/tier', { params: { id }, body: { tier_id: tier } }),
    onSuccess: (user) => keepUser(client, user),
  })
}

/** Grants one benefit, or takes its grant back. */
export function useGrantOf(id: string, key: BenefitKey) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (grant: boolean) => {
      const params = { id, key }
      return grant
        ? call('PUT /api/admin/users/{id}/benefits/{key}', { params })
        : call('DELETE /api/admin/users/{id}/benefits/{key}', { params })
    },
    onSuccess: (user) => keepUser(client, user),
  })
}
