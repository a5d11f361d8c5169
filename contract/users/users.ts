/** Users: `me` is the signed-in user, `PublicUser` what others see. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import * as m from '#contract/text/messages.ts'
import { BENEFIT_KEYS, TIER_IDS } from '#contract/benefits/benefits.ts'
import { endpoint } from '#contract/api/endpoint.ts'
import { DiscordNameParam, UserIdParam } from '#contract/api/path-params.ts'
import { PERMISSION_KEYS } from '#contract/servers/permissions.ts'
import { Time } from '#contract/text/time.ts'

const DiscordProfile = z
  .object({
    discord_id: z.string().describe("Discord's snowflake. `oidc:` and 22 characters for an account without Discord."),
    username: z.string(),
    avatar: z.string().nullable().describe('The hash of the avatar. Null if there is none.'),
  })
  .meta({ id: 'DiscordProfile' })

export const PublicUser = z.object({ id: z.string(), discord: DiscordProfile }).meta({ id: 'PublicUser' })
export type PublicUser = z.output<typeof PublicUser>

/** Whether it is Discord's. An account without Discord has the ID of one of its identities of OpenID Connect. */
export const isDiscordId = (id: string): boolean => !id.startsWith('oidc:')

export const BenefitKeyEnum = z.enum(BENEFIT_KEYS).meta({ id: 'BenefitKey' })
export const TierEnum = z.enum(TIER_IDS).meta({ id: 'Tier' })
export const PermissionEnum = z
  .enum(PERMISSION_KEYS, { error: m.mustBeOneOf(texts.field_permission, PERMISSION_KEYS) })
  .meta({ id: 'Permission' })

const HeldBenefit = z.object({
  key: BenefitKeyEnum,
  source: z.enum(['tier', 'grant']).describe('Whether the tier or a grant to this user gives it.'),
})

export const UserId = z.uuid({ error: m.mustBeUserId('user_id') }).toLowerCase()

const Management = z.object({ id: z.string(), permissions: z.array(PermissionEnum), created_at: Time })

/** A grant as its owner sees it. */
export const GivenManagement = Management.extend({ manager_id: z.string(), manager: PublicUser }).meta({ id: 'GivenManagement' })
export type GivenManagement = z.output<typeof GivenManagement>

/** A grant as its manager sees it. */
export const ReceivedManagement = Management.extend({ owner_id: z.string(), owner: PublicUser }).meta({ id: 'ReceivedManagement' })
export type ReceivedManagement = z.output<typeof ReceivedManagement>

export const Me = z
  .object({
    id: z.string(),
    discord: DiscordProfile,
    created_at: Time.describe('When the user signed in for the first time.'),
    benefits: z.array(HeldBenefit),
    active_tier: TierEnum.nullable().describe('The tier in force: the forced one, else the owned one.'),
    owned_tier: TierEnum.nullable().describe('The tier that the user pays for.'),
    is_tier_forced: z.boolean(),
    max_masterlist_tokens: z.int(),
    max_managers: z.int(),
    max_masterlist_groups: z.int(),
    delete_at: Time.nullable().describe('When the account will be erased. Null if no deletion is requested.'),
    gived_managements: z.array(GivenManagement),
    recieved_managements: z.array(ReceivedManagement),
    banned: z.boolean(),
    ban_reason: z.string().optional(),
    banned_until: Time.optional().describe('When the ban ends automatically. Absent if it does not.'),
  })
  .meta({ id: 'Me' })
export type Me = z.output<typeof Me>

export const me = endpoint('GET /api/auth/me', {
  summary: 'Get the signed-in user',
  access: 'session',
  scope: 'servers:read',
  reply: Me,
})

const ofOthers = { access: 'member', scope: 'servers:read', reply: PublicUser } as const

export const publicUser = endpoint('GET /api/users/public/{id}', {
  summary: 'Get a user',
  description: 'What other users can see.',
  ...ofOthers,
  rejections: { 404: 'No such user.' },
  params: { id: UserIdParam },
})

export const publicUserByName = endpoint('GET /api/users/public/discord/{username}', {
  summary: 'Find a user by Discord name',
  description:
    'The whole name must match, case-insensitive. If several match, a Discord user comes first. At most 20 calls a minute and 200 a day.',
  ...ofOthers,
  limits: ['searches', 'searches-of-a-day'],
  rejections: { 404: 'Nobody with this name has signed in here.' },
  params: { username: DiscordNameParam },
})
