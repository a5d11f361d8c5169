import * as webhooks from '#contract/webhooks/webhooks.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { WebhookSender } from './webhook-sender.ts'
import { presentDelivery, presentWebhook, presentWithSecret } from './webhooks.present.ts'
import {
  changeWebhook,
  createWebhook,
  getWebhook,
  listDeliveriesOf,
  listWebhooksOf,
  removeWebhook,
  retryDelivery,
  rotateSecret,
} from './webhooks.ts'

export function bindWebhooks(bind: Bind, { db, env, clock }: Deps, registry: Pick<Registry, 'get'>, sender: WebhookSender): void {
  const parts = { db, env, clock, registry }

  bind(webhooks.list, async ({ caller }) => (await listWebhooksOf(db, caller.userId)).map(presentWebhook))

  bind(webhooks.create, async ({ caller, body }) => presentWithSecret(await createWebhook(parts, caller.userId, body)))

  bind(webhooks.change, async ({ caller, params, body }) => presentWebhook(await changeWebhook(parts, caller.userId, params.id, body)))

  bind(webhooks.remove, ({ caller, params }) => removeWebhook(db, caller.userId, params.id))

  bind(webhooks.sendTest, async ({ caller, params }) => {
    const webhook = await getWebhook(db, caller.userId, params.id)
    return presentDelivery(await sender.sendTest(webhook))
  })

  bind(webhooks.rotateSecret, async ({ caller, params }) => presentWithSecret(await rotateSecret(parts, caller.userId, params.id)))

  bind(webhooks.deliveries, async ({ caller, params }) =>
    (await listDeliveriesOf(db, caller.userId, params.id, env.DELIVERY_DAYS)).map(presentDelivery),
  )

  bind(webhooks.retry, async ({ caller, params }) =>
    presentDelivery(await retryDelivery({ db, queue: sender.queue }, caller.userId, params.id, params.deliveryId)),
  )
}
