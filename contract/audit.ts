/** The audit log: every change, by whom, before and after. Rows are only ever added (contract section 9). */
import { z } from 'zod'
import { Values } from './activity.ts'
import { endpoint } from './endpoint.ts'
import { ACTIONS, ACTOR_ROLES } from './events.ts'
import { anyOf, paged, paging } from './paging.ts'
import { Time } from './time.ts'
import { PublicUser } from './users.ts'

/** A row with everybody in it by name; an id without a person is an account that is erased. */
export const AuditEntry = z
  .object({
    id: z.string(),
    at: Time,
    action: z.enum(ACTIONS),
    as: z.enum(ACTOR_ROLES),
    actor_id: z.string().nullable().describe('Who did it; null for the program.'),
    actor: PublicUser.nullable(),
    owner_id: z.string().nullable().describe('Whose account or server it is about.'),
    owner: PublicUser.nullable(),
    user_id: z.string().nullable().describe('The other person in it.'),
    user: PublicUser.nullable(),
    server: z.object({ public_id: z.string(), name: z.string() }).nullable().describe('Under the name it had then.'),
    before: Values.nullable(),
    after: Values.nullable(),
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.output<typeof AuditEntry>

const someId = (name: string) =>
  z
    .string({ error: `${name} must be an id.` })
    .regex(/^[0-9A-Za-z-]{7,36}$/, `${name} must be an id.`)
    .optional()

export const AuditQuery = z.strictObject({
  ...paging(['at']),
  actor_id: someId('actor_id').describe('The id of who did it.'),
  target_id: someId('target_id').describe('The id of a user or the public id of a server that it is about.'),
  action: anyOf('action', ACTIONS),
  as: anyOf('as', ACTOR_ROLES),
})
export type AuditQuery = z.output<typeof AuditQuery>

export const audit = endpoint('GET /api/admin/audit', {
  summary: 'What happened, newest first. `search` is the Discord name or id of a person in it, or the name or public id of a server.',
  access: 'admin',
  query: AuditQuery,
  envelope: 'bare',
  reply: paged(AuditEntry),
})
