/** Letting others manage one's servers (product.md section 7, contract section 6). A grant is over all servers of its owner. */
import { z } from 'zod'
import { BENEFIT_KEYS } from './benefits.ts'
import { endpoint } from './endpoint.ts'
import { PERMISSION_KEYS } from './permissions.ts'
import { ManagedServer, ManagedServerWithCredential, Reissue, ServerChanges } from './servers.ts'
import { GivenManagement, UserId } from './users.ts'

export const Grant = z.strictObject({
  user_id: UserId,
  permissions: z
    .array(z.enum(PERMISSION_KEYS, { error: `A permission must be one of ${PERMISSION_KEYS.join(', ')}.` }), {
      error: 'Permissions must be a list.',
    })
    .refine((keys) => keys.length > 0, {
      error: 'Give at least one permission. To take all of them away, revoke the manager.',
      abort: true,
    })
    .refine((keys) => new Set(keys).size === keys.length, { error: 'Each permission can be given only once.' }),
})
export type Grant = z.output<typeof Grant>

export const grant = endpoint('POST /api/users/management', {
  summary: 'Lets somebody manage all your servers with these permissions, or changes the permissions he has.',
  access: 'member',
  body: Grant,
  reply: GivenManagement,
  rejections: { 404: 'No such user.' },
})

export const revoke = endpoint('DELETE /api/users/management', {
  summary: 'Takes all permissions from a manager, at once.',
  access: 'member',
  body: z.strictObject({ user_id: UserId }),
  envelope: 'none',
  rejections: { 404: 'This user does not manage your servers.' },
})

export const resign = endpoint('DELETE /api/users/management/self/{id}', {
  summary: "Ends one's own management of somebody else's servers.",
  access: 'member',
  envelope: 'none',
  rejections: { 404: 'No such management of yours.' },
})

const notThere = { 404: 'No such server of this owner, or you do not manage it.' }

export const managed = endpoint('GET /api/users/management/{ownerId}/tokens/{serverId}', {
  summary: 'A server of somebody else that the user manages.',
  access: 'member',
  reply: ManagedServer,
  rejections: notThere,
})

export const changeManaged = endpoint('PATCH /api/users/management/{ownerId}/tokens/{serverId}', {
  summary: 'Changes the fields that the permissions allow: EDIT_DETAILS the texts and visibility, EDIT_APPEARANCE the rest.',
  access: 'member',
  body: ServerChanges,
  reply: ManagedServer,
  rejections: { ...notThere, 409: 'The name or the vanity id is taken.' },
})

export const reissueManaged = endpoint('PATCH /api/users/management/{ownerId}/tokens/{serverId}/reissue', {
  summary: 'Makes a new credential, with the permission REISSUE_CREDENTIAL.',
  access: 'member',
  body: Reissue,
  bodyOptional: true,
  reply: ManagedServerWithCredential,
  rejections: notThere,
})

export const resetManagedAddress = endpoint('PATCH /api/users/management/{ownerId}/tokens/{serverId}/reset-ip', {
  summary: 'Forgets the bound address, with the permission RESET_ADDRESS.',
  access: 'member',
  reply: ManagedServer,
  rejections: notThere,
})

export const Appearance = z
  .object({
    benefits: z.array(z.enum(BENEFIT_KEYS)).describe('Which benefits the owner holds, of those that a server field needs.'),
    groups: z.array(z.object({ id: z.string(), name: z.string() })),
  })
  .meta({ id: 'Appearance' })
export type Appearance = z.output<typeof Appearance>

export const appearance = endpoint('GET /api/users/management/{ownerId}/appearance', {
  summary: "What a manager can give the owner's servers: the owner's groups, and which fields the owner's benefits unlock.",
  access: 'member',
  reply: Appearance,
  rejections: { 403: 'Without the permission EDIT_APPEARANCE.', 404: 'No such owner, or he does not let you manage his servers.' },
})
