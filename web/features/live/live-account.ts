/** What an event about the account says has changed is read anew, and what others did is said. */
import type { QueryClient } from '@tanstack/react-query'
import type { AccountPart } from '#contract/live.ts'
import type { ServerList } from '#contract/servers.ts'
import type { Me } from '#contract/users.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { readAnew } from './read-anew.ts'

/** What is known of oneself and of the servers at one moment. */
export interface Known {
  readonly me: Me | undefined
  readonly list: ServerList | undefined
}

const known = (client: QueryClient): Known => ({
  me: client.getQueryData(meOptions.queryKey),
  list: client.getQueryData(serverListOptions.queryKey),
})

/** One after the other: each difference is against what was said before. */
let turn: Promise<void> = Promise.resolve()

export function readAccount(client: QueryClient, changed: readonly AccountPart[]): void {
  const also: AccountPart[] = changed.filter((part) => part === 'benefits' || part === 'activity' || part === 'protection')
  // What one holds may have changed with what one is; what one may do with others' servers is in everything.
  if (changed.includes('me')) also.push('benefits')
  void readAnew(client, ['managed', ...also])
  // What was found once more is nothing that happened.
  if (changed.includes('protection') && changed.includes('activity'))
    void import('./protection-news.ts').then((part) => part.tellProtection(client.getQueryData(meOptions.queryKey))).catch(() => {})
  // A ban does not wait for anybody's turn.
  if (changed.includes('me')) void client.refetchQueries({ queryKey: meOptions.queryKey })
  turn = turn.then(() => readInTurn(client, changed)).catch(() => {})
}

async function readInTurn(client: QueryClient, changed: readonly AccountPart[]): Promise<void> {
  const before = known(client)
  await Promise.all([
    // Not begun twice: the one above is still on its way.
    changed.includes('me') && client.refetchQueries({ queryKey: meOptions.queryKey }, { cancelRefetch: false }),
    changed.includes('servers') && client.invalidateQueries({ queryKey: serverListOptions.queryKey }),
  ])
  const after = known(client)
  if (after.me === before.me && after.list === before.list) return
  const { tellNews } = await import('./news-toasts.ts')
  await tellNews(before, after)
}
