/** What happened: who changed what, from what to what, and when. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Time } from './time.ts'
import { PublicUser } from './users.ts'

export const ACTIONS = [
  'SERVER_CREATED',
  'SERVER_CHANGED',
  'SERVER_DELETED',
  'SERVER_BANNED',
  'SERVER_UNBANNED',
  'CREDENTIAL_REISSUED',
  'ADDRESS_RESET',
  'TRANSFER_OFFERED',
  'TRANSFER_CANCELLED',
  'TRANSFER_DECLINED',
  'TRANSFER_ACCEPTED',
  'TRANSFER_LAPSED',
  'MANAGER_GRANTED',
  'MANAGER_CHANGED',
  'MANAGER_REVOKED',
  'MANAGER_REFUSED',
  'ACCOUNT_CREATED',
  'ACCOUNT_DELETION_REQUESTED',
  'ACCOUNT_DELETION_CANCELLED',
  'ACCOUNT_ERASED',
  'ACCOUNT_BANNED',
  'ACCOUNT_UNBANNED',
  'LIMITS_CHANGED',
  'BENEFIT_GRANTED',
  'BENEFIT_TAKEN',
  'TIER_CHANGED',
  'BENEFIT_SETTINGS_CHANGED',
  'GROUP_CREATED',
  'GROUP_RENAMED',
  'GROUP_DELETED',
  'ISSUE_OPENED',
  'ISSUE_ACKNOWLEDGED',
  'ISSUE_REPLIED',
  'ISSUE_NOTED',
  'ISSUE_CONSEQUENCE_CHANGED',
  'ISSUE_RESOLVED',
  'ISSUE_DISMISSED',
  'ISSUE_REOPENED',
] as const
export type Action = (typeof ACTIONS)[number]

/** In which part somebody acted: about his own things, as somebody's manager, as an administrator, or the program by itself. */
export const ACTOR_ROLES = ['self', 'manager', 'administrator', 'system'] as const
export type ActorRole = (typeof ACTOR_ROLES)[number]

export const Values = z.record(z.string(), z.unknown()).describe('The fields that changed; never a secret.')

export const ActivityEntry = z
  .object({
    id: z.string(),
    at: Time,
    action: z.enum(ACTIONS),
    as: z.enum(ACTOR_ROLES),
    actor: PublicUser.nullable().describe('Who did it; null for the program, for an administrator, and for an account that is erased.'),
    owner: PublicUser.nullable().describe('Whose account or server it is about; null where erased.'),
    server: z.object({ public_id: z.string(), name: z.string() }).nullable().describe('Under the name it had then.'),
    user: PublicUser.nullable().describe('The other person in it: the manager, the recipient or the sender. Null where none, or erased.'),
    before: Values.nullable(),
    after: Values.nullable(),
  })
  .meta({ id: 'ActivityEntry' })
export type ActivityEntry = z.output<typeof ActivityEntry>

/** How many entries one page holds. */
export const ACTIVITY_PAGE = 50

const Page = z.strictObject({
  before: z
    .string({ error: 'before must be the id of the last entry of the page before.' })
    .regex(/^\d{1,18}$/, 'before must be the id of the last entry of the page before.')
    .optional(),
})

export const ofServer = endpoint('GET /api/users/tokens/{id}/activity', {
  summary: "What happened to one of the user's servers since it is his, newest first, 50 at a time.",
  access: 'member',
  query: Page,
  reply: z.array(ActivityEntry),
  refusals: { 404: 'No such server, or it is not yours.' },
})

export const ofAccount = endpoint('GET /api/users/activity', {
  summary: 'What happened to the account, its servers, its managers and its transfers, newest first, 50 at a time.',
  access: 'member',
  query: Page,
  reply: z.array(ActivityEntry),
})
