/** Deleted servers, which rest in a bin before they are deleted for good. */
import { z } from 'zod'
import { BIN_DAYS, MIN_BIN_SERVERS } from './bin-days.ts'
import { endpoint } from '#contract/api/endpoint.ts'
import { PublicIdParam } from '#contract/api/path-params.ts'
import { Server } from './servers.ts'
import { Time } from '#contract/text/time.ts'

export const DeletedServer = z
  .object({
    public_id: z.string(),
    name: z.string().describe('No other server can have this name while the server is here.'),
    vanity_url: z.string().nullable().describe('The vanity ID that it had. It comes back if no other server has it.'),
    banned: z.boolean().describe('A banned server is still banned after it is restored.'),
    deleted_at: Time.describe('The first deletion, if the server was restored and deleted again before `restorable_until`.'),
    restorable_until: Time.describe('When the server is deleted for good, if the bin has room until then.'),
  })
  .meta({ id: 'DeletedServer' })
export type DeletedServer = z.output<typeof DeletedServer>

export const list = endpoint('GET /api/users/tokens/deleted', {
  summary: 'List your deleted servers',
  description: `The servers that were deleted in the last ${BIN_DAYS} days, newest first. There are at most as many as your limit of servers, or ${MIN_BIN_SERVERS} if that is more: deleting another deletes the oldest for good.`,
  access: 'member',
  scope: 'servers:read',
  reply: z.array(DeletedServer),
})

export const restore = endpoint('POST /api/users/tokens/deleted/{id}/restore', {
  summary: 'Restore a deleted server',
  description: 'It keeps its public ID, name and history. It has no credential until you reissue one.',
  access: 'member',
  scope: 'servers:write',
  limits: ['changes'],
  reply: Server,
  rejections: { 403: 'You have reached your limit of servers.', 404: 'No such deleted server, or it is not yours.' },
  params: { id: PublicIdParam },
})
