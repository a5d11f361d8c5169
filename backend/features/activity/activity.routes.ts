import * as activity from '#contract/activity.ts'
import { audit } from '#contract/audit.ts'
import { Lists } from '#backend/platform/database/paging.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { getServer } from '#backend/features/servers/servers.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { activityOfServer, activityOfUser } from './activity.ts'
import { listOfAudit, presentAudit } from './audit.ts'

export function bindActivity(bind: Bind, deps: Deps): void {
  const { db } = deps
  const lists = new Lists(deps)

  bind(activity.ofAccount, ({ caller, query }) => activityOfUser(db, caller.userId, query.before))

  bind(activity.ofServer, async ({ caller, params, query }) => {
    const server = await getServer(db, caller.userId, params.id)
    return activityOfServer(db, caller.userId, server.public_id, query.before)
  })

  bind(audit, async ({ query }) => {
    const { ids, meta } = await lists.page(await listOfAudit(db, query), query)
    return { data: await presentAudit(db, ids), meta }
  })
}
