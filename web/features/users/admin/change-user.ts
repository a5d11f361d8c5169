/** Setting somebody's limits, and banning. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { AdminUser, Ban, Limits } from '#contract/users-admin.ts'
import { call } from '#web/lib/call.ts'
import { keepUser } from './keep-user.ts'

/** Sets limits of his own; null is what his tier allows. */
export function useLimits(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (limits: Limits) => call('PATCH /api/admin/users/{id}', { params: { id }, body: limits }),
    onSuccess: (user) => keepUser(client, user),
  })
}

/** Bans, changes a ban that stands, or lifts it. Plain, for acts on many at once. */
export const banUser = (id: string, ban: z.input<typeof Ban>): Promise<AdminUser> =>
  call('PATCH /api/admin/users/{id}/ban', { params: { id }, body: ban })

export function useBanUser(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (ban: z.input<typeof Ban>) => banUser(id, ban),
    onSuccess: (user) => keepUser(client, user),
  })
}
