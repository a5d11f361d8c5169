/** Administration of servers. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import * as m from '#contract/text/messages.ts'
import { endpoint } from '#contract/api/endpoint.ts'
import { PublicIdParam } from '#contract/api/path-params.ts'
import { anyOf, paged, paging, userIdParam, booleanParam } from '#contract/api/paging.ts'
import { AnnounceAttempt, Server, ServerChanges } from './servers.ts'
import { line, lines } from '#contract/text/text.ts'
import { BanEnd } from '#contract/text/time.ts'
import { PublicUser } from '#contract/users/users.ts'

export const AdminServer = Server.extend({
  owner: PublicUser,
  open_issues: z.int().describe('Protection issues that are open or acknowledged.'),
}).meta({ id: 'AdminServer' })
export type AdminServer = z.output<typeof AdminServer>

const SERVER_SORTS = ['created_at', 'name', 'players'] as const

/** What is wrong with the address of an online server: it is private, another server's, or a named host that is not proven. */
export const ADDRESS_PROBLEMS = ['private', 'duplicate', 'unproven'] as const
export type AddressProblem = (typeof ADDRESS_PROBLEMS)[number]

const MAX_TAGS = 20

export const AdminServersQuery = z.strictObject({
  ...paging(SERVER_SORTS),
  status: anyOf('status', ['never_seen', 'online', 'offline']),
  user_id: userIdParam('user_id'),
  banned: booleanParam('banned'),
  problem: anyOf('problem', ADDRESS_PROBLEMS),
  group_id: z
    .uuid({ error: m.mustBeGroupId('group_id') })
    .toLowerCase()
    .optional(),
  tags: z
    .preprocess(
      (value) => (typeof value === 'string' ? [value] : value),
      z
        .array(line({ label: texts.field_tag, min: 1, max: 24, isItem: true }))
        .max(MAX_TAGS, { error: m.namesTooManyTags('tags', MAX_TAGS) }),
    )
    .optional(),
})
export type AdminServersQuery = z.output<typeof AdminServersQuery>

const noServer = { 404: 'No such server.' }
const ofAnyServer = { access: 'admin', rejections: noServer, params: { id: PublicIdParam } } as const

export const adminServers = endpoint('GET /api/admin/tokens', {
  summary: 'List all servers',
  description: 'Newest first. `search` finds a name, public ID, vanity ID or address, and the Discord name or ID of an owner.',
  access: 'admin',
  query: AdminServersQuery,
  envelope: 'bare',
  reply: paged(AdminServer),
})

export const adminServer = endpoint('GET /api/admin/tokens/{id}', {
  summary: 'Get any server',
  ...ofAnyServer,
  reply: AdminServer,
})

export const AdminServerChanges = ServerChanges.extend({
  verified: z.boolean({ error: m.mustBeBoolean(texts.field_verified) }).optional(),
}).meta({ id: 'AdminServerChanges' })
export type AdminServerChanges = z.output<typeof AdminServerChanges>

export const changeAdminServer = endpoint('PATCH /api/admin/tokens/{id}', {
  summary: 'Change any server',
  description: "Also sets whether the server is verified. Fields that need a benefit need the owner's.",
  access: 'admin',
  versioned: true,
  body: AdminServerChanges,
  reply: AdminServer,
  rejections: { ...noServer, 409: 'The name or the vanity ID is taken.' },
  params: { id: PublicIdParam },
})

export const removeAdminServer = endpoint('DELETE /api/admin/tokens/{id}', {
  summary: 'Delete any server',
  description: 'The server leaves the list at once, and its credential stops working.',
  ...ofAnyServer,
})

export const resetAdminServerAddress = endpoint('PATCH /api/admin/tokens/{id}/reset-ip', {
  summary: 'Reset the bound address of any server',
  description: 'The next announce binds the credential again.',
  ...ofAnyServer,
  reply: AdminServer,
})

export const ServerBan = z.strictObject({
  banned: z.boolean({ error: m.mustBeBoolean(texts.field_banned) }).default(true),
  reason: lines({ label: texts.field_reason, max: 500 }).optional(),
  banned_until: BanEnd,
})

export const banServer = endpoint('PATCH /api/admin/tokens/{id}/ban', {
  summary: 'Ban or unban a server',
  description:
    'A banned server leaves the list at once. Its owner sees the reason and the end. Works for deleted servers that can be restored, too.',
  ...ofAnyServer,
  body: ServerBan,
  bodyOptional: true,
  reply: AdminServer,
})

export const adminAnnounces = endpoint('GET /api/admin/tokens/{id}/announces', {
  summary: 'List the announce attempts of any server',
  description: 'The newest 50, newest first, including rejected ones.',
  ...ofAnyServer,
  reply: z.array(AnnounceAttempt),
})
