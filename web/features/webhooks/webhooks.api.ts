/** The queries and mutations of webhooks. A `webhooks` event invalidates all queries, through their keys. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { NewWebhook, WebhookChanges } from '#contract/webhooks/webhooks.ts'
import { call, isStatus } from '#web/lib/http/call.ts'

export const webhooksOptions = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => call('GET /api/users/webhooks', { signal }),
})

/** Newest first. */
export const deliveriesOptions = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id, 'deliveries'],
    queryFn: ({ signal }) => call('GET /api/users/webhooks/{id}/deliveries', { params: { id }, signal }),
  })

/** Afterwards, webhooks and their deliveries are read again. Secrets never enter the cache. */
function useWebhookMutation<O, I = void>(mutationFn: (input: I) => Promise<O>) {
  const client = useQueryClient()
  return useMutation({ mutationFn, gcTime: 0, onSuccess: () => client.invalidateQueries({ queryKey: webhooksOptions.queryKey }) })
}

export const useCreateWebhook = () => useWebhookMutation((body: NewWebhook) => call('POST /api/users/webhooks', { body }))

export const useChangeWebhook = (id: string) =>
  useWebhookMutation((body: WebhookChanges) => call('PATCH /api/users/webhooks/{id}', { params: { id }, body }))

export const useSendTest = (id: string) => useWebhookMutation(() => call('POST /api/users/webhooks/{id}/test', { params: { id } }))

export const useRotateSecret = (id: string) =>
  useWebhookMutation(() => call('POST /api/users/webhooks/{id}/rotate-secret', { params: { id } }))

export const useRetryDelivery = (id: string) =>
  useWebhookMutation((deliveryId: string) =>
    call('POST /api/users/webhooks/{id}/deliveries/{deliveryId}/retry', { params: { id, deliveryId } }),
  )

/** Succeeds if the webhook no longer exists. @param leave leaves its page, before the cache loses it */
export function useDeleteWebhook(id: string, leave: () => Promise<void>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      call('DELETE /api/users/webhooks/{id}', { params: { id } }).catch((error: unknown) => {
        if (!isStatus(error, 404)) throw error
      }),
    onSuccess: async () => {
      await leave()
      client.setQueryData(webhooksOptions.queryKey, (all) => all?.filter((each) => each.id !== id))
    },
  })
}
