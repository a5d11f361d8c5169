/** Reads again what an event about the account says has changed, and announces what others did. */
import type { Query, QueryClient } from '@tanstack/react-query'
import type { InvalidationKey } from '#contract/live.ts'
import type { ServerList } from '#contract/servers.ts'
import type { Me } from '#contract/users.ts'
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

/** One after the other, so that each change is compared with the one before. */
let turn: Promise<void> = Promise.resolve()

export function refreshAccount(client: QueryClient, changed: readonly InvalidationKey[]): void {
  const also: InvalidationKey[] = changed.filter((part) => part === 'benefits' || part === 'activity' || part === 'protection')
  // Benefits may change with the user, and permissions for managed servers with anything.
  if (changed.includes('me')) also.push('benefits')
  void invalidateRoots(client, ['managed', ...also])
  // An issue that is found once more is no activity.
  if (changed.includes('protection') && changed.includes('activity'))
    void import('./protection-toasts.ts')
      .then((part) => part.notifyProtectionChanges(client.getQueryData(meOptions.queryKey)))
      .catch(() => {})
  // A ban does not wait for its turn.
  if (changed.includes('me')) void client.refetchQueries({ queryKey: meOptions.queryKey })
  turn = turn.then(() => refreshAndNotify(client, changed)).catch(() => {})
}

async function refreshAndNotify(client: QueryClient, changed: readonly InvalidationKey[]): Promise<void> {
  const before = snapshotOf(client)
  await Promise.all([
    // Joins the request above if it is still in flight.
    changed.includes('me') && client.refetchQueries({ queryKey: meOptions.queryKey }, { cancelRefetch: false }),
    changed.includes('servers') && client.invalidateQueries({ queryKey: serverListOptions.queryKey }),
  ])
  const after = snapshotOf(client)
  if (after.me === before.me && after.list === before.list) return
  const { notifyAccountChanges: tellNews } = await import('./account-changes.ts')
  await tellNews(before, after)
}

/** Needs a permission of the manager, which is read again before it. */
const [BENEFITS, APPEARANCE] = appearanceOptions('').queryKey
const takesPermission = ({ queryKey: [noun, part] }: Query) => noun === BENEFITS && part === APPEARANCE

/** Invalidates all queries whose keys begin with one of the nouns. Resolves once those that are shown are read. */
export async function invalidateRoots(
  client: QueryClient,
  nouns: readonly unknown[],
  refetchType: 'active' | 'none' = 'active',
  alsoFailed = true,
): Promise<void> {
  const isMeant = ({ queryKey: [noun], state }: Query) => nouns.includes(noun) && (alsoFailed || state.status !== 'error')
  await client.invalidateQueries({ predicate: (query) => isMeant(query) && !takesPermission(query), refetchType })
  await client.invalidateQueries({ predicate: (query) => isMeant(query) && takesPermission(query), refetchType })
}
