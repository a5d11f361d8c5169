import * as contract from '#contract/masterlist/live.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { ownersManagedBy } from '#backend/core/managers/managers.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import type { Live } from './live.ts'
import { createServerUpdates } from './server-updates.ts'

export function bindLive(bind: Bind, deps: Deps, list: RunningMasterList, live: Live): void {
  const { db, log } = deps
  list.onChange(createServerUpdates(deps, list, live), (ownerId) => live.isFollowed(ownerId))

  bind.events(contract.events, async ({ caller, query }, stream) => {
    live.add(caller.userId, stream, query.language)
    try {
      live.followHere(caller.userId, await ownersManagedBy(db, caller.userId))
    } catch (error) {
      // The stream is already open, so an error reply is impossible; the browser reconnects automatically.
      log.warn({ err: error }, 'managed owners unavailable, closing panel stream')
      stream.close()
    }
  })
}
