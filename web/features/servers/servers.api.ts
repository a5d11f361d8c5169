import { queryOptions, type QueryClient, useQuery } from '@tanstack/react-query'
import type { ManagedServer, Server } from '#contract/servers/servers.ts'
import type { ServerTransfer } from '#contract/servers/transfers.ts'
import { call } from '#web/lib/http/call.ts'

const ADMIN_POLL_MS = 10_000

export const serverListOptions = queryOptions({
  queryKey: ['servers'],
  queryFn: ({ signal }) => call('GET /api/users/tokens', { signal }),
})

/** Under the list's key, because the same events change both. */
export const deletedServersOptions = queryOptions({
  queryKey: [...serverListOptions.queryKey, 'deleted'],
  queryFn: ({ signal }) => call('GET /api/users/tokens/deleted', { signal }),
})

export const serverOptions = (id: string) =>
  queryOptions({ queryKey: ['server', id], queryFn: ({ signal }) => call('GET /api/users/tokens/{id}', { params: { id }, signal }) })

export const managedServerOptions = (ownerId: string, serverId: string) =>
  queryOptions({
    queryKey: ['managed', ownerId, serverId],
    queryFn: ({ signal }) => call('GET /api/users/management/{ownerId}/tokens/{serverId}', { params: { ownerId, serverId }, signal }),
  })

export const announcesOptions = (id: string, asAdmin = false) =>
  queryOptions({
    queryKey: asAdmin ? ['admin', 'server', id, 'announces'] : ['server', id, 'announces'],
    queryFn: ({ signal }) =>
      asAdmin
        ? call('GET /api/admin/tokens/{id}/announces', { params: { id }, signal })
        : call('GET /api/users/tokens/{id}/announces', { params: { id }, signal }),
    ...(asAdmin && { refetchInterval: ADMIN_POLL_MS, refetchOnMount: 'always' }),
  })

/** How players reach a server. Null before its first announce. */
export const endpointOptions = (id: string) =>
  queryOptions({
    queryKey: ['server', id, 'endpoint'],
    queryFn: ({ signal }) => call('GET /api/users/tokens/{id}/endpoint', { params: { id }, signal }),
  })

/** Polled: administrators receive no events about other users' servers. */
export const adminServerOptions = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'server', id],
    queryFn: ({ signal }) => call('GET /api/admin/tokens/{id}', { params: { id }, signal }),
    refetchInterval: ADMIN_POLL_MS,
  })

/** The appearance that a manager can give an owner's servers. The `benefits` event invalidates it through its key. */
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

export function useOutgoingTransfer(publicId: string): ServerTransfer | undefined {
  const { data: list } = useQuery(serverListOptions)
  return list?.outgoing_transfers.find(({ token }) => token.public_id === publicId)
}

export function setServerCache(client: QueryClient, server: Server): void {
  client.setQueryData(serverOptions(server.public_id).queryKey, server)
  updateOwnedServers(client, (owned) => upsertServer(owned, server))
}

function upsertServer<S extends Server>(all: readonly S[], server: S): S[] {
  const isKnown = all.some((each) => each.public_id === server.public_id)
  return isKnown ? all.map((each) => (each.public_id === server.public_id ? server : each)) : [...all, server]
}

/** Refetches the list if the number of servers changed, because incoming transfers depend on it. */
function updateOwnedServers(client: QueryClient, change: (owned: readonly Server[]) => Server[]): void {
  const list = client.getQueryData(serverListOptions.queryKey)
  if (!list) return
  const owned = change(list.owned)
  client.setQueryData(serverListOptions.queryKey, { ...list, owned })
  if (owned.length === list.owned.length || list.incoming_transfers.length === 0) return
  void client.invalidateQueries({ queryKey: serverListOptions.queryKey })
}

export function removeServerFromCache(client: QueryClient, id: string): void {
  updateOwnedServers(client, (owned) => owned.filter((each) => each.public_id !== id))
  client.removeQueries({ queryKey: ['server', id] })
}

export function setManagedServerCache(client: QueryClient, server: ManagedServer): void {
  client.setQueryData(managedServerOptions(server.user_id, server.public_id).queryKey, server)
  client.setQueryData(serverListOptions.queryKey, (list) => list && { ...list, management: upsertServer(list.management, server) })
}

/** Removes a managed server from the list, and refetches it if its page is open. */
export function removeManagedServerFromCache(client: QueryClient, ownerId: string, id: string): void {
  client.setQueryData(
    serverListOptions.queryKey,
    // After a transfer, the user may manage the server for its new owner.
    (list) => list && { ...list, management: list.management.filter((each) => each.public_id !== id || each.user_id !== ownerId) },
  )
  invalidateManagedServer(client, ownerId, id)
}

/** Refetches a managed server if its page is open, and otherwise removes it from the cache. */
export function invalidateManagedServer(client: QueryClient, ownerId: string, id: string): void {
  const { queryKey } = managedServerOptions(ownerId, id)
  client.removeQueries({ queryKey, type: 'inactive' })
  void client.invalidateQueries({ queryKey })
}
