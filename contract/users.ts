/** People: the signed-in user (`me`) and what others may see of somebody (product.md section 3, contract section 4). */
import { z } from 'zod'
import { BENEFIT_KEYS, TIER_IDS } from './benefits.ts'
import { endpoint } from './endpoint.ts'
import { PERMISSION_KEYS } from './permissions.ts'
import { Time } from './time.ts'

const DiscordProfile = z
  .object({
    discord_id: z.string().describe("Discord's snowflake."),
    username: z.string(),
    avatar: z.string().nullable().describe('The avatar hash; null where the person has none.'),
  })
  .meta({ id: 'DiscordProfile' })

export const PublicUser = z.object({ id: z.string(), discord: DiscordProfile }).meta({ id: 'PublicUser' })
export type PublicUser = z.output<typeof PublicUser>

const HeldBenefit = z.object({
  key: z.enum(BENEFIT_KEYS),
  source: z.enum(['tier', 'grant']).describe('Whether a tier gives it or a grant to this one user.'),
})

/** The id of a user, as a call's body names it. */
export const UserId = z.uuid({ error: 'user_id must be the id of a user.' }).toLowerCase()

const Management = z.object({ id: z.string(), permissions: z.array(z.enum(PERMISSION_KEYS)), created_at: Time })

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
    benefits: z.array(HeldBenefit),
    active_tier: z.enum(TIER_IDS).nullable(),
    owned_tier: z.enum(TIER_IDS).nullable(),
    is_tier_forced: z.boolean(),
    max_masterlist_tokens: z.int(),
    max_managers: z.int(),
    max_masterlist_groups: z.int(),
    delete_at: Time.nullable(),
    gived_managements: z.array(GivenManagement),
    recieved_managements: z.array(ReceivedManagement),
    banned: z.boolean(),
    ban_reason: z.string().optional(),
    banned_until: Time.optional().describe('When the ban ends by itself; left out where it does not.'),
  })
  .meta({ id: 'Me' })
export type Me = z.output<typeof Me>

export const me = endpoint('GET /api/auth/me', {
  summary: 'The signed-in user.',
  access: 'session',
  reply: Me,
})

export const publicUser = endpoint('GET /api/users/public/{id}', {
  summary: 'What others see of a user.',
  access: 'member',
  reply: PublicUser,
  rejections: { 404: 'No such user.' },
})

export const publicUserByName = endpoint('GET /api/users/public/discord/{username}', {
  summary: 'Finds a user by the exact name on Discord, upper and lower case alike. 20 a minute and 200 a day.',
  access: 'member',
  reply: PublicUser,
  rejections: { 404: 'Nobody with this name has signed in here.' },
})
