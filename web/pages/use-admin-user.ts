import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { AdminUser } from '#contract/users-admin.ts'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'
import { useTitle } from '#web/lib/use-title.ts'

/** The user whose page this is a part of. @param part names it in the browser's tab. */
export function useAdminUser(part: string): AdminUser {
  const { user_id } = useParams({ from: '/member/admin/users/$user_id' })
  const { data: user } = useSuspenseQuery(adminUserOptions(user_id))
  useTitle(`${part} of ${user.discord.username}`)
  return user
}
