/** Live updates of open panels. Events are not replayed: after a reconnect the panel reloads everything. */
import { z } from 'zod'
import { endpoint } from '#contract/api/endpoint.ts'
import { mustBeOneOf } from '#contract/text/messages.ts'
import { PANEL_LANGUAGES } from '#contract/text/panel-languages.ts'
import { EndpointTestEvent } from '#contract/servers/endpoint.ts'
import { ManagedServer, Server } from '#contract/servers/servers.ts'

/** Event `server`: one of the user's own servers changed. At most one event per second and server. */
export const ServerEvent = z
  .object({ public_id: z.string(), server: Server.nullable().describe('Null if the server is deleted or has a new owner.') })
  .meta({ id: 'ServerEvent' })
export type ServerEvent = z.output<typeof ServerEvent>

/** Event `managed_server`: the same for a server that the user manages. */
export const ManagedServerEvent = z
  .object({
    public_id: z.string(),
    owner_id: z.string(),
    server: ManagedServer.nullable().describe('Null if the server is deleted, or the user no longer manages it.'),
  })
  .meta({ id: 'ManagedServerEvent' })
export type ManagedServerEvent = z.output<typeof ManagedServerEvent>

/** The data that an `account` event invalidates. */
export const INVALIDATION_KEYS = [
  'me',
  'servers',
  'activity',
  'benefits',
  'protection',
  'api_keys',
  'webhooks',
  'sessions',
  'identities',
  'preferences',
  'notifications',
] as const
export type InvalidationKey = (typeof INVALIDATION_KEYS)[number]

/** Event `account`: `me` (grants, ban, deletion, limits), servers with transfers, activity, benefits with settings and groups, protection issues, API keys, webhooks with deliveries, sessions, ways to sign in, preferences, or the inbox. */
export const AccountEvent = z
  .object({ changed: z.array(z.enum(INVALIDATION_KEYS)).describe('What to reload.') })
  .meta({ id: 'AccountEvent' })
export type AccountEvent = z.output<typeof AccountEvent>

export const events = endpoint('GET /api/users/tokens/events', {
  summary: 'Follow changes',
  description:
    'The events `server`, `managed_server`, `account` and `endpoint_test`. Events are not replayed: after a reconnect, reload everything.',
  access: 'member',
  scope: 'servers:read',
  envelope: 'events',
  query: z.strictObject({
    language: z
      .enum(PANEL_LANGUAGES, { error: mustBeOneOf('language', PANEL_LANGUAGES) })
      .optional()
      .describe('Of the texts in events. English without it: browsers choose the Accept-Language of a stream themselves.'),
  }),
  reply: z.union([ServerEvent, ManagedServerEvent, AccountEvent, EndpointTestEvent]),
})
