import * as webhooks from '#contract/webhooks.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { type RateLimit, createRateLimit } from '#backend/platform/http/rate-limit.ts'
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

/** Each test makes this node wait for another host. */
const TESTS = { burst: 10, perSecond: 1 / 6 }

interface Services {
  readonly list: { readonly registry: Pick<Registry, 'get'> }
  readonly webhooks: WebhookSender
  readonly limits: { readonly changes: RateLimit }
}

export function bindWebhooks(bind: Bind, deps: Deps, { list, webhooks: sender, limits: { changes } }: Services): void {
  const { db, env, clock } = deps
  const parts = { db, env, clock, registry: list.registry }
  const tests = createRateLimit(deps, 'webhook tests', TESTS)

  bind(webhooks.list, async ({ caller }) => (await listWebhooksOf(db, caller.userId)).map(presentWebhook))

  bind(webhooks.create, async ({ caller, body, reply }) => {
    const row = await changes.run(caller.userId, () => createWebhook(parts, caller.userId, body))
    void reply.header('cache-control', 'no-store')
    return presentWithSecret(row)
  })

  bind(webhooks.change, async ({ caller, params, body }) =>
    presentWebhook(await changes.run(caller.userId, () => changeWebhook(parts, caller.userId, params.id, body))),
  )

  bind(webhooks.remove, ({ caller, params }) => changes.run(caller.userId, () => removeWebhook(db, caller.userId, params.id)))

  bind(webhooks.sendTest, async ({ caller, params }) => {
    const webhook = await getWebhook(db, caller.userId, params.id)
    tests.take(caller.userId)
    return presentDelivery(await sender.sendTest(webhook))
  })

  bind(webhooks.rotateSecret, async ({ caller, params, reply }) => {
    const row = await changes.run(caller.userId, () => rotateSecret(deps, caller.userId, params.id))
    void reply.header('cache-control', 'no-store')
    return presentWithSecret(row)
  })

  bind(webhooks.deliveries, async ({ caller, params }) => (await listDeliveriesOf(db, caller.userId, params.id)).map(presentDelivery))

  bind(webhooks.retry, async ({ caller, params }) => {
    tests.take(caller.userId)
    return presentDelivery(await retryDelivery({ db, queue: sender.queue }, caller.userId, params.id, params.deliveryId))
  })
}
