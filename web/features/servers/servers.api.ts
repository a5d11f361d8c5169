/** Reading servers, and putting them where they are shown. */
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { ManagedServer, Server, ServerList } from '#contract/servers.ts'
import { call } from '#web/lib/call.ts'

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

/** Nothing tells an administrator of the attempts of others' servers: those are asked for anew. */
export const announcesOptions = (id: string, asAdmin = false) =>
  queryOptions({
    queryKey: asAdmin ? ['admin', 'server', id, 'announces'] : ['server', id, 'announces'],
    queryFn: ({ signal }) =>
      asAdmin
        ? call('GET /api/admin/tokens/{id}/announces', { params: { id }, signal })
        : call('GET /api/users/tokens/{id}/announces', { params: { id }, signal }),
    ...(asAdmin && { refetchInterval: 10_000, refetchOnMount: 'always' }),
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
export function recheckManaged(client: QueryClient, ownerId: string, id: string): void {
  const { queryKey } = managedOptions(ownerId, id)
  client.removeQueries({ queryKey, type: 'inactive' })
  void client.invalidateQueries({ queryKey })
}
