/** The activity log: who changed what, when, with the values before and after. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import { endpoint } from '#contract/api/endpoint.ts'
import { PublicIdParam } from '#contract/api/path-params.ts'
import { ACTIONS, ACTOR_ROLES } from './events.ts'
import { Time } from '#contract/text/time.ts'
import { PublicUser } from '#contract/users/users.ts'

const Values = z.record(z.string(), z.unknown()).describe('The fields that changed; never a secret.')

const GroupNames = z
  .record(z.string(), z.string())
  .describe('The current names of the groups in `before` and `after`, by ID. A deleted group has none.')

const ActionEnum = z.enum(ACTIONS).meta({ id: 'Action' })
const ActorRoleEnum = z.enum(ACTOR_ROLES).meta({ id: 'ActorRole' })

export const ActivityEntry = z
  .object({
    id: z.string(),
    at: Time,
    action: ActionEnum,
    as: ActorRoleEnum,
    actor: PublicUser.nullable().describe('The user who did it. Null for the program, for an administrator and for an erased account.'),
    owner: PublicUser.nullable().describe('The owner of the account or server. Null if erased.'),
    server: z.object({ public_id: z.string(), name: z.string() }).nullable().describe('With the name at that time.'),
    user: PublicUser.nullable().describe('The manager, recipient or sender. Null if none, or erased.'),
    api_key: z.string().nullable().describe('The name of the API key that the actor used. Only the actor and administrators see it.'),
    before: Values.nullable(),
    after: Values.nullable(),
    group_names: GroupNames,
  })
  .meta({ id: 'ActivityEntry' })
export type ActivityEntry = z.output<typeof ActivityEntry>

/** Entries per page. */
export const ACTIVITY_PAGE = 50

const Page = z.strictObject({
  before: z
    .string({ error: texts.input_before_invalid })
    .regex(/^\d{1,18}$/, { error: texts.input_before_invalid })
    .optional(),
})
const page = { access: 'member', query: Page, reply: z.array(ActivityEntry) } as const

export const ofServer = endpoint('GET /api/users/tokens/{id}/activity', {
  summary: 'List the activity of a server',
  description: 'Since the user owns it. Newest first, 50 entries a page.',
  ...page,
  scope: 'servers:read',
  rejections: { 404: 'No such server, or it is not yours.' },
  params: { id: PublicIdParam },
})

export const ofAccount = endpoint('GET /api/users/activity', {
  summary: 'List the activity of your account',
  description: 'Covers the account, its servers, managers and transfers. Newest first, 50 entries a page.',
  ...page,
})
