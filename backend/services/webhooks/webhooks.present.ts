import type { Delivery, Webhook, WebhookWithSecret } from '#contract/webhooks/webhooks.ts'
import { translateStored } from '#backend/platform/messages/stored-text.ts'
import type { DeliveryRow } from './deliveries.queries.ts'
import type { WebhookRow } from './webhooks.queries.ts'

export function presentWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind as Webhook['kind'],
    url: row.url,
    events: row.events as Webhook['events'],
    server_ids: row.server_ids,
    offline_after_seconds: row.offline_after_seconds,
    players_above: row.players_above,
    enabled: row.enabled,
    disabled_reason: row.disabled_reason === null ? null : translateStored(row.disabled_reason),
    created_at: row.created_at.toISOString(),
    last_delivery: row.last_attempt_at === null ? null : { at: row.last_attempt_at.toISOString(), status: row.last_status },
  }
}

/** Only for replies that show the secret once. */
export const presentWithSecret = (row: WebhookRow): WebhookWithSecret => ({ ...presentWebhook(row), secret: row.secret })

const timeOf = (at: Date | null) => at?.toISOString() ?? null

export function presentDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    event_id: row.event_id,
    event_type: row.event_type as Delivery['event_type'],
    state: row.state as Delivery['state'],
    attempt: row.attempt,
    created_at: row.created_at.toISOString(),
    attempted_at: timeOf(row.attempted_at),
    next_attempt_at: timeOf(row.next_attempt_at),
    duration_ms: row.duration_ms,
    request: { headers: row.request_headers, body: row.body },
    response: row.response_status === null ? null : { status: row.response_status, body: row.response_body ?? '' },
    error: row.error === null ? null : translateStored(row.error),
  }
}
