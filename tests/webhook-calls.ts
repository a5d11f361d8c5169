/** Calls about webhooks that many tests make. */
import { expect } from 'vitest'
import * as webhooks from '#contract/webhooks/webhooks.ts'
import type { ApiResponse, SignedInUser } from './harness.ts'

export type WebhookInput = Partial<webhooks.NewWebhook>

export const createWebhook = (user: SignedInUser, input: WebhookInput = {}) =>
  user.call(webhooks.create, {
    body: { name: 'Hook', kind: 'standard', url: 'https://feeds.example/none', events: ['server.created'], ...input },
  })

export async function buildWebhook(user: SignedInUser, input: WebhookInput = {}): Promise<webhooks.WebhookWithSecret> {
  const created = await createWebhook(user, input)
  expect(created.status, created.text).toBe(200)
  return created.data
}

export const paramsOf = (webhook: { readonly id: string }) => ({ params: { id: webhook.id } })

export const deliveriesOf = async (user: SignedInUser, webhook: { readonly id: string }) =>
  (await user.call(webhooks.deliveries, paramsOf(webhook))).data

export const getWebhook = async (user: SignedInUser, { id }: { readonly id: string }) =>
  (await user.call(webhooks.list)).data.find((each) => each.id === id)

export const rejectionOf = ({ status, error }: ApiResponse<unknown>) => ({ status, errors: error.errors })
