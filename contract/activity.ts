/** What happened: who changed what, from what to what, and when. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { ACTIONS, ACTOR_ROLES } from './events.ts'
import { Time } from './time.ts'
import { PublicUser } from './users.ts'

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
  rejections: { 404: 'No such server, or it is not yours.' },
})

export const ofAccount = endpoint('GET /api/users/activity', {
  summary: 'What happened to the account, its servers, its managers and its transfers, newest first, 50 at a time.',
  access: 'member',
  query: Page,
  reply: z.array(ActivityEntry),
})
