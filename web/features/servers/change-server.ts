/**
 * Changing servers: one's own, those one manages, and, as an administrator, anybody's. A credential passes through a mutation's result
 * and is kept nowhere here.
 */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { BENEFIT_FIELDS } from '#contract/benefits.ts'
import type { BodyIn } from '#contract/endpoint.ts'
import type { Api } from '#contract/index.ts'
import type { AdminServer } from '#contract/servers-admin.ts'
import type { GRACE_SECONDS, ManagedServer, Server, ServerWithCredential } from '#contract/servers.ts'
import { call } from '#web/lib/call.ts'
import { isStatus } from '#web/lib/http-error.ts'
import { isAdministered, type ShownServer } from './access.ts'
import { keepAdministered, readAdministeredAnew } from './admin/admin-server-acts.ts'
import { keepManaged, keepServer, recheckManaged, serverListOptions } from './servers.api.ts'

type Changed = Server | ManagedServer | AdminServer

/** Puts what a change answered where it is shown: with an owner it is somebody else's server, or one that an administrator looks at. */
async function keep(client: QueryClient, server: Changed): Promise<void> {
  if ('open_issues' in server) await keepAdministered(client, server)
  else if ('owner' in server) keepManaged(client, server)
  else keepServer(client, server)
}

/** A refused change of somebody else's server may mean that a permission, or all of them, has just ended, or that it is gone. */
function recheck(client: QueryClient, server: ShownServer, error: Error): void {
  if (!isStatus(error, 403) && !isStatus(error, 404)) return
  if (isAdministered(server)) readAdministeredAnew(client, server.public_id)
  else if (server.owner) recheckManaged(client, server.owner.id, server.public_id)
}

function withoutCredential<S extends Server>(created: S & { credential: string }): Omit<typeof created, 'credential'> {
  const { credential, ...server } = created
  void credential
  return server
}

const own = ({ public_id }: ShownServer) => ({ id: public_id })
const others = ({ user_id, public_id }: ShownServer) => ({ ownerId: user_id, serverId: public_id })

type NewServerBody = BodyIn<Api['POST /api/users/tokens']>
type ServerChangesBody = BodyIn<Api['PATCH /api/users/tokens/{id}']>

/** Registers a server. The credential is only in the result: `gcTime: 0` lets go of it with the component. */
export function useCreateServer() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewServerBody) => call('POST /api/users/tokens', { body }),
    gcTime: 0,
    onSuccess: (server) => keepServer(client, withoutCredential(server)),
  })
}

export function useChangeServer(server: ShownServer) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ServerChangesBody): Promise<Changed> => {
      if (isAdministered(server)) return call('PATCH /api/admin/tokens/{id}', { params: own(server), body })
      return server.owner
        ? call('PATCH /api/users/management/{ownerId}/tokens/{serverId}', { params: others(server), body })
        : call('PATCH /api/users/tokens/{id}', { params: own(server), body })
    },
    onSuccess: async (changed, body) => {
      await keep(client, changed)
      if (BENEFIT_FIELDS.some((field) => body[field] !== undefined)) void client.invalidateQueries({ queryKey: ['benefits'] })
      // Another server has lost what this one has now.
      if (body.promoted === true) void client.invalidateQueries({ queryKey: serverListOptions.queryKey })
    },
    onError: (error) => recheck(client, server, error),
  })
}

/** For how many seconds the credential before a new one may go on working. */
export type Grace = (typeof GRACE_SECONDS)[number]

/** Makes a new credential; without a grace the old one ends at once. */
export function useReissue(server: ShownServer) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (grace_seconds: Grace | undefined): Promise<ServerWithCredential> => {
      const more = grace_seconds === undefined ? {} : { body: { grace_seconds } }
      return server.owner
        ? call('PATCH /api/users/management/{ownerId}/tokens/{serverId}/reissue', { params: others(server), ...more })
        : call('PATCH /api/users/tokens/{id}/reissue', { params: own(server), ...more })
    },
    gcTime: 0,
    onSuccess: (reissued) => keep(client, withoutCredential(reissued)),
    onError: (error) => recheck(client, server, error),
  })
}

export function useResetAddress(server: ShownServer) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (): Promise<Changed> => {
      if (isAdministered(server)) return call('PATCH /api/admin/tokens/{id}/reset-ip', { params: own(server) })
      return server.owner
        ? call('PATCH /api/users/management/{ownerId}/tokens/{serverId}/reset-ip', { params: others(server) })
        : call('PATCH /api/users/tokens/{id}/reset-ip', { params: own(server) })
    },
    onSuccess: (reset) => keep(client, reset),
    onError: (error) => recheck(client, server, error),
  })
}

/** Deletes a server for good. */
export function useDeleteServer(server: ShownServer) {
  const params = own(server)
  return useMutation({
    mutationFn: () =>
      isAdministered(server) ? call('DELETE /api/admin/tokens/{id}', { params }) : call('DELETE /api/users/tokens/{id}', { params }),
  })
}
