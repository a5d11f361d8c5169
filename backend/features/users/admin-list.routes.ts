import { adminUsers } from '#contract/users-admin.ts'
import { Lists } from '#backend/platform/database/paging.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { listOfUsers } from './admin-list.ts'
import { adminUserRows } from './admin-list.present.ts'

export function bindAdminUserList(bind: Bind, deps: Pick<Deps, 'db' | 'clock'>): void {
  const lists = new Lists(deps)

  bind(adminUsers, async ({ query }) => {
    const { ids, meta } = await lists.page(listOfUsers(query), query)
    return { data: await adminUserRows(deps.db, ids), meta }
  })
}
