/** Administration of users. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import * as m from '#contract/text/messages.ts'
import { BENEFIT_KEYS, TIER_IDS } from '#contract/benefits/benefits.ts'
import { endpoint } from '#contract/api/endpoint.ts'
import { BenefitKeyParam, UserIdParam } from '#contract/api/path-params.ts'
import { anyOf, paged, paging, booleanParam } from '#contract/api/paging.ts'
import { Server } from '#contract/servers/servers.ts'
import { lines } from '#contract/text/text.ts'
import { BanEnd, Time } from '#contract/text/time.ts'
import { Identity } from './identities.ts'
import { Me } from './users.ts'

/** Limits that an administrator set for the user; null for the tier's limit. */
const OwnLimits = z.object({
  max_masterlist_tokens: z.int().nullable(),
  max_managers: z.int().nullable(),
  max_masterlist_groups: z.int().nullable(),
})

/** The fields of a user that only administrators see. */
const adminFields = {
  signed_in_at: Time.describe('When the user last signed in.'),
  banned_at: Time.nullable(),
  own_limits: OwnLimits,
  open_issues: z.int().describe('Protection issues that are open or acknowledged.'),
}

export const AdminUser = Me.extend({
  masterListTokens: z.array(Server),
  identities: z.array(Identity).describe('How the user can sign in.'),
  ...adminFields,
}).meta({ id: 'AdminUser' })
export type AdminUser = z.output<typeof AdminUser>

/** A user in the list: `me` without grants, plus the number of servers. */
export const AdminUserRow = Me.omit({ gived_managements: true, recieved_managements: true })
  .extend({ ...adminFields, servers: z.int().describe('How many servers the user owns.') })
  .meta({ id: 'AdminUserRow' })
export type AdminUserRow = z.output<typeof AdminUserRow>

const USER_SORTS = ['created_at', 'username', 'signed_in_at'] as const

export const AdminUsersQuery = z.strictObject({
  ...paging(USER_SORTS),
  tiers: anyOf('tiers', TIER_IDS).describe('The tier in force, forced or owned.'),
  benefits: anyOf('benefits', BENEFIT_KEYS).describe('Benefits that the user holds, by a tier or a grant.'),
  banned: booleanParam('banned'),
  pending_deletion: booleanParam('pending_deletion'),
})
export type AdminUsersQuery = z.output<typeof AdminUsersQuery>

export const adminUsers = endpoint('GET /api/admin/users', {
  summary: 'List all users',
  description: 'Newest first. `search` finds a Discord name, a Discord ID or an ID.',
  access: 'admin',
  query: AdminUsersQuery,
  envelope: 'bare',
  reply: paged(AdminUserRow),
})

const noUser = { 404: 'No such user.' }
const ofAnyUser = { access: 'admin', rejections: noUser, params: { id: UserIdParam } } as const

export const adminUser = endpoint('GET /api/admin/users/{id}', {
  summary: 'Get any user with their servers',
  ...ofAnyUser,
  reply: AdminUser,
})

export const Ban = z.strictObject({
  banned: z.boolean({ error: m.mustBeBoolean(texts.field_banned) }).default(true),
  banReason: lines({ label: texts.field_reason, max: 500 }).optional(),
  banned_until: BanEnd,
})

export const banUser = endpoint('PATCH /api/admin/users/{id}/ban', {
  summary: 'Ban or unban a user',
  description: 'Their servers leave the list at once and their pending transfers end. They can only read the reason and sign out.',
  ...ofAnyUser,
  body: Ban,
  bodyOptional: true,
  reply: AdminUser,
})

const MAX_LIMIT = 1000

const limit = (notNumber: () => string, outOfRange: () => string) =>
  z.int({ error: notNumber }).min(0, { error: outOfRange }).max(MAX_LIMIT, { error: outOfRange }).nullable().optional()

export const Limits = z.strictObject({
  max_masterlist_tokens: limit(texts.input_max_servers_not_number, m.maxServersRange(MAX_LIMIT)),
  max_managers: limit(texts.input_max_managers_not_number, m.maxManagersRange(MAX_LIMIT)),
  max_masterlist_groups: limit(texts.input_max_groups_not_number, m.maxGroupsRange(MAX_LIMIT)),
})
export type Limits = z.output<typeof Limits>

export const changeLimits = endpoint('PATCH /api/admin/users/{id}', {
  summary: 'Change the limits of a user',
  description: 'Null is the limit of the tier. Nothing is removed when a limit drops.',
  ...ofAnyUser,
  body: Limits,
  reply: AdminUser,
})

const Tier = z.strictObject({
  tier_id: z.enum(TIER_IDS, { error: m.tierUnknown(TIER_IDS) }).nullable(),
})

export const forceTier = endpoint('PUT /api/admin/users/{id}/tier', {
  summary: 'Force a tier on a user',
  description: 'Null restores the tier that the user owns.',
  ...ofAnyUser,
  body: Tier,
  reply: AdminUser,
})

const ofBenefit = { access: 'admin', rejections: noUser, params: { id: UserIdParam, key: BenefitKeyParam } } as const

export const grantBenefit = endpoint('PUT /api/admin/users/{id}/benefits/{key}', {
  summary: 'Grant a benefit to a user',
  ...ofBenefit,
  reply: AdminUser,
})

export const takeBenefit = endpoint('DELETE /api/admin/users/{id}/benefits/{key}', {
  summary: 'Take a granted benefit from a user',
  description: 'Benefits of the tier stay. The last administrator keeps ADMIN.',
  ...ofBenefit,
  reply: AdminUser,
})
