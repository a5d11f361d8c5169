/** Leaving, and taking along what is held. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { meOptions } from '#web/features/session/session.api.ts'
import { call } from '#web/lib/call.ts'

/** Sets the account for deletion. From then on `me` says when, and the panel shows nothing else. */
export function useRequestDeletion() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('POST /api/auth/me/delete'),
    onSuccess: async (delete_at) => {
      await client.cancelQueries({ queryKey: meOptions.queryKey })
      client.setQueryData(meOptions.queryKey, (me) => me && { ...me, delete_at })
    },
  })
}

/** Everything held on the user, as text for a file. */
export function useExport() {
  return useMutation({ mutationFn: async () => JSON.stringify(await call('GET /api/auth/me/export'), null, 2), gcTime: 0 })
}
