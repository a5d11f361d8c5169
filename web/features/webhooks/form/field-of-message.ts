/** Finds the form field of a message of the backend. */
import { m } from '#api-messages'
import * as names from '#contract/field-names.ts'
import * as messages from '#contract/messages.ts'
import { type Beginnings, fieldOfMessage } from '#web/lib/field-of-message.ts'
import type { Field } from './webhook-input.ts'

const BEGINNINGS: Beginnings<Field> = [
  ['name', names.name],
  ['url', names.url, messages.discordUrlInvalid, () => m.error_webhook_discord_url()],
  ['url', () => m.error_address_not_url(), () => m.error_address_not_https(), () => m.error_address_not_public()],
  ['url', () => m.error_address_has_credentials(), () => m.error_address_has_port()],
  ['events', () => 'events', messages.eventsNotList, messages.eventsEmpty, messages.eventUnknown, messages.eventRepeated],
  ['server_ids', () => 'server_ids', () => m.error_webhook_server_not_own()],
  ['offline_amount', () => 'offline_after_seconds'],
  ['players_above', () => 'players_above'],
]

export const fieldOf = (message: string): Field => fieldOfMessage(message, BEGINNINGS) ?? 'root'
