/** What administrators do to a server, and what follows in this panel from a change to it. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { AdminServer, ServerBan } from '#contract/servers-admin.ts'
import { dropServer } from '#web/features/servers/servers.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { call } from '#web/lib/call.ts'
import { adminServerOptions } from './admin-server.api.ts'

/** What an administrator sees of his own servers outside the admin area. */
const OWN: readonly unknown[] = ['servers', 'server', 'activity', 'benefits']

/** The admin area, and the issues: what is found about a server ends by some acts on it. */
const ADMINISTERED: readonly unknown[] = ['admin', 'protection']

/** Shows the server as a change left it, here, in the lists and in the audit log. Whose own it is sees it everywhere. */
export async function keepAdministered(client: QueryClient, server: AdminServer): Promise<void> {
  const { queryKey } = adminServerOptions(server.public_id)
  // What was asked before the change would put it back.
  await client.cancelQueries({ queryKey, exact: true })
  client.setQueryData(queryKey, server)
  const isKept = JSON.stringify(queryKey)
  const nouns = client.getQueryData(meOptions.queryKey)?.id === server.user_id ? [...ADMINISTERED, ...OWN] : ADMINISTERED
  void client.invalidateQueries({ predicate: ({ queryKey: [noun], queryHash }) => nouns.includes(noun) && queryHash !== isKept })
}

/** Asks whether it is there still. */
export function readAdministeredAnew(client: QueryClient, id: string): void {
  void client.invalidateQueries({ queryKey: adminServerOptions(id).queryKey })
}

/** Takes a server that was deleted out of everything that shows it. */
export function dropAdministered(client: QueryClient, { public_id: id, user_id: owner }: AdminServer): void {
  client.removeQueries({ queryKey: adminServerOptions(id).queryKey })
  if (client.getQueryData(meOptions.queryKey)?.id === owner) dropServer(client, id)
  void client.invalidateQueries({ predicate: ({ queryKey: [noun] }) => ADMINISTERED.includes(noun) })
}

/** Bans the server, changes a ban that stands, or lifts it. */
export function useBanServer(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (ban: z.input<typeof ServerBan>) => call('PATCH /api/admin/tokens/{id}/ban', { params: { id }, body: ban }),
    onSuccess: (server) => keepAdministered(client, server),
  })
}

/** Says whether the list vouches for the server. */
export function useVerifyServer(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (verified: boolean) => call('PATCH /api/admin/tokens/{id}', { params: { id }, body: { verified } }),
    onSuccess: (server) => keepAdministered(client, server),
  })
}
