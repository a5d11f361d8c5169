import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ApiKey, NewApiKey } from '#contract/users/api-keys.ts'
import { call, isStatus } from '#web/lib/http/call.ts'

export const apiKeysOptions = queryOptions({
  queryKey: ['api_keys'],
  queryFn: ({ signal }) => call('GET /api/users/api-keys', { signal }),
})

export function useCreateApiKey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewApiKey) => call('POST /api/users/api-keys', { body }),
    // The secret must not stay in memory longer than the page shows it.
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey: apiKeysOptions.queryKey }),
  })
}

/** Succeeds if the key is already revoked. */
export function useRevokeApiKey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: ApiKey) =>
      call('DELETE /api/users/api-keys/{id}', { params: { id } }).catch((error: unknown) => {
        if (!isStatus(error, 404)) throw error
      }),
    onSettled: () => client.invalidateQueries({ queryKey: apiKeysOptions.queryKey }),
  })
}
