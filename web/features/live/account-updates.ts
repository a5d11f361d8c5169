/** Refreshes the queries that an account event names, and shows toasts about changes made by others. */
import type { Query, QueryClient } from '@tanstack/react-query'
import type { InvalidationKey } from '#contract/masterlist/live.ts'
import type { ServerList } from '#contract/servers/servers.ts'
import type { Me } from '#contract/users/users.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { appearanceOptions, serverListOptions } from '#web/features/servers/servers.api.ts'

export interface AccountSnapshot {
  readonly me: Me | undefined
  readonly list: ServerList | undefined
}

const snapshotOf = (client: QueryClient): AccountSnapshot => ({
  me: client.getQueryData(meOptions.queryKey),
  list: client.getQueryData(serverListOptions.queryKey),
})

/** Events are handled in order, so each snapshot is compared with the previous one. */
let lastRefresh: Promise<void> = Promise.resolve()

export function refreshAccount(client: QueryClient, changed: readonly InvalidationKey[]): void {
  // `me` and `servers` are refreshed below, because their changes get toasts.
  const keys: InvalidationKey[] = changed.filter((key) => key !== 'me' && key !== 'servers')
  // Benefits can change with the user, and permissions for managed servers with any event.
  if (changed.includes('me')) keys.push('benefits')
  void invalidateByPrefix(client, ['managed', ...keys])
  // Another occurrence of an issue adds no activity, and gets no toast.
  if (changed.includes('protection') && changed.includes('activity'))
    void import('./protection-toasts.ts')
      .then(({ notifyProtectionChanges }) => notifyProtectionChanges(client.getQueryData(meOptions.queryKey)))
      .catch(() => {})
  // A ban must show at once, without waiting for earlier events.
  if (changed.includes('me')) void client.refetchQueries({ queryKey: meOptions.queryKey })
  lastRefresh = lastRefresh.then(() => refreshAndNotify(client, changed)).catch(() => {})
}

async function refreshAndNotify(client: QueryClient, changed: readonly InvalidationKey[]): Promise<void> {
  const previous = snapshotOf(client)
  await Promise.all([
    // Joins the request above if it is still in flight.
    changed.includes('me') && client.refetchQueries({ queryKey: meOptions.queryKey }, { cancelRefetch: false }),
    changed.includes('servers') && client.invalidateQueries({ queryKey: serverListOptions.queryKey }),
  ])
  const current = snapshotOf(client)
  if (current.me === previous.me && current.list === previous.list) return
  const { notifyAccountChanges } = await import('./account-toasts.ts')
  await notifyAccountChanges(previous, current)
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
