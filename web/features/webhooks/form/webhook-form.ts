/** The values of a webhook's form, their rules, and what is sent. */
import { z } from 'zod'
import { DEFAULT_PUBLIC_EVENTS, PUBLIC_EVENT_TYPES, type PublicEventType } from '#contract/events/public-events.ts'
import { NewWebhook, type Webhook, WEBHOOK_LIMITS, readDiscordWebhookUrl } from '#contract/webhooks/webhooks.ts'
import { m as texts } from '#api-messages'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { isEqual } from '#web/lib/merge.ts'

/** Units with their length in seconds, the longest first. */
export const UNITS = { hours: 3600, minutes: 60, seconds: 1 } as const
export type Unit = keyof typeof UNITS
export const UNIT_KEYS = Object.keys(UNITS) as Unit[]

/** The longest unit that has no fraction. */
export const unitOf = (seconds: number): Unit => UNIT_KEYS.find((unit) => seconds % UNITS[unit] === 0) ?? 'seconds'

/** `2 hours`, `75 seconds`. */
function silenceText(seconds: number): string {
  const unit = unitOf(seconds)
  return formatNumber(seconds / UNITS[unit], { style: 'unit', unit: unit.slice(0, -1), unitDisplay: 'long' })
}

/** @param minSilence seconds; the backend accepts no less. */
export function webhookSchema(minSilence: number) {
  const { offlineAfter, playersAbove } = WEBHOOK_LIMITS
  const silenceRange = () => m.webhooks_form_offline_range({ min: silenceText(minSilence), max: silenceText(offlineAfter.max) })
  const playersRange = () => m.webhooks_form_players_range({ max: formatNumber(playersAbove.max) })
  const { kind, name, url, events } = NewWebhook.shape
  return z
    .object({
      kind,
      name,
      url,
      events,
      /** Null is all servers. */
      server_ids: z
        .array(z.string())
        .min(1, { error: () => m.webhooks_form_servers_none() })
        .nullable(),
      offline_after_seconds: z
        .int({ error: silenceRange })
        .min(minSilence, { error: silenceRange })
        .max(offlineAfter.max, { error: silenceRange }),
      players_above: z
        .int({ error: playersRange })
        .min(playersAbove.min, { error: playersRange })
        .max(playersAbove.max, { error: playersRange })
        .nullable(),
    })
    .refine((webhook) => webhook.kind !== 'discord' || readDiscordWebhookUrl(webhook.url) !== undefined, {
      error: () => texts.input_discord_url_invalid(),
      path: ['url'],
    })
    .refine((webhook) => webhook.kind === 'discord' || /^https?:$/.test(URL.parse(webhook.url)?.protocol ?? ''), {
      error: () => m.webhooks_form_url_invalid(),
      path: ['url'],
    })
    .refine((webhook) => webhook.players_above !== null || !webhook.events.includes('players.threshold'), {
      error: () => m.webhooks_form_players_missing(),
      path: ['players_above'],
    })
}
export type WebhookInput = z.input<ReturnType<typeof webhookSchema>>

export const inContractOrder = (events: readonly PublicEventType[]) => PUBLIC_EVENT_TYPES.filter((type) => events.includes(type))

export function newInput(server: { public_id: string; name: string } | undefined): WebhookInput {
  return {
    kind: 'discord',
    name: server?.name ?? '',
    url: '',
    events: [...DEFAULT_PUBLIC_EVENTS],
    server_ids: server === undefined ? null : [server.public_id],
    offline_after_seconds: WEBHOOK_LIMITS.offlineAfter.default,
    players_above: null,
  }
}

export function toInput({ kind, name, url, events, server_ids, offline_after_seconds, players_above }: Webhook): WebhookInput {
  return {
    kind,
    name,
    url,
    events: inContractOrder(events),
    server_ids: server_ids.length === 0 ? null : server_ids,
    offline_after_seconds,
    players_above,
  }
}

export function toBody({ server_ids, players_above, ...input }: WebhookInput) {
  return {
    ...input,
    server_ids: server_ids ?? [],
    players_above: input.events.includes('players.threshold') ? players_above : null,
  }
}

/** The changed fields of the body. */
export function changedBody(values: WebhookInput, previous: WebhookInput) {
  const before: Record<string, unknown> = toBody(previous)
  return Object.fromEntries(Object.entries(toBody(values)).filter(([name, value]) => !isEqual(value, before[name])))
}
