/** Finds the form field of a message of the backend. */
import { m } from '#api-messages'
import { type Beginnings, fieldOfMessage } from '#web/lib/http/field-of-message.ts'
import type { Field } from './webhook-input.ts'

const BEGINNINGS: Beginnings<Field> = [
  ['name', m.field_name],
  ['url', m.field_url, m.input_discord_url_invalid, () => m.error_webhook_discord_url()],
  ['url', () => m.error_address_not_url(), () => m.error_address_not_https(), () => m.error_address_not_public()],
  ['url', () => m.error_address_has_credentials(), () => m.error_address_has_port()],
  ['events', () => 'events', m.input_events_not_list, m.input_events_empty, m.input_event_unknown, m.input_event_repeated],
  ['server_ids', () => 'server_ids', () => m.error_webhook_server_not_own()],
  ['offline_amount', () => 'offline_after_seconds'],
  ['players_above', () => 'players_above'],
]

export const fieldOf = (message: string): Field => fieldOfMessage(message, BEGINNINGS) ?? 'root'
