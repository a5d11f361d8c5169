/** Setting somebody's limits, and banning. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Ban, Limits } from '#contract/users-admin.ts'
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

/** Bans, changes a ban that stands, or lifts it. */
export function useBan(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (ban: z.input<typeof Ban>) => call('PATCH /api/admin/users/{id}/ban', { params: { id }, body: ban }),
    onSuccess: (user) => keepUser(client, user),
  })
}
