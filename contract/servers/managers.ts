/** Managers. A grant covers all servers of its owner. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import { endpoint } from '#contract/api/endpoint.ts'
import { ManagementIdParam, OwnerIdParam, PublicIdParam } from '#contract/api/path-params.ts'
import { ManagedServer, ManagedServerWithCredential, Reissue, ServerChanges } from './servers.ts'
import { BenefitKeyEnum, GivenManagement, PermissionEnum, UserId } from '#contract/users/users.ts'

export const Grant = z.strictObject({
  user_id: UserId,
  permissions: z
    .array(PermissionEnum, { error: texts.input_permissions_not_list })
    .refine((keys) => keys.length > 0, { error: texts.input_permissions_empty, abort: true })
    .refine((keys) => new Set(keys).size === keys.length, { error: texts.input_permission_repeated }),
})
export type Grant = z.output<typeof Grant>

export const grant = endpoint('POST /api/users/management', {
  summary: 'Grant permissions to a manager',
  description:
    'The grant covers all servers of the user. It replaces an earlier grant to the same user. An API key with this scope can give any permission.',
  access: 'member',
  scope: 'managers:write',
  limits: ['grants'],
  body: Grant,
  reply: GivenManagement,
  rejections: { 404: 'No such user.' },
})

export const revoke = endpoint('DELETE /api/users/management', {
  summary: 'Revoke a manager',
  description: 'Takes all permissions away at once.',
  access: 'member',
  scope: 'managers:write',
  body: z.strictObject({ user_id: UserId }),
  rejections: { 404: 'This user does not manage your servers.' },
})

export const resign = endpoint('DELETE /api/users/management/self/{id}', {
  summary: 'Stop managing for another user',
  access: 'member',
  scope: 'managers:write',
  rejections: { 404: 'No such management grant.' },
  params: { id: ManagementIdParam },
})

const noServer = { 404: 'No such server of this owner, or you do not manage it.' }
const ofManaged = { access: 'member', rejections: noServer, params: { ownerId: OwnerIdParam, serverId: PublicIdParam } } as const

export const managed = endpoint('GET /api/users/management/{ownerId}/tokens/{serverId}', {
  summary: 'Get a managed server',
  ...ofManaged,
  scope: 'servers:read',
  reply: ManagedServer,
})

export const changeManaged = endpoint('PATCH /api/users/management/{ownerId}/tokens/{serverId}', {
  summary: 'Change a managed server',
  description: 'Send only the fields that change. ServerChanges says which permission each field needs.',
  access: 'member',
  scope: 'servers:write',
  limits: ['changes'],
  versioned: true,
  body: ServerChanges,
  reply: ManagedServer,
  rejections: { ...noServer, 409: 'The name or the vanity ID is taken.' },
  params: { ownerId: OwnerIdParam, serverId: PublicIdParam },
})

export const reissueManaged = endpoint('PATCH /api/users/management/{ownerId}/tokens/{serverId}/reissue', {
  summary: 'Reissue the credential of a managed server',
  description: 'Needs REISSUE_CREDENTIAL.',
  ...ofManaged,
  scope: 'credentials:write',
  limits: ['reissues'],
  body: Reissue,
  bodyOptional: true,
  reply: ManagedServerWithCredential,
})

export const resetManagedAddress = endpoint('PATCH /api/users/management/{ownerId}/tokens/{serverId}/reset-ip', {
  summary: 'Reset the bound address of a managed server',
  description: 'Needs RESET_ADDRESS.',
  ...ofManaged,
  scope: 'credentials:write',
  limits: ['changes'],
  reply: ManagedServer,
})

export const Appearance = z
  .object({
    benefits: z.array(BenefitKeyEnum).describe('Which benefits the owner holds, of those that a server field needs.'),
    groups: z.array(z.object({ id: z.string(), name: z.string() })),
  })
  .meta({ id: 'Appearance' })
export type Appearance = z.output<typeof Appearance>

export const appearance = endpoint('GET /api/users/management/{ownerId}/appearance', {
  summary: "Get an owner's groups and benefits",
  description: 'What a manager can choose from. Needs EDIT_APPEARANCE.',
  access: 'member',
  scope: 'servers:read',
  reply: Appearance,
  rejections: { 403: 'Without the permission EDIT_APPEARANCE.', 404: 'No such owner, or they do not let you manage their servers.' },
  params: { ownerId: OwnerIdParam },
})
