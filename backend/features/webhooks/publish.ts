/** Writes what webhooks will receive, in the transaction of the change that causes it, so that a crash loses nothing. */
import { v7 as uuidv7 } from 'uuid'
import type { PublicEventType } from '#contract/public-events.ts'
import type { Db } from '#backend/platform/database/open.ts'
import type { Env } from '#backend/platform/env.ts'
import { type NewJob, addJobs } from '#backend/platform/queue/job-queue.ts'
import { bodyFor } from './bodies.ts'
import { listLanguages } from './languages.queries.ts'
import { type WebhookRow, insertDeliveries, listSubscribed } from './webhooks.queries.ts'

export const DELIVERY_TASK = 'deliver-webhook'

export interface PublicEvent {
  readonly type: PublicEventType
  /** Whose webhooks receive it. */
  readonly ownerId: string
  readonly server?: { readonly public_id: string; readonly name: string }
  /** Without secrets, and without unmasked addresses of others. */
  readonly data?: Readonly<Record<string, unknown>>
}

type Subscriber = Pick<WebhookRow, 'id' | 'kind'>

/** Sends events to all webhooks that are subscribed to them. */
export async function publishEvents(trx: Db, env: Env, events: readonly PublicEvent[]): Promise<void> {
  if (events.length === 0) return
  const ownerIds = [...new Set(events.map((event) => event.ownerId))]
  const webhooks = await listSubscribed(trx, ownerIds, [...new Set(events.map((event) => event.type))])
  const isSubscribed = ({ type, ownerId, server }: PublicEvent, webhook: (typeof webhooks)[number]) =>
    webhook.owner_id === ownerId &&
    webhook.events.includes(type) &&
    (server === undefined || webhook.server_ids.length === 0 || webhook.server_ids.includes(server.public_id))
  await enqueueEvents(
    trx,
    env,
    events.flatMap((event) => {
      const eventId = newEventId()
      return webhooks.filter((webhook) => isSubscribed(event, webhook)).map((webhook) => ({ webhook, event, eventId, at: webhook.at }))
    }),
  )
}

export const newEventId = () => `evt_${uuidv7().replaceAll('-', '')}`

interface Outgoing {
  readonly webhook: Subscriber
  readonly event: PublicEvent
  readonly eventId: string
  readonly at: Date
}

/** Writes the deliveries and adds their jobs, in this order. */
export async function enqueueEvents(trx: Db, env: Env, outgoing: readonly Outgoing[]): Promise<void> {
  if (outgoing.length === 0) return
  const languages = await listLanguages(
    trx,
    outgoing.map(({ webhook }) => webhook),
  )
  const rows = outgoing.map(({ webhook, event, eventId, at }) => ({
    id: uuidv7(),
    webhook_id: webhook.id,
    event_id: eventId,
    event_type: event.type,
    body: bodyFor(webhook.kind, env, { ...event, id: eventId, at }, languages.get(webhook.id)),
  }))
  await insertDeliveries(trx, rows)
  await enqueueAttempts(trx, rows)
}

/** One webhook's attempts run one after the other, so a slow receiver delays only itself. */
export function enqueueAttempts(
  trx: Db,
  deliveries: readonly { readonly id: string; readonly webhook_id: string }[],
  runAt?: Date,
): Promise<void> {
  const jobs = deliveries.map(({ id, webhook_id: webhookId }): NewJob => ({
    payload: { id },
    queue: `webhook:${webhookId}`,
    key: `delivery:${id}`,
    ...(runAt !== undefined && { runAt }),
  }))
  return addJobs(trx, DELIVERY_TASK, jobs)
}
