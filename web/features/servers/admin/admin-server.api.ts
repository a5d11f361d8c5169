/** Mutations of servers by administrators, and their cache updates. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { AdminServer, ServerBan } from '#contract/servers/servers-admin.ts'
import { adminServerOptions, removeServerFromCache } from '#web/features/servers/servers.api.ts'
import { call } from '#web/lib/http/call.ts'

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
