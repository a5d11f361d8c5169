/** Reading and changing servers. A credential passes through a mutation's result and is kept nowhere here. */
import { queryOptions, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { BENEFIT_FIELDS } from '#contract/benefits.ts'
import type { BodyIn } from '#contract/endpoint.ts'
import type { Api } from '#contract/index.ts'
import type { GRACE_SECONDS, ManagedServer, Server, ServerList, ServerWithCredential } from '#contract/servers.ts'
import { call } from '#web/lib/call.ts'
import { HttpError } from '#web/lib/http-error.ts'
import type { ShownServer } from './access.ts'

export const serverListOptions = queryOptions({
  queryKey: ['servers'],
  queryFn: ({ signal }) => call('GET /api/users/tokens', { signal }),
})

export const serverOptions = (id: string) =>
  queryOptions({ queryKey: ['server', id], queryFn: ({ signal }) => call('GET /api/users/tokens/{id}', { params: { id }, signal }) })

/** A server of somebody else. */
export const managedOptions = (ownerId: string, serverId: string) =>
  queryOptions({
    queryKey: ['managed', ownerId, serverId],
    queryFn: ({ signal }) => call('GET /api/users/management/{ownerId}/tokens/{serverId}', { params: { ownerId, serverId }, signal }),
  })

export const announcesOptions = (id: string) =>
  queryOptions({
    queryKey: ['server', id, 'announces'],
    queryFn: ({ signal }) => call('GET /api/users/tokens/{id}/announces', { params: { id }, signal }),
  })

/** What a manager can give the servers of an owner. Its key begins with `benefits`, whose event reads it anew. */
export const appearanceOptions = (ownerId: string) =>
  queryOptions({
    queryKey: ['benefits', 'appearance', ownerId],
    queryFn: ({ signal }) => call('GET /api/users/management/{ownerId}/appearance', { params: { ownerId }, signal }),
  })

export const languagesOptions = queryOptions({
  queryKey: ['languages'],
  queryFn: ({ signal }) => call('GET /api/users/tokens/availableLanguages', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Puts a server as it is now everywhere it is shown. */
export function keepServer(client: QueryClient, server: Server): void {
  client.setQueryData(serverOptions(server.public_id).queryKey, server)
  setOwned(client, (owned) => withServer(owned, server))
}

function withServer(owned: readonly Server[], server: Server): Server[] {
  const known = owned.some((each) => each.public_id === server.public_id)
  return known ? owned.map((each) => (each.public_id === server.public_id ? server : each)) : [...owned, server]
}

/** With another number of servers other offers can be accepted: what stands in their way is read anew. */
function setOwned(client: QueryClient, change: (owned: readonly Server[]) => Server[]): void {
  const before = client.getQueryData(serverListOptions.queryKey)
  if (!before) return
  const owned = change(before.owned)
  client.setQueryData(serverListOptions.queryKey, { ...before, owned })
  if (owned.length === before.owned.length || before.incoming_transfers.length === 0) return
  void client.invalidateQueries({ queryKey: serverListOptions.queryKey })
}

/** Takes a server that is gone out of everything that shows it. */
export function dropServer(client: QueryClient, id: string): void {
  setOwned(client, (owned) => owned.filter((each) => each.public_id !== id))
  client.removeQueries({ queryKey: ['server', id] })
}

/** The same for somebody else's server. */
export function keepManaged(client: QueryClient, server: ManagedServer): void {
  client.setQueryData(managedOptions(server.user_id, server.public_id).queryKey, server)
  client.setQueryData(serverListOptions.queryKey, (list) => list && { ...list, management: withManaged(list, server) })
}

function withManaged({ management }: ServerList, server: ManagedServer): ManagedServer[] {
  const known = management.some((each) => each.public_id === server.public_id)
  return known ? management.map((each) => (each.public_id === server.public_id ? server : each)) : [...management, server]
}

/** Takes somebody else's server out of the list. Its page, where it is open, learns by itself that it is over. */
export function dropManaged(client: QueryClient, ownerId: string, id: string): void {
  client.setQueryData(
    serverListOptions.queryKey,
    // Handed over to somebody else whom one manages for, it stands there again under that owner.
    (list) => list && { ...list, management: list.management.filter((each) => each.public_id !== id || each.user_id !== ownerId) },
  )
  recheckManaged(client, ownerId, id)
}

/** Asks again whether, and how, a managed server may be managed: what is not shown is forgotten, what is shown is read. */
function recheckManaged(client: QueryClient, ownerId: string, id: string): void {
  const { queryKey } = managedOptions(ownerId, id)
  client.removeQueries({ queryKey, type: 'inactive' })
  void client.invalidateQueries({ queryKey })
}

/** Puts what a change answered where it is shown: with an owner it is somebody else's server. */
function keep(client: QueryClient, server: Server | ManagedServer): void {
  if ('owner' in server) keepManaged(client, server)
  else keepServer(client, server)
}

/** A refused change of somebody else's server may mean that a permission, or all of them, has just ended. */
function recheck(client: QueryClient, { owner, public_id }: ShownServer, error: Error): void {
  if (owner && error instanceof HttpError && (error.status === 403 || error.status === 404)) recheckManaged(client, owner.id, public_id)
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
    mutationFn: (body: ServerChangesBody): Promise<Server | ManagedServer> =>
      server.owner
        ? call('PATCH /api/users/management/{ownerId}/tokens/{serverId}', { params: others(server), body })
        : call('PATCH /api/users/tokens/{id}', { params: own(server), body }),
    onSuccess: (changed, body) => {
      keep(client, changed)
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
    mutationFn: (): Promise<Server | ManagedServer> =>
      server.owner
        ? call('PATCH /api/users/management/{ownerId}/tokens/{serverId}/reset-ip', { params: others(server) })
        : call('PATCH /api/users/tokens/{id}/reset-ip', { params: own(server) }),
    onSuccess: (reset) => keep(client, reset),
    onError: (error) => recheck(client, server, error),
  })
}

export function useDeleteServer(id: string) {
  return useMutation({ mutationFn: () => call('DELETE /api/users/tokens/{id}', { params: { id } }) })
}
