/** Mutations of servers by administrators, and their cache updates. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { AdminServer, ServerBan } from '#contract/servers/servers-admin.ts'
import { adminServerOptions, removeServerFromCache } from '#web/features/servers/servers.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { currentOf } from '#web/lib/current-of.ts'
import { call } from '#web/lib/http/call.ts'

/** Queries outside the admin area that show the administrator's own servers. */
const OWN_KEYS: readonly unknown[] = ['servers', 'server', 'activity', 'benefits']

/** Includes issues, because some actions resolve them. */
const ADMIN_KEYS: readonly unknown[] = ['admin', 'protection']

/** Stores the changed server, and invalidates the lists and the audit log. */
export async function setAdminServerCache(client: QueryClient, server: AdminServer): Promise<void> {
  const { queryKey } = adminServerOptions(server.public_id)
  // A request sent before the change would restore the old state.
  await client.cancelQueries({ queryKey, exact: true })
  client.setQueryData(queryKey, server)
  const serverHash = JSON.stringify(queryKey)
  const keys = isOwn(client, server) ? [...ADMIN_KEYS, ...OWN_KEYS] : ADMIN_KEYS
  void client.invalidateQueries({ predicate: ({ queryKey: [root], queryHash }) => keys.includes(root) && queryHash !== serverHash })
}

export function invalidateAdminServer(client: QueryClient, id: string): void {
  void client.invalidateQueries({ queryKey: adminServerOptions(id).queryKey })
}

export function removeAdminServerFromCache(client: QueryClient, server: AdminServer): void {
  client.removeQueries({ queryKey: adminServerOptions(server.public_id).queryKey })
  if (isOwn(client, server)) removeServerFromCache(client, server.public_id)
  invalidateKeys(client, ADMIN_KEYS)
}

export function invalidateAllServers(client: QueryClient): void {
  invalidateKeys(client, [...ADMIN_KEYS, ...OWN_KEYS])
}

function invalidateKeys(client: QueryClient, keys: readonly unknown[]): void {
  void client.invalidateQueries({ predicate: ({ queryKey: [root] }) => keys.includes(root) })
}

function isOwn(client: QueryClient, server: AdminServer): boolean {
  return client.getQueryData(meOptions.queryKey)?.id === server.user_id
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

export function useVerifyServer(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ verified, version }: { verified: boolean; version: number }) =>
      call('PATCH /api/admin/tokens/{id}', { params: { id }, body: { verified }, ifMatch: version }),
    onSuccess: (server) => setAdminServerCache(client, server),
    onError: (error) => {
      const current = currentOf(error)
      if (current !== undefined) void setAdminServerCache(client, current as AdminServer)
    },
  })
}
