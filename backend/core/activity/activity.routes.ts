import * as activity from '#contract/events/activity.ts'
import { audit } from '#contract/events/audit.ts'
import { readPage } from '#backend/platform/database/paging.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { getServer } from '#backend/core/servers/servers.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { getServerActivity, getUserActivity } from './activity.ts'
import { auditList, presentAudit } from './audit.ts'

export function bindActivity(bind: Bind, deps: Deps): void {
  const { db } = deps

  bind(activity.ofAccount, ({ caller, query }) => getUserActivity(db, caller.userId, query.before))

  bind(activity.ofServer, async ({ caller, params, query }) => {
    const server = await getServer(db, caller.userId, params.id)
    return getServerActivity(db, caller.userId, server.public_id, query.before)
  })

  bind(audit, async ({ query }) => {
    const { ids, meta } = await readPage(db, await auditList(db, query), query)
    return { data: await presentAudit(db, ids), meta }
  })
}
