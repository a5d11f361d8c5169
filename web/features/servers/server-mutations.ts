/** Mutations of servers. A credential exists only in a mutation's result, and `gcTime: 0` removes it when the component unmounts. */
import { mutationOptions, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { BodyIn } from '#contract/api/endpoint.ts'
import type { Api } from '#contract/index.ts'
import type { AdminServer, ServerBan } from '#contract/servers/servers-admin.ts'
import type { GRACE_SECONDS, ManagedServer, Server, ServerWithCredential } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { call, isStatus, messageOf } from '#web/lib/http/call.ts'
import { currentOf } from '#web/lib/current-of.ts'
import { toastError } from '#web/ui/toast.ts'
import { isAdminServer, type ShownServer } from './access.ts'
import {
  setManagedServerCache,
  setServerCache,
  invalidateManagedServer,
  serverListOptions,
  adminServerOptions,
  removeServerFromCache,
} from './servers.api.ts'

export type UpdatedServer = Server | ManagedServer | AdminServer

/** Of what shows one's own and managed servers. */
const OWN_KEYS: readonly unknown[] = ['servers', 'server', 'managed']

/** Updates the cache. A 403 or 404 can mean that a permission was revoked or the server deleted. */
function callbacks(client: QueryClient, server: ShownServer) {
  return {
    onSuccess: async (updated: UpdatedServer) => {
      if ('open_issues' in updated) await setAdminServerCache(client, updated)
      else if ('owner' in updated) setManagedServerCache(client, updated)
      else setServerCache(client, updated)
      // A request sent before the change would bring back the old state, so it is sent again.
      void client.invalidateQueries({ predicate: ({ queryKey: [root] }) => OWN_KEYS.includes(root), fetchStatus: 'fetching' })
    },
    onError: (error: Error) => {
      if (!isStatus(error, 403) && !isStatus(error, 404)) return
      if (isAdminServer(server)) invalidateAdminServer(client, server.public_id)
      else if (server.owner) invalidateManagedServer(client, server.owner.id, server.public_id)
    },
  }
}

function withoutCredential<S extends Server>(created: S & { credential: string }): Omit<typeof created, 'credential'> {
  const { credential, ...server } = created
  void credential
  return server
}

const own = ({ public_id }: ShownServer) => ({ id: public_id })
const managed = ({ user_id, public_id }: ShownServer) => ({ ownerId: user_id, serverId: public_id })

export function useCreateServer() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyIn<Api['POST /api/users/tokens']>) => call('POST /api/users/tokens', { body }),
    gcTime: 0,
    onSuccess: (server) => setServerCache(client, withoutCredential(server)),
  })
}

interface ServerUpdate {
  readonly body: BodyIn<Api['PATCH /api/admin/tokens/{id}']>
  /** The version that the changes are based on. */
  readonly ifMatch?: number | undefined
}

const updateOptions = (client: QueryClient, server: ShownServer) => {
  const { onSuccess, onError } = callbacks(client, server)
  return mutationOptions({
    mutationFn: (update: ServerUpdate): Promise<UpdatedServer> => {
      if (isAdminServer(server)) return call('PATCH /api/admin/tokens/{id}', { params: own(server), ...update })
      return server.owner
        ? call('PATCH /api/users/management/{ownerId}/tokens/{serverId}', { params: managed(server), ...update })
        : call('PATCH /api/users/tokens/{id}', { params: own(server), ...update })
    },
    onSuccess: async (updated, { body }) => {
      await onSuccess(updated)
      // The benefits page names the servers that use each benefit.
      void client.invalidateQueries({ queryKey: ['benefits'] })
      // Only one server can be promoted, so another one may have lost its promotion.
      if (body.promoted === true) void client.invalidateQueries({ queryKey: serverListOptions.queryKey })
    },
    onError: (error) => {
      const current = currentOf(error)
      if (current === undefined) onError(error)
      else void onSuccess(current as UpdatedServer)
    },
  })
}

/** Rejects with the current server (`currentOf`) if it was changed meanwhile. */
export const useUpdateServer = (server: ShownServer) => useMutation(updateOptions(useQueryClient(), server))

/** The same for a bulk action. */
export function updateServer(client: QueryClient, server: ShownServer, update: ServerUpdate): Promise<UpdatedServer> {
  return client.getMutationCache().build(client, updateOptions(client, server)).execute(update)
}

export type Grace = (typeof GRACE_SECONDS)[number]

export function useReissueCredential(server: ShownServer) {
  const { onSuccess, onError } = callbacks(useQueryClient(), server)
  return useMutation({
    mutationFn: (grace_seconds: Grace | undefined): Promise<ServerWithCredential> => {
      const options = grace_seconds === undefined ? {} : { body: { grace_seconds } }
      return server.owner
        ? call('PATCH /api/users/management/{ownerId}/tokens/{serverId}/reissue', { params: managed(server), ...options })
        : call('PATCH /api/users/tokens/{id}/reissue', { params: own(server), ...options })
    },
    gcTime: 0,
    onSuccess: (reissued) => onSuccess(withoutCredential(reissued)),
    onError,
  })
}

export function useResetAddress(server: ShownServer) {
  return useMutation({
    mutationFn: (): Promise<UpdatedServer> => {
      if (isAdminServer(server)) return call('PATCH /api/admin/tokens/{id}/reset-ip', { params: own(server) })
      return server.owner
        ? call('PATCH /api/users/management/{ownerId}/tokens/{serverId}/reset-ip', { params: managed(server) })
        : call('PATCH /api/users/tokens/{id}/reset-ip', { params: own(server) })
    },
    ...callbacks(useQueryClient(), server),
  })
}

/** Restores a deleted server. */
export async function restoreServer(client: QueryClient, id: string): Promise<Server> {
  const restored = await call('POST /api/users/tokens/deleted/{id}/restore', { params: { id } })
  setServerCache(client, restored)
  await client.invalidateQueries({ queryKey: serverListOptions.queryKey })
  return restored
}

interface Pin {
  readonly id: string
  readonly isPinned: boolean
}

/** Shows the change at once, and undoes it if the backend rejects it. */
export function usePinServer() {
  const client = useQueryClient()
  const { queryKey } = serverListOptions
  const show = ({ id, isPinned }: Pin) =>
    client.setQueryData(queryKey, (list) => {
      if (!list) return undefined
      const others = list.pinned.filter((each) => each !== id)
      return { ...list, pinned: isPinned ? [id, ...others] : others }
    })
  return useMutation({
    mutationFn: ({ id, isPinned }: Pin) =>
      isPinned ? call('PUT /api/users/tokens/{id}/pin', { params: { id } }) : call('DELETE /api/users/tokens/{id}/pin', { params: { id } }),
    onMutate: show,
    onError: (error, { id, isPinned }) => {
      show({ id, isPinned: !isPinned })
      toastError(isPinned ? m.servers_row_pin_failed() : m.servers_row_unpin_failed(), messageOf(error))
    },
    // A list that was requested before the change shows the old pins.
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}

/** Issues too, because some actions resolve them, and what shows the administrator's own servers. */
const KEYS: readonly unknown[] = ['admin', 'protection', 'servers', 'server', 'activity', 'benefits']

/** Stores the changed server, and invalidates the lists and the audit log. */
export async function setAdminServerCache(client: QueryClient, server: AdminServer): Promise<void> {
  const { queryKey } = adminServerOptions(server.public_id)
  // A request sent before the change would restore the old state.
  await client.cancelQueries({ queryKey, exact: true })
  client.setQueryData(queryKey, server)
  invalidateAllServers(client, JSON.stringify(queryKey))
}

export function invalidateAdminServer(client: QueryClient, id: string): void {
  void client.invalidateQueries({ queryKey: adminServerOptions(id).queryKey })
}

export function removeAdminServerFromCache(client: QueryClient, { public_id: id }: AdminServer): void {
  client.removeQueries({ queryKey: adminServerOptions(id).queryKey })
  removeServerFromCache(client, id)
  invalidateAllServers(client)
}

/** @param except the hash of a query that is up to date */
export function invalidateAllServers(client: QueryClient, except?: string): void {
  void client.invalidateQueries({ predicate: ({ queryKey: [root], queryHash }) => KEYS.includes(root) && queryHash !== except })
}

export function banServer(id: string, body: z.input<typeof ServerBan>): Promise<AdminServer> {
  return call('PATCH /api/admin/tokens/{id}/ban', { params: { id }, body })
}

export function useBanServer(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (ban: z.input<typeof ServerBan>) => banServer(id, ban),
    onSuccess: (server) => setAdminServerCache(client, server),
  })
}
