import { queryOptions, type QueryClient, useQuery } from '@tanstack/react-query'
import type { ManagedServer, Server } from '#contract/servers.ts'
import type { ServerTransfer } from '#contract/transfers.ts'
import { call } from '#web/lib/call.ts'

const ADMIN_POLL_MS = 10_000

export const serverListOptions = queryOptions({
  queryKey: ['servers'],
  queryFn: ({ signal }) => call('GET /api/users/tokens', { signal }),
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

/** No event tells an administrator what others change, so what is shown is polled. */
export const adminServerOptions = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'server', id],
    queryFn: ({ signal }) => call('GET /api/admin/tokens/{id}', { params: { id }, signal }),
    refetchInterval: ADMIN_POLL_MS,
  })

/** What a manager can give an owner's servers. Its key begins with `benefits`, so that event invalidates it. */
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
  const known = all.some((each) => each.public_id === server.public_id)
  return known ? all.map((each) => (each.public_id === server.public_id ? server : each)) : [...all, server]
}

/** The number of servers decides which offers can be accepted: when it changes, the list with its offers is read again. */
function updateOwnedServers(client: QueryClient, change: (owned: readonly Server[]) => Server[]): void {
  const before = client.getQueryData(serverListOptions.queryKey)
  if (!before) return
  const owned = change(before.owned)
  client.setQueryData(serverListOptions.queryKey, { ...before, owned })
  if (owned.length === before.owned.length || before.incoming_transfers.length === 0) return
  void client.invalidateQueries({ queryKey: serverListOptions.queryKey })
}

/** Removes an own server that is gone from everything that shows it. */
export function removeServerFromCache(client: QueryClient, id: string): void {
  updateOwnedServers(client, (owned) => owned.filter((each) => each.public_id !== id))
  client.removeQueries({ queryKey: ['server', id] })
}

export function setManagedServerCache(client: QueryClient, server: ManagedServer): void {
  client.setQueryData(managedServerOptions(server.user_id, server.public_id).queryKey, server)
  client.setQueryData(serverListOptions.queryKey, (list) => list && { ...list, management: upsertServer(list.management, server) })
}

/** Removes a managed server from the list. Its page, where it is open, asks by itself. */
export function removeManagedServerFromCache(client: QueryClient, ownerId: string, id: string): void {
  client.setQueryData(
    serverListOptions.queryKey,
    // Handed over to another owner whom the user manages for, it is listed under that owner too.
    (list) => list && { ...list, management: list.management.filter((each) => each.public_id !== id || each.user_id !== ownerId) },
  )
  invalidateManagedServer(client, ownerId, id)
}

/** Asks again whether a server may be managed: what is not shown is forgotten, what is shown is read. */
export function invalidateManagedServer(client: QueryClient, ownerId: string, id: string): void {
  const { queryKey } = managedServerOptions(ownerId, id)
  client.removeQueries({ queryKey, type: 'inactive' })
  void client.invalidateQueries({ queryKey })
}
