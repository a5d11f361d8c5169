/** Servers that a user pins to the top of their list in the panel. */
import { endpoint } from '#contract/api/endpoint.ts'
import { PublicIdParam } from '#contract/api/path-params.ts'

/** For each user. */
export const MAX_PINNED_SERVERS = 20

const noServer = { 404: 'No such server, or you neither own nor manage it.' }
const ofServer = { access: 'member', scope: 'servers:write', limits: ['changes'], params: { id: PublicIdParam } } as const

export const pin = endpoint('PUT /api/users/tokens/{id}/pin', {
  summary: 'Pin a server',
  description: `Pinned servers come first in the panel, for you only. You can pin ${MAX_PINNED_SERVERS} of those that you own or manage.`,
  ...ofServer,
  rejections: { 403: `You have pinned ${MAX_PINNED_SERVERS} servers.`, ...noServer },
})

export const unpin = endpoint('DELETE /api/users/tokens/{id}/pin', {
  summary: 'Unpin a server',
  description: 'Also succeeds if it is not pinned.',
  ...ofServer,
  rejections: noServer,
})
