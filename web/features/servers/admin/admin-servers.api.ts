/** The list of all servers, and what is done to many of them at once. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { AdminServer, ServerBan } from '#contract/servers-admin.ts'
import { call } from '#web/lib/call.ts'
import { queryOf } from '#web/lib/list-search.ts'
import { neverStale } from '#web/ui/table/list-query.ts'
import type { ServersState } from './servers-list.ts'

export const adminServersOptions = (state: ServersState) => {
  const query = queryOf(state)
  return queryOptions({
    ...neverStale,
    queryKey: ['admin', 'servers', query],
    queryFn: ({ signal }) => call('GET /api/admin/tokens', { query, signal, whole: true }),
  })
}

/** Bans one of many servers, or takes its ban back; what shows it is read anew once all are through. */
export async function banOneOfMany({ public_id: id }: AdminServer, body: z.input<typeof ServerBan>): Promise<void> {
  await call('PATCH /api/admin/tokens/{id}/ban', { params: { id }, body })
}

/** An administrator may have been among his own servers. */
const CHANGED: readonly unknown[] = ['admin', 'protection', 'servers', 'server', 'activity', 'benefits']

/** Reads anew all that shows servers. */
export function readServersAnew(client: QueryClient): void {
  void client.invalidateQueries({ predicate: ({ queryKey: [noun] }) => CHANGED.includes(noun) })
}
