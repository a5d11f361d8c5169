/** What follows in this panel from a change to somebody. */
import { type QueryClient, useIsMutating } from '@tanstack/react-query'
import type { AdminUser } from '#contract/users-admin.ts'
import { isAdmin } from '#web/features/session/is-admin.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { adminUserOptions } from './admin-user.api.ts'

/** What an administrator sees of himself outside the admin area: all of it may follow from his tier, his limits or his ban. */
const OWN: readonly unknown[] = ['me', 'servers', 'server', 'managed', 'activity', 'benefits']

/** Shows the person as the change left him, here, in the lists and in his part of the audit log. Who changed himself sees it everywhere. */
export async function keepUser(client: QueryClient, user: AdminUser): Promise<void> {
  const { queryKey: kept } = adminUserOptions(user.id)
  // What was asked before the change would put it back.
  await client.cancelQueries({ queryKey: kept, exact: true })
  client.setQueryData(kept, user)
  const isSelf = client.getQueryData(meOptions.queryKey)?.id === user.id
  // Who has just given up being an administrator may not read what they read.
  const mayRead = !isSelf || (isAdmin(user) && !user.banned)
  const isKept = JSON.stringify(kept)
  // The act is done; the lists that show it follow in their own time.
  void client.invalidateQueries({
    predicate: ({ queryKey: [noun, part], queryHash }) => {
      if (queryHash === isKept) return false
      if (noun === 'admin' || (noun === 'benefits' && part === 'admin')) return mayRead
      return isSelf && OWN.includes(noun)
    },
  })
  // What he may still see hangs on who he is now: that is waited for, in the same question.
  if (isSelf) await client.refetchQueries({ queryKey: meOptions.queryKey, exact: true }, { cancelRefetch: false })
}

/** The key of the act by which an administrator gives up being one. */
export const GIVING_UP = ['users', 'giving up Admin'] as const

/** True while somebody gives up being an administrator: the page he does it on stands until he has left it. */
export function useIsGivingUp(): boolean {
  return useIsMutating({ mutationKey: GIVING_UP }) > 0
}
