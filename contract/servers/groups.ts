/** Groups of an owner's servers under one name on the list. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import { endpoint } from '#contract/api/endpoint.ts'
import { GroupIdParam } from '#contract/api/path-params.ts'
import { line } from '#contract/text/text.ts'
import { Time } from '#contract/text/time.ts'

export const GROUP_NAME = { min: 3, max: 48 } as const

export const GroupInput = z.strictObject({ name: line({ label: texts.field_name, ...GROUP_NAME }) })
export type GroupInput = z.output<typeof GroupInput>

export const Group = z
  .object({
    id: z.string(),
    name: z.string(),
    servers: z.array(z.object({ public_id: z.string(), name: z.string() })).describe('The servers in the group.'),
    created_at: Time,
    version: z.int().describe('Rises with every change of the name, for `If-Match`.'),
  })
  .meta({ id: 'Group' })
export type Group = z.output<typeof Group>

const noGroup = { 404: 'No such group, or it is not yours.' }
const taken = { 409: 'Another group of yours has this name.' }
const writing = { access: 'member', scope: 'benefits:write', limits: ['changes'] } as const

export const list = endpoint('GET /api/users/groups', {
  summary: 'List your groups',
  description: 'Oldest first.',
  access: 'member',
  scope: 'servers:read',
  reply: z.array(Group),
})

export const create = endpoint('POST /api/users/groups', {
  summary: 'Create a group',
  description: 'Up to `max_masterlist_groups`. Needs MASTERLIST_GROUPS.',
  ...writing,
  body: GroupInput,
  reply: Group,
  rejections: taken,
})

export const rename = endpoint('PATCH /api/users/groups/{id}', {
  summary: 'Rename a group',
  ...writing,
  versioned: true,
  body: GroupInput,
  reply: Group,
  rejections: { ...noGroup, ...taken },
  params: { id: GroupIdParam },
})

export const remove = endpoint('DELETE /api/users/groups/{id}', {
  summary: 'Delete a group',
  description: 'Its servers stay and have no group.',
  ...writing,
  rejections: noGroup,
  params: { id: GroupIdParam },
})
