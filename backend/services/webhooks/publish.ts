/** Writes what webhooks will receive, in the transaction of the change that causes it, so that a crash loses nothing. */
import { v7 as uuidv7 } from 'uuid'
import type { PublicEventType } from '#contract/events/public-events.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { afterCommit } from '#backend/platform/database/transaction.ts'
import { bodyFor, type PanelAddress } from './bodies.ts'
import { type NewDelivery, insertDeliveries } from './deliveries.queries.ts'
import type { DeliveryQueue } from './delivery-queue.ts'
import { type WebhookRow, listLanguages, listSubscribed } from './webhooks.queries.ts'

export interface Outbox {
  readonly env: PanelAddress
  readonly queue: Pick<DeliveryQueue, 'sendDue'>
}

export interface PublicEvent {
  readonly type: PublicEventType
  /** Whose webhooks receive it. */
  readonly ownerId: string
  readonly server?: { readonly public_id: string; readonly name: string }
  /** Without secrets, and without unmasked addresses of others. */
  readonly data?: Readonly<Record<string, unknown>>
}

/** Sends events to all webhooks that are subscribed to them. */
export async function publishEvents(trx: Db, outbox: Outbox, events: readonly PublicEvent[]): Promise<void> {
  if (events.length === 0) return
  const ownerIds = [...new Set(events.map((event) => event.ownerId))]
  const webhooks = await listSubscribed(trx, ownerIds, [...new Set(events.map((event) => event.type))])
  const isSubscribed = ({ type, ownerId, server }: PublicEvent, webhook: (typeof webhooks)[number]) =>
    webhook.owner_id === ownerId &&
    webhook.events.includes(type) &&
    (server === undefined || webhook.server_ids.length === 0 || webhook.server_ids.includes(server.public_id))
  await enqueueEvents(
    trx,
    outbox,
    events.flatMap((event) => {
      const eventId = newEventId()
      return webhooks.filter((webhook) => isSubscribed(event, webhook)).map((webhook) => ({ webhook, event, eventId, at: webhook.at }))
    }),
  )
}

export const newEventId = () => `evt_${uuidv7().replaceAll('-', '')}`

interface Outgoing {
  readonly webhook: Pick<WebhookRow, 'id' | 'kind'>
  readonly event: PublicEvent
  readonly eventId: string
  readonly at: Date
}

/** Writes deliveries, in this order. */
export async function enqueueEvents(trx: Db, outbox: Outbox, outgoing: readonly Outgoing[]): Promise<void> {
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
    body: bodyFor(webhook.kind, outbox.env, { ...event, id: eventId, at }, languages.get(webhook.id)),
  }))
  await enqueueDeliveries(trx, outbox, rows)
}

export async function enqueueDeliveries(trx: Db, { queue }: Pick<Outbox, 'queue'>, rows: readonly NewDelivery[]): Promise<void> {
  await insertDeliveries(trx, rows)
  sendAfterCommit(trx, queue)
}

/** The caller doesn't wait for it. If it fails, the job repeats it within a second. */
export function sendAfterCommit(trx: Db, queue: Outbox['queue']): void {
  afterCommit(trx, () => {
    void queue.sendDue().catch(() => undefined)
    return Promise.resolve()
  })
}
