/** Reading and changing servers. A credential passes through a mutation's result and is kept nowhere here. */
import { queryOptions, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { BodyIn } from '#contract/endpoint.ts'
import type { Api } from '#contract/index.ts'
import type { GRACE_SECONDS, Server, ServerList, ServerWithCredential } from '#contract/servers.ts'
import { call } from '#web/lib/call.ts'

export const serverListOptions = queryOptions({
  queryKey: ['servers'],
  queryFn: ({ signal }) => call('GET /api/users/tokens', { signal }),
})

export const serverOptions = (id: string) =>
  queryOptions({ queryKey: ['server', id], queryFn: ({ signal }) => call('GET /api/users/tokens/{id}', { params: { id }, signal }) })

export const announcesOptions = (id: string) =>
  queryOptions({
    queryKey: ['server', id, 'announces'],
    queryFn: ({ signal }) => call('GET /api/users/tokens/{id}/announces', { params: { id }, signal }),
  })

export const languagesOptions = queryOptions({
  queryKey: ['languages'],
  queryFn: ({ signal }) => call('GET /api/users/tokens/availableLanguages', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Puts a server as it is now everywhere it is shown. */
export function keepServer(client: QueryClient, server: Server): void {
  client.setQueryData(serverOptions(server.public_id).queryKey, server)
  client.setQueryData(serverListOptions.queryKey, (list) => list && { ...list, owned: withServer(list, server) })
}

function withServer({ owned }: ServerList, server: Server): Server[] {
  const known = owned.some((each) => each.public_id === server.public_id)
  return known ? owned.map((each) => (each.public_id === server.public_id ? server : each)) : [...owned, server]
}

/** Takes a server that is gone out of everything that shows it. */
export function dropServer(client: QueryClient, id: string): void {
  client.setQueryData(serverListOptions.queryKey, (list) => list && { ...list, owned: list.owned.filter((each) => each.public_id !== id) })
  client.removeQueries({ queryKey: ['server', id] })
}

function withoutCredential(created: ServerWithCredential): Server {
  const { credential, ...server } = created
  void credential
  return server
}

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

export function useChangeServer(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ServerChangesBody) => call('PATCH /api/users/tokens/{id}', { params: { id }, body }),
    onSuccess: (server) => keepServer(client, server),
  })
}

/** For how many seconds the credential before a new one may go on working. */
export type Grace = (typeof GRACE_SECONDS)[number]

/** Makes a new credential; without a grace the old one ends at once. */
export function useReissue(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (grace_seconds: Grace | undefined) =>
      call('PATCH /api/users/tokens/{id}/reissue', { params: { id }, ...(grace_seconds !== undefined && { body: { grace_seconds } }) }),
    gcTime: 0,
    onSuccess: (server) => keepServer(client, withoutCredential(server)),
  })
}

export function useResetAddress(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('PATCH /api/users/tokens/{id}/reset-ip', { params: { id } }),
    onSuccess: (server) => keepServer(client, server),
  })
}

export function useDeleteServer(id: string) {
  return useMutation({ mutationFn: () => call('DELETE /api/users/tokens/{id}', { params: { id } }) })
}
