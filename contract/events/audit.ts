/** The audit log: every change, by whom, with the values before and after. Append-only. */
import { z } from 'zod'
import * as m from '#contract/text/messages.ts'
import { ActivityEntry } from './activity.ts'
import { endpoint } from '#contract/api/endpoint.ts'
import { ACTIONS, ACTOR_ROLES } from './events.ts'
import { anyOf, paged, paging } from '#contract/api/paging.ts'
import { PublicUser } from '#contract/users/users.ts'

/** A row with the IDs and names of its people. An ID without a person is an erased account. */
export const AuditEntry = ActivityEntry.extend({
  actor_id: z.string().nullable().describe('The user who did it. Null for the program.'),
  actor: PublicUser.nullable(),
  owner_id: z.string().nullable().describe('The owner of the account or server.'),
  user_id: z.string().nullable().describe('The manager, recipient or sender.'),
  api_key: z.string().nullable().describe('The name of the API key that the actor used.'),
}).meta({ id: 'AuditEntry' })
export type AuditEntry = z.output<typeof AuditEntry>

const idFilter = (name: string) =>
  z
    .string({ error: m.mustBeId(name) })
    .regex(/^[0-9A-Za-z-]{7,36}$/, { error: m.mustBeId(name) })
    .optional()

export const AuditQuery = z.strictObject({
  ...paging(['at']),
  actor_id: idFilter('actor_id').describe('The ID of the user who did it.'),
  target_id: idFilter('target_id').describe('The ID of the user, or the public ID of the server, that it is about.'),
  action: anyOf('action', ACTIONS),
  as: anyOf('as', ACTOR_ROLES),
})
export type AuditQuery = z.output<typeof AuditQuery>

export const audit = endpoint('GET /api/admin/audit', {
  summary: 'List the audit log',
  description: 'Newest first. `search` finds the Discord name or ID of a user, and the name or public ID of a server.',
  access: 'admin',
  query: AuditQuery,
  envelope: 'bare',
  reply: paged(AuditEntry),
})
