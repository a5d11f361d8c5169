/** Refreshes the queries that an account event names, and shows toasts about changes made by others. */
import type { Query, QueryClient } from '@tanstack/react-query'
import type { InvalidationKey } from '#contract/masterlist/live.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { appearanceOptions } from '#web/features/servers/servers.api.ts'

/** An event with one of them may be about something that others did. */
const TOASTED: readonly InvalidationKey[] = ['me', 'notifications', 'protection']

export function refreshAccount(client: QueryClient, changed: readonly InvalidationKey[]): void {
  // Benefits can change with the user, and permissions for managed servers with any event.
  void invalidateByPrefix(client, ['managed', ...changed, ...(changed.includes('me') ? ['benefits'] : [])])
  const userId = client.getQueryData(meOptions.queryKey)?.id
  // Another occurrence of an issue adds no activity, and gets no toast.
  if (userId !== undefined && changed.includes('activity') && changed.some((key) => TOASTED.includes(key)))
    void import('./account-toasts.ts').then(({ showAccountToasts }) => showAccountToasts(userId)).catch(() => {})
}

/** Needs a manager's permission, so it is invalidated after the permissions. */
const [BENEFITS, APPEARANCE] = appearanceOptions('').queryKey
const needsPermission = ({ queryKey: [prefix, part] }: Query) => prefix === BENEFITS && part === APPEARANCE

/** Invalidates all queries whose key starts with one of the prefixes. Resolves once the active ones are refetched. */
export async function invalidateByPrefix(
  client: QueryClient,
  prefixes: readonly unknown[],
  refetchType: 'active' | 'none' = 'active',
  includeFailed = true,
): Promise<void> {
  const matches = ({ queryKey: [prefix], state }: Query) => prefixes.includes(prefix) && (includeFailed || state.status !== 'error')
  await client.invalidateQueries({ predicate: (query) => matches(query) && !needsPermission(query), refetchType })
  await client.invalidateQueries({ predicate: (query) => matches(query) && needsPermission(query), refetchType })
}
