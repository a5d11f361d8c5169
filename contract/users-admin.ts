/** What administrators may do with people (product.md section 7, contract section 9). */
import { z } from 'zod'
import { BENEFIT_KEYS, TIER_IDS } from './benefits.ts'
import { endpoint } from './endpoint.ts'
import { anyOf, paged, paging, booleanParam } from './paging.ts'
import { Server } from './servers.ts'
import { lines } from './text.ts'
import { BanEnd, Time } from './time.ts'
import { Me } from './users.ts'

/** His own limits where an administrator set some; null is what his tier allows. */
const OwnLimits = z.object({
  max_masterlist_tokens: z.int().nullable(),
  max_managers: z.int().nullable(),
  max_masterlist_groups: z.int().nullable(),
})

/** What only administrators see of a person. */
const seenByAdmins = {
  created_at: Time.describe('When the person first signed in.'),
  signed_in_at: Time.describe('When the person last signed in.'),
  banned_at: Time.nullable(),
  own_limits: OwnLimits,
  open_issues: z.int().describe('Protection issues of the person that are open or acknowledged.'),
}

export const AdminUser = Me.extend({ masterListTokens: z.array(Server), ...seenByAdmins }).meta({ id: 'AdminUser' })
export type AdminUser = z.output<typeof AdminUser>

/** A person in the list: `me` without the grants, and how many servers. */
export const AdminUserRow = Me.omit({ gived_managements: true, recieved_managements: true })
  .extend({ ...seenByAdmins, servers: z.int().describe('How many servers the person has.') })
  .meta({ id: 'AdminUserRow' })
export type AdminUserRow = z.output<typeof AdminUserRow>

const USER_SORTS = ['created_at', 'username', 'signed_in_at'] as const

export const AdminUsersQuery = z.strictObject({
  ...paging(USER_SORTS),
  tiers: anyOf('tiers', TIER_IDS).describe('The tier that counts, forced or owned.'),
  benefits: anyOf('benefits', BENEFIT_KEYS).describe('What is held now, by a tier or a grant.'),
  banned: booleanParam('banned'),
  pending_deletion: booleanParam('pending_deletion'),
})
export type AdminUsersQuery = z.output<typeof AdminUsersQuery>

export const adminUsers = endpoint('GET /api/admin/users', {
  summary: 'All people, newest first. `search` finds them by Discord name, Discord id and id. Values of one filter: any of them.',
  access: 'admin',
  query: AdminUsersQuery,
  envelope: 'bare',
  reply: paged(AdminUserRow),
})

const noUser = { 404: 'No such user.' }

export const adminUser = endpoint('GET /api/admin/users/{id}', {
  summary: 'One user with his servers.',
  access: 'admin',
  reply: AdminUser,
  rejections: noUser,
})

export const Ban = z.strictObject({
  banned: z.boolean({ error: 'Banned must be true or false.' }).default(true),
  banReason: lines({ label: 'The reason', max: 500 }).optional(),
  banned_until: BanEnd,
})

export const banUser = endpoint('PATCH /api/admin/users/{id}/ban', {
  summary:
    'Bans a user, or lifts the ban. Their servers leave the list at once, their offers end, and they can only read why and sign out.',
  access: 'admin',
  body: Ban,
  bodyOptional: true,
  reply: AdminUser,
  rejections: noUser,
})

const limit = (of: string) =>
  z
    .int({ error: `The most ${of} must be a whole number, or null for what the tier allows.` })
    .min(0, `The most ${of} must be 0 to 1000.`)
    .max(1000, `The most ${of} must be 0 to 1000.`)
    .nullable()
    .optional()

export const Limits = z.strictObject({
  max_masterlist_tokens: limit('servers'),
  max_managers: limit('managers'),
  max_masterlist_groups: limit('groups'),
})
export type Limits = z.output<typeof Limits>

export const changeLimits = endpoint('PATCH /api/admin/users/{id}', {
  summary: 'Sets how much a user may have; null is what his tier allows. What he has already stays, also over a lowered limit.',
  access: 'admin',
  body: Limits,
  reply: AdminUser,
  rejections: noUser,
})

const Tier = z.strictObject({
  tier_id: z.enum(TIER_IDS, { error: `tier_id must be one of ${TIER_IDS.join(', ')}, or null for the tier that he owns.` }).nullable(),
})

export const forceTier = endpoint('PUT /api/admin/users/{id}/tier', {
  summary: 'Forces a tier on a user, whatever he supports with; null goes back to his own.',
  access: 'admin',
  body: Tier,
  reply: AdminUser,
  rejections: noUser,
})

export const grantBenefit = endpoint('PUT /api/admin/users/{id}/benefits/{key}', {
  summary: 'Grants one benefit to a user.',
  access: 'admin',
  reply: AdminUser,
  rejections: noUser,
})

export const takeBenefit = endpoint('DELETE /api/admin/users/{id}/benefits/{key}', {
  summary: 'Takes a granted benefit back. What his tier gives stays; the last administrator stays one.',
  access: 'admin',
  reply: AdminUser,
  rejections: noUser,
})
