import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { AdminUser } from '#contract/users/users-admin.ts'
import { m } from '#messages'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'
import { useTitle } from '#web/lib/use-title.ts'

/** The user of the current page. @param page the page's name, for the browser tab. */
export function useAdminUser(page: string): AdminUser {
  const { user_id } = useParams({ from: '/member/admin/users/$user_id' })
  const { data: user } = useSuspenseQuery(adminUserOptions(user_id))
  useTitle(m.user_page_title({ page, user: user.discord.username }))
  return user
}
