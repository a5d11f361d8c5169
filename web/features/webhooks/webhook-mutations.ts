/** Mutations of webhooks. Secrets never enter the cache. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Delivery, NewWebhook, Webhook, WebhookChanges, WebhookWithSecret } from '#contract/webhooks/webhooks.ts'
import { call } from '#web/lib/http/call.ts'
import { isStatus } from '#web/lib/http/http-error.ts'
import { deliveriesOptions, webhooksOptions } from './webhooks.api.ts'

function setWebhookCache(client: QueryClient, webhook: Webhook): void {
  client.setQueryData(webhooksOptions.queryKey, (all) => all && upsert(all, webhook, 'end'))
}

function setDeliveryCache(client: QueryClient, id: string, delivery: Delivery): void {
  client.setQueryData(deliveriesOptions(id).queryKey, (all) => all && upsert(all, delivery, 'start'))
}

function upsert<T extends { id: string }>(all: readonly T[], row: T, place: 'start' | 'end'): T[] {
  if (all.some(({ id }) => id === row.id)) return all.map((each) => (each.id === row.id ? row : each))
  return place === 'start' ? [row, ...all] : [...all, row]
}

function withoutSecret({ secret: _secret, ...webhook }: WebhookWithSecret): Webhook {
  return webhook
}

export function useCreateWebhook() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewWebhook) => call('POST /api/users/webhooks', { body }),
    onSuccess: (created) => setWebhookCache(client, withoutSecret(created)),
    gcTime: 0,
  })
}

export function useChangeWebhook(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: WebhookChanges) => call('PATCH /api/users/webhooks/{id}', { params: { id }, body }),
    onSuccess: (webhook) => {
      setWebhookCache(client, webhook)
      // Disabling drops pending deliveries.
      void client.invalidateQueries({ queryKey: deliveriesOptions(id).queryKey })
    },
  })
}

/** Succeeds if the webhook no longer exists. The page calls `removeWebhookFromCache` once it has left. */
export function useDeleteWebhook(id: string) {
  return useMutation({
    mutationFn: () =>
      call('DELETE /api/users/webhooks/{id}', { params: { id } }).catch((error: unknown) => {
        if (!isStatus(error, 404)) throw error
      }),
  })
}

export function removeWebhookFromCache(client: QueryClient, id: string): void {
  client.setQueryData(webhooksOptions.queryKey, (all) => all?.filter((each) => each.id !== id))
  client.removeQueries({ queryKey: deliveriesOptions(id).queryKey })
}

export function useSendTest(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('POST /api/users/webhooks/{id}/test', { params: { id } }),
    onSuccess: (delivery) => {
      setDeliveryCache(client, id, delivery)
      void client.invalidateQueries({ queryKey: webhooksOptions.queryKey, exact: true })
    },
  })
}

export function useRotateSecret(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('POST /api/users/webhooks/{id}/rotate-secret', { params: { id } }),
    onSuccess: (webhook) => setWebhookCache(client, withoutSecret(webhook)),
    gcTime: 0,
  })
}

export function useRetryDelivery(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (deliveryId: string) => call('POST /api/users/webhooks/{id}/deliveries/{deliveryId}/retry', { params: { id, deliveryId } }),
    onSuccess: (delivery) => setDeliveryCache(client, id, delivery),
  })
}
