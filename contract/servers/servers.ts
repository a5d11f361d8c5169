/** Game servers as owners see and manage them. Paths call a server a token. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import { codeOf } from '#contract/api/documented.ts'
import { ATTEMPT_CODES, LISTING_CODES } from '#contract/masterlist/list-codes.ts'
import { endpoint } from '#contract/api/endpoint.ts'
import { NEW_SERVER_BODIES } from '#contract/api/examples.ts'
import { PublicIdParam } from '#contract/api/path-params.ts'
import { BENEFIT_FIELDS, FIELD_INPUTS, FIELD_REPLIES, fieldsOfPermission } from './server-field-shapes.ts'
import { Time } from '#contract/text/time.ts'
import { ServerTransfer } from './transfers.ts'
import { PermissionEnum, PublicUser } from '#contract/users/users.ts'

const appearance = fieldsOfPermission('EDIT_APPEARANCE').map((field) => `\`${field}\``)
export const ServerChanges = z
  .strictObject(FIELD_INPUTS)
  .partial()
  .meta({
    id: 'ServerChanges',
    description: `A manager needs \`EDIT_APPEARANCE\` for these fields: ${appearance.join(', ')}. All others need \`EDIT_DETAILS\`.`,
  })
export type ServerChanges = z.output<typeof ServerChanges>

export const NewServer = ServerChanges.extend({ name: FIELD_INPUTS.name }).meta({ id: 'NewServer' })
export type NewServer = z.output<typeof NewServer>

const ServerStatus = z.enum(['never_seen', 'online', 'offline']).meta({ id: 'ServerStatus' })

const LiveState = z
  .object({
    address: z.string().describe('`ip:port`, IPv6 in brackets, or the address of the CDN.'),
    players: z.int(),
    players_confirmed: z
      .boolean()
      .describe('False while the number of players is doubtful. The list then sorts the server as if it had none.'),
    max_players: z.int(),
    version: z.string(),
    branch: z.string(),
    passworded: z.boolean(),
    last_announce_at: Time,
  })
  .meta({ id: 'LiveState' })

const ListingReason = z.object({
  code: codeOf('ListingCode', LISTING_CODES, 'Why the server is, or is not, on the list, for programs.'),
  message: z.string().describe('For people: what is wrong and what to do.'),
  since: Time,
})

const Listing = z
  .object({ listed: z.boolean(), reasons: z.array(ListingReason) })
  .meta({ id: 'Listing', description: 'Whether the server is on the list, and why.' })

const BoundAddress = z
  .object({
    family: z.enum(['ipv4', 'ipv6']),
    address: z.string().describe('An IPv6 address includes all of its /64.'),
    bound_at: Time,
  })
  .meta({ id: 'BoundAddress', description: 'An address that the credential is bound to.' })
export type BoundAddress = z.output<typeof BoundAddress>

export const Server = z
  .object({
    public_id: z.string().describe('7 characters of 0-9A-Za-z.'),
    user_id: z.string(),
    ...FIELD_REPLIES,
    group: z.object({ id: z.string(), name: z.string() }).nullable(),
    icon_url: z.string().nullable(),
    banner_url: z.string().nullable().describe('The banner that players see. Null without one, or without the benefit.'),
    dormant: z.array(z.enum(BENEFIT_FIELDS)).describe('Fields that are set but hidden from players, because the owner lacks the benefit.'),
    credential_hint: z.string().describe('The last four characters of the credential. Empty without one.'),
    credential_issued_at: Time,
    credential_last_used_at: Time.nullable(),
    credential_grace_until: Time.nullable().describe('Until then the previous credential works too.'),
    previous_credential_last_used_at: Time.nullable().describe('When the previous credential was last used, during the grace period.'),
    bound_address: z.string().nullable().describe('The first of `bound_addresses`.'),
    bound_at: Time.nullable(),
    bound_addresses: z.array(BoundAddress).describe('At most one of each family, the first bound first.'),
    banned: z.boolean(),
    ban_reason: z.string().nullable(),
    banned_until: Time.nullable().describe('When the ban ends automatically. Null if it does not.'),
    verified: z.boolean().describe('Whether an administrator has verified the server.'),
    status: ServerStatus,
    offline_since: Time.nullable().describe('When the server went offline. Null while it is online, and before its first announce.'),
    live: LiveState.nullable(),
    last_announced: z
      .object({ port: z.int(), max_players: z.int() })
      .nullable()
      .describe('What the server announced last, also while it is offline. Null before its first announce.'),
    listing: Listing,
    created_at: Time,
    updated_at: Time,
    version: z.int().describe('Rises with every change of a field that people edit, for `If-Match`.'),
  })
  .meta({ id: 'Server' })
export type Server = z.output<typeof Server>

const newCredential = { credential: z.string().describe('Shown only in this reply.') }

export const ServerWithCredential = Server.extend(newCredential).meta({ id: 'ServerWithCredential' })
export type ServerWithCredential = z.output<typeof ServerWithCredential>

/** A server as its manager sees it. `user_id` is the owner. */
export const ManagedServer = Server.extend({
  owner: PublicUser,
  permissions: z.array(PermissionEnum).describe('What the manager can do. Every permission includes viewing.'),
}).meta({ id: 'ManagedServer' })
export type ManagedServer = z.output<typeof ManagedServer>

export const ManagedServerWithCredential = ManagedServer.extend(newCredential).meta({ id: 'ManagedServerWithCredential' })
export type ManagedServerWithCredential = z.output<typeof ManagedServerWithCredential>

export const ServerList = z
  .object({
    owned: z.array(Server),
    outgoing_transfers: z.array(ServerTransfer),
    incoming_transfers: z.array(ServerTransfer),
    management: z.array(ManagedServer),
    pinned: z.array(z.string()).describe('The public IDs of the servers that you pinned, the latest first.'),
  })
  .meta({ id: 'ServerList' })
export type ServerList = z.output<typeof ServerList>

export const GRACE_SECONDS = [3600, 86_400] as const

export const Reissue = z
  .strictObject({
    grace_seconds: z.literal(GRACE_SECONDS, { error: texts.input_grace_invalid }).optional(),
  })
  .meta({ id: 'Reissue' })

export const AnnounceAttempt = z
  .object({
    at: Time,
    outcome: z.enum(['accepted', 'refused']),
    code: codeOf('AttemptCode', ATTEMPT_CODES, 'The result of the attempt, for programs.'),
    message: z.string(),
    remedy: z.string().describe('How to fix it. Empty if there is nothing to do.'),
    address: z.string().describe('The address that sent the announce.'),
  })
  .meta({ id: 'AnnounceAttempt' })
export type AnnounceAttempt = z.output<typeof AnnounceAttempt>

const noServer = { 404: 'No such server, or it is not yours.' }
const TAKEN = { 409: 'The name or the vanity ID is taken.' }
const ofOwner = { access: 'member', rejections: noServer, params: { id: PublicIdParam } } as const

export const list = endpoint('GET /api/users/tokens', {
  summary: 'List your servers',
  description: 'Also lists your open transfers and the servers that you manage for others.',
  access: 'member',
  scope: 'servers:read',
  reply: ServerList,
})

export const create = endpoint('POST /api/users/tokens', {
  summary: 'Create a server',
  description: 'The reply has the credential. It is never shown again.',
  access: 'member',
  scope: 'servers:write',
  limits: ['creations'],
  body: NewServer,
  reply: ServerWithCredential,
  rejections: TAKEN,
  bodyExamples: NEW_SERVER_BODIES,
})

export const languages = endpoint('GET /api/users/tokens/availableLanguages', {
  summary: 'List the languages that a server can have',
  access: 'member',
  scope: 'servers:read',
  reply: z.array(z.object({ code: z.string(), name: z.string(), native_name: z.string() })),
})

export const get = endpoint('GET /api/users/tokens/{id}', {
  summary: 'Get a server',
  ...ofOwner,
  scope: 'servers:read',
  reply: Server,
})

export const change = endpoint('PATCH /api/users/tokens/{id}', {
  summary: 'Change a server',
  description: 'Send only the fields that change.',
  ...ofOwner,
  scope: 'servers:write',
  limits: ['changes'],
  versioned: true,
  body: ServerChanges,
  reply: Server,
  rejections: { ...noServer, ...TAKEN },
})

export const remove = endpoint('DELETE /api/users/tokens/{id}', {
  summary: 'Delete a server',
  description: 'It leaves the list at once, and its credential stops working. It can be restored for 7 days.',
  ...ofOwner,
  scope: 'servers:write',
})

export const reissue = endpoint('PATCH /api/users/tokens/{id}/reissue', {
  summary: 'Reissue the credential of a server',
  description: 'Without a body the old credential stops working at once. With `grace_seconds` both work until the grace period ends.',
  ...ofOwner,
  scope: 'credentials:write',
  limits: ['reissues'],
  body: Reissue,
  bodyOptional: true,
  reply: ServerWithCredential,
})

export const resetAddress = endpoint('PATCH /api/users/tokens/{id}/reset-ip', {
  summary: 'Reset the bound address of a server',
  description: 'The next announce binds the credential again.',
  ...ofOwner,
  scope: 'credentials:write',
  limits: ['changes'],
  reply: Server,
})

export const announces = endpoint('GET /api/users/tokens/{id}/announces', {
  summary: 'List the announce attempts of a server',
  description: 'The newest 50, newest first, including rejected ones. For the owner and their managers.',
  ...ofOwner,
  scope: 'servers:read',
  reply: z.array(AnnounceAttempt),
})
