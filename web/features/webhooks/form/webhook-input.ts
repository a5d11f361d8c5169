/** The values of the form, their validation, and the request body. */
import { DEFAULT_PUBLIC_EVENTS, PUBLIC_EVENT_TYPES, type PublicEventType } from '#contract/events/public-events.ts'
import { NewWebhook, type Webhook, WEBHOOK_LIMITS, type WebhookKind } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'

/** Units with their length in seconds, the longest first. */
export const UNITS = { hours: 3600, minutes: 60, seconds: 1 } as const
export type Unit = keyof typeof UNITS
const UNIT_KEYS = Object.keys(UNITS) as Unit[]

export interface WebhookInput {
  kind: WebhookKind
  name: string
  url: string
  events: readonly PublicEventType[]
  all_servers: boolean
  server_ids: readonly string[]
  /** How long a server is silent before it counts as offline. */
  offline_amount: string
  offline_unit: Unit
  /** Empty for never. */
  players_above: string
}

export type Field = 'kind' | 'name' | 'url' | 'events' | 'server_ids' | 'offline_amount' | 'players_above' | 'root'
/** From top to bottom. */
export const FIELD_ORDER: readonly Field[] = ['kind', 'url', 'name', 'offline_amount', 'players_above', 'events', 'server_ids']

export type FieldErrors = Readonly<Partial<Record<Field, string>>>

export function inContractOrder(events: readonly PublicEventType[]): PublicEventType[] {
  return PUBLIC_EVENT_TYPES.filter((type) => events.includes(type))
}

export function newInput(server: { public_id: string; name: string } | undefined): WebhookInput {
  return {
    kind: 'discord',
    name: server?.name ?? '',
    url: '',
    events: DEFAULT_PUBLIC_EVENTS,
    all_servers: server === undefined,
    server_ids: server === undefined ? [] : [server.public_id],
    ...toSilence(WEBHOOK_LIMITS.offlineAfter.default),
    players_above: '',
  }
}

export function toInput(webhook: Webhook): WebhookInput {
  const { kind, name, url, events, server_ids, offline_after_seconds: seconds, players_above: players } = webhook
  return {
    kind,
    name,
    url,
    events: inContractOrder(events),
    all_servers: server_ids.length === 0,
    server_ids,
    ...toSilence(seconds),
    players_above: players === null ? '' : String(players),
  }
}

/** In the longest unit that has no fraction. */
function toSilence(seconds: number): Pick<WebhookInput, 'offline_amount' | 'offline_unit'> {
  const unit = UNIT_KEYS.find((each) => seconds % UNITS[each] === 0) ?? 'seconds'
  return { offline_amount: String(seconds / UNITS[unit]), offline_unit: unit }
}

/** `2 hours`, `75 seconds`. */
function silenceText(seconds: number): string {
  const { offline_amount: amount, offline_unit: unit } = toSilence(seconds)
  return UNIT_TEXTS[unit]({ count: Number(amount) })
}

const UNIT_TEXTS = { hours: m.webhooks_count_hours, minutes: m.webhooks_count_minutes, seconds: m.webhooks_count_seconds } as const

const numberOf = (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN)

export function toBody(values: WebhookInput) {
  const { kind, name, url, events, all_servers: isAll, server_ids, offline_amount: amount, offline_unit: unit, players_above } = values
  return {
    kind,
    name,
    url,
    events: [...events],
    server_ids: isAll ? [] : [...server_ids],
    offline_after_seconds: numberOf(amount) * UNITS[unit],
    players_above: !events.includes('players.threshold') || players_above.trim() === '' ? null : numberOf(players_above),
  }
}

/** The field of the form that shows each field of the body. */
const FIELDS: Readonly<Record<keyof ReturnType<typeof toBody>, Field>> = {
  kind: 'kind',
  name: 'name',
  url: 'url',
  events: 'events',
  server_ids: 'server_ids',
  offline_after_seconds: 'offline_amount',
  players_above: 'players_above',
}

/** @param minSilence seconds; the backend accepts no less. */
export function validate(values: WebhookInput, minSilence: number): FieldErrors {
  const body = toBody(values)
  const errors: Partial<Record<Field, string>> = {}
  for (const { path, message } of NewWebhook.safeParse(body).error?.issues ?? [])
    errors[FIELDS[path[0] as keyof typeof body] ?? 'root'] ??= message
  const { offlineAfter, playersAbove } = WEBHOOK_LIMITS
  if (errors.offline_amount !== undefined || body.offline_after_seconds < minSilence)
    errors.offline_amount = m.webhooks_form_offline_range({ min: silenceText(minSilence), max: silenceText(offlineAfter.max) })
  if (errors.players_above !== undefined) errors.players_above = m.webhooks_form_players_range({ max: formatNumber(playersAbove.max) })
  if (body.players_above === null && values.events.includes('players.threshold')) errors.players_above = m.webhooks_form_players_missing()
  if (!values.all_servers && values.server_ids.length === 0) errors.server_ids = m.webhooks_form_servers_none()
  if (errors.url === undefined && !isWebUrl(values.url)) errors.url = m.webhooks_form_url_invalid()
  return errors
}

function isWebUrl(text: string): boolean {
  const url = URL.parse(text.trim())
  return url?.protocol === 'https:' || url?.protocol === 'http:'
}

/** The changed fields of the body. */
export function changedBody(values: WebhookInput, saved: WebhookInput) {
  const before = toBody(saved)
  const { kind: _kind, ...after } = toBody(values)
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof typeof before])),
  )
}
