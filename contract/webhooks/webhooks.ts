/** Webhooks: a user's own URLs, or Discord channels, to which events are sent. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import { endpoint } from '#contract/api/endpoint.ts'
import * as m from '#contract/text/messages.ts'
import { DeliveryIdParam, WebhookIdParam } from '#contract/api/path-params.ts'
import { PUBLIC_EVENT_TYPES, TEST_EVENT_TYPE } from '#contract/events/public-events.ts'
import { wholeNumber } from '#contract/text/numbers.ts'
import { NO_CONTROLS, line, rejectedInName, rejectionOf } from '#contract/text/text.ts'
import { Time } from '#contract/text/time.ts'

export const WEBHOOK_LIMITS = {
  perAccount: 10,
  name: { min: 1, max: 64 },
  url: { max: 2048 },
  servers: { max: 500 },
  /** Seconds. The lower limit is the list's TTL (`ANNOUNCE_TTL_SECONDS`), or one second. */
  offlineAfter: { min: 1, max: 86_400, default: 180 },
  playersAbove: { min: 0, max: 1_000_000 },
} as const

const WEBHOOK_KINDS = ['standard', 'discord'] as const
export type WebhookKind = (typeof WEBHOOK_KINDS)[number]

/** Discord's hosts, and the versions of its API that are not discontinued (docs.discord.com/developers/reference). */
const DISCORD_URL =
  /^(https:\/\/(?:(?:canary|ptb)\.)?discord(?:app)?\.com\/api(?:\/v(?:[6-9]|10))?\/webhooks\/(\d{1,20})\/[\w-]{1,128})\/?(?:\?([^#]*))?$/
/** The parameters of "Execute Webhook". */
const DISCORD_PARAMETER = /^(?:thread_id=\d{1,20}|(?:wait|with_components)=(?:true|false))$/

/**
 * The ID and the usual spelling of a URL that Discord gives out for a channel: Edit channel, Integrations, Webhooks. Undefined for any
 * other URL.
 */
export function readDiscordWebhookUrl(text: string): { readonly id: string; readonly url: string } | undefined {
  const [, address, id, query = ''] = DISCORD_URL.exec(text.replace(/^https:\/\/[^/]*/i, (origin) => origin.toLowerCase())) ?? []
  const isOurs = query === '' || query.split('&').every((parameter) => DISCORD_PARAMETER.test(parameter))
  if (address === undefined || id === undefined || !isOurs) return undefined
  return { id, url: query === '' ? address : `${address}?${query}` }
}

const KindEnum = z.enum(WEBHOOK_KINDS, { error: m.mustBeOneOf('kind', WEBHOOK_KINDS) }).meta({ id: 'WebhookKind' })
const EventEnum = z.enum(PUBLIC_EVENT_TYPES, { error: texts.input_event_unknown }).meta({ id: 'PublicEventType' })

/** The backend also checks that the host is public. */
const Url = z
  .string({ error: m.mustBeText(texts.field_url) })
  .refine((text) => NO_CONTROLS.test(text), rejectionOf(texts.field_url, rejectedInName))
  .trim()
  .min(1, { error: m.isMissing(texts.field_url) })
  .max(WEBHOOK_LIMITS.url.max, { error: m.isTooLong(texts.field_url, WEBHOOK_LIMITS.url.max) })

const fields = {
  name: line({ label: texts.field_name, ...WEBHOOK_LIMITS.name }),
  url: Url,
  events: z
    .array(EventEnum, { error: texts.input_events_not_list })
    .min(1, { error: texts.input_events_empty })
    .refine((events) => new Set(events).size === events.length, { error: texts.input_event_repeated }),
  server_ids: z
    .array(z.string({ error: m.mustBePublicIds('server_ids') }).regex(/^[0-9A-Za-z]{7}$/, { error: m.mustBePublicIds('server_ids') }), {
      error: m.mustBePublicIds('server_ids'),
    })
    .max(WEBHOOK_LIMITS.servers.max, { error: m.namesTooManyServers('server_ids', WEBHOOK_LIMITS.servers.max) })
    .describe('Public IDs of your servers. Empty for all of them.'),
  offline_after_seconds: wholeNumber('offline_after_seconds', WEBHOOK_LIMITS.offlineAfter).describe(
    'Seconds of silence after which `server.offline` is sent. At least `ANNOUNCE_TTL_SECONDS`.',
  ),
  players_above: wholeNumber('players_above', WEBHOOK_LIMITS.playersAbove)
    .nullable()
    .describe('`players.threshold` is sent when a server has more players than this. Null for never.'),
  enabled: z.boolean({ error: m.mustBeBoolean('enabled') }),
}

/** Send only the fields that change. The kind never changes. */
export const WebhookChanges = z.strictObject(fields).partial().meta({ id: 'WebhookChanges' })
export type WebhookChanges = z.output<typeof WebhookChanges>

export const NewWebhook = z
  .strictObject({
    ...fields,
    kind: KindEnum,
    server_ids: fields.server_ids.default([]),
    offline_after_seconds: fields.offline_after_seconds.default(WEBHOOK_LIMITS.offlineAfter.default),
    players_above: fields.players_above.default(null),
    enabled: fields.enabled.default(true),
  })
  .refine(({ kind, url }) => kind !== 'discord' || readDiscordWebhookUrl(url) !== undefined, {
    error: texts.input_discord_url_invalid,
    path: ['url'],
  })
  .meta({ id: 'NewWebhook' })
export type NewWebhook = z.output<typeof NewWebhook>

export const Webhook = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: KindEnum,
    url: z.string(),
    events: z.array(EventEnum),
    server_ids: z.array(z.string()).describe('Empty for all servers.'),
    offline_after_seconds: z.int(),
    players_above: z.int().nullable(),
    enabled: z.boolean(),
    disabled_reason: z.string().nullable().describe('Why Muster disabled it, in one sentence. Null if its owner did.'),
    created_at: Time,
    last_delivery: z
      .object({ at: Time, status: z.int().nullable().describe('The HTTP status of the reply. Null if none arrived.') })
      .nullable()
      .describe('The last attempt. Null before the first one.'),
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.output<typeof Webhook>

export const WebhookWithSecret = Webhook.extend({
  secret: z
    .string()
    .nullable()
    .describe('Verifies deliveries: `whsec_` and base64. Shown only in this reply. Null for Discord, which has no secret.'),
}).meta({ id: 'WebhookWithSecret' })
export type WebhookWithSecret = z.output<typeof WebhookWithSecret>

/** `pending`: waits for its first attempt or a retry. `failed`: is not tried again. */
const DELIVERY_STATES = ['pending', 'succeeded', 'failed'] as const

/** One event for one webhook. The fields of request and reply are those of the last attempt. */
export const Delivery = z
  .object({
    id: z.string(),
    event_id: z.string().describe('The `webhook-id` header. It is the same for every attempt.'),
    event_type: z.enum([...PUBLIC_EVENT_TYPES, TEST_EVENT_TYPE]),
    state: z.enum(DELIVERY_STATES),
    attempt: z.int().describe('The number of attempts so far.'),
    created_at: Time,
    attempted_at: Time.nullable().describe('When the last attempt began. Null before the first one.'),
    next_attempt_at: Time.nullable().describe('When the next attempt is due. Null if there is none.'),
    duration_ms: z.int().nullable(),
    request: z.object({ headers: z.record(z.string(), z.string()), body: z.string() }).describe('What was sent. Signatures are left out.'),
    response: z
      .object({ status: z.int(), body: z.string().describe('The first 2 KB, as text.') })
      .nullable()
      .describe('The reply. Null if none arrived.'),
    error: z.string().nullable().describe('Why the last attempt failed, in one sentence. Null if it succeeded.'),
  })
  .meta({ id: 'WebhookDelivery' })
export type Delivery = z.output<typeof Delivery>

const noWebhook = { 404: 'No such webhook, or it is not yours.' }
const params = { id: WebhookIdParam }
const ofWebhook = { access: 'member', scope: 'webhooks:write', rejections: noWebhook, params } as const

export const list = endpoint('GET /api/users/webhooks', {
  summary: 'List your webhooks',
  description: 'Oldest first.',
  access: 'member',
  scope: 'webhooks:write',
  reply: z.array(Webhook),
})

export const create = endpoint('POST /api/users/webhooks', {
  summary: 'Create a webhook',
  description: 'At most 10. The reply has the secret of a standard webhook. It is never shown again.',
  access: 'member',
  scope: 'webhooks:write',
  limits: ['changes'],
  body: NewWebhook,
  reply: WebhookWithSecret,
  rejections: { 403: 'You have 10 webhooks.' },
})

export const change = endpoint('PATCH /api/users/webhooks/{id}', {
  summary: 'Change a webhook',
  description: 'Send only the fields that change. Enabling it clears `disabled_reason`. Disabling it drops its pending deliveries.',
  ...ofWebhook,
  limits: ['changes'],
  body: WebhookChanges,
  reply: Webhook,
})

export const remove = endpoint('DELETE /api/users/webhooks/{id}', {
  summary: 'Delete a webhook',
  description: 'Its pending deliveries are dropped, and its log is deleted.',
  ...ofWebhook,
  limits: ['changes'],
})

export const sendTest = endpoint('POST /api/users/webhooks/{id}/test', {
  summary: 'Send a test event',
  description: `Sends one event of type \`${TEST_EVENT_TYPE}\` at once, also to a disabled webhook. The reply is the finished delivery. A test is never retried.`,
  ...ofWebhook,
  limits: ['webhook-tests'],
  reply: Delivery,
})

export const rotateSecret = endpoint('POST /api/users/webhooks/{id}/rotate-secret', {
  summary: 'Replace the secret of a webhook',
  description: 'For 24 hours deliveries are signed with both secrets. Webhooks for Discord have none.',
  ...ofWebhook,
  limits: ['changes'],
  reply: WebhookWithSecret,
})

export const deliveries = endpoint('GET /api/users/webhooks/{id}/deliveries', {
  summary: 'List the deliveries of a webhook',
  description: 'Newest first: the last 100, at most as old as `delivery_days` of `GET /api/about`.',
  ...ofWebhook,
  reply: z.array(Delivery),
})

export const retry = endpoint('POST /api/users/webhooks/{id}/deliveries/{deliveryId}/retry', {
  summary: 'Send a delivery again',
  description:
    'The next attempt begins at once. The reply is the pending delivery. Enable a disabled webhook first. A test is not sent again.',
  access: 'member',
  scope: 'webhooks:write',
  limits: ['webhook-tests'],
  reply: Delivery,
  rejections: { 404: 'No such webhook or delivery, or it is not yours.', 409: 'The webhook is disabled, or the delivery is a test.' },
  params: { id: WebhookIdParam, deliveryId: DeliveryIdParam },
})
