import * as activity from '#contract/activity.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { getServer } from '#backend/features/servers/servers.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { activityOfServer, activityOfUser } from './activity.ts'

export function bindActivity(bind: Bind, { db }: Deps): void {
  bind(activity.ofAccount, ({ caller, query }) => activityOfUser(db, caller.userId, query.before))

  bind(activity.ofServer, async ({ caller, params, query }) => {
    const server = await getServer(db, caller.userId, params.id)
    return activityOfServer(db, caller.userId, server.public_id, query.before)
  })
}
