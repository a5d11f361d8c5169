/** The live view of servers: whatever changes about one goes to the open panels of its owner and of those who manage it. */
import { ManagedServerEvent, ServerEvent } from '#contract/live.ts'
import type { Server } from '#contract/servers.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { managersAmong } from '#backend/features/managers/managers.ts'
import type { ServerChange } from '#backend/masterlist/change-feed.ts'
import type { ServerStates } from '#backend/features/servers/server-services.ts'
import { findServers } from '#backend/features/servers/servers.ts'
import { presentServers } from '#backend/features/servers/servers.present.ts'
import { publicUsers } from '#backend/features/users/public-users.ts'
import type { Live } from './live.ts'

/** Past so many changes at once a panel reads its list anew: that is one call, and a stream is no place for thousands of events. */
const MOST_AT_ONCE = 50

/** Answers what to do with changes. What comes while one batch is told is told in the next, so events never overtake each other. */
export function createServerUpdates(deps: Deps, list: ServerStates, live: Live): (changes: readonly ServerChange[]) => void {
  const { db, log } = deps
  const waiting = new Map<string, ServerChange>()
  let isBusy = false

  const work = async () => {
    while (waiting.size > 0) {
      const batch = [...waiting.values()]
      waiting.clear()
      await tell(batch).catch((error: unknown) => log.warn({ err: error }, 'A change could not be told to open panels.'))
    }
  }

  const tell = async (batch: readonly ServerChange[]) => {
    const rows = await findServers(
      db,
      batch.map((change) => change.publicId),
    )
    const servers = new Map((await presentServers(deps, list, rows)).map((server) => [server.public_id, server]))
    for (const [ownerId, changes] of Map.groupBy(batch, (change) => change.ownerId)) {
      const shown = changes.map(({ publicId }) => {
        const server = servers.get(publicId)
        // Somebody else's by now is gone for this one.
        return { publicId, server: server?.user_id === ownerId ? server : null }
      })
      tellOwner(ownerId, shown)
      await tellManagers(ownerId, shown)
    }
  }

  type Shown = readonly { readonly publicId: string; readonly server: Server | null }[]

  const tellOwner = (ownerId: string, shown: Shown) => {
    if (shown.length > MOST_AT_ONCE) return live.invalidateHere([ownerId], ['servers'])
    for (const { publicId, server } of shown) live.send(ownerId, 'server', ServerEvent.parse({ public_id: publicId, server }))
  }

  const tellManagers = async (ownerId: string, shown: Shown) => {
    const watching = live.managersOf(ownerId)
    if (watching.length === 0) return
    const owner = (await publicUsers(db, [ownerId])).get(ownerId)
    // Asked last, so that a revoke in between is heard.
    const managers = await managersAmong(db, ownerId, watching)
    for (const { manager_id: managerId, permissions } of managers) {
      if (shown.length > MOST_AT_ONCE || owner === undefined) {
        live.invalidateHere([managerId], ['servers'])
        continue
      }
      for (const { publicId, server } of shown) {
        const managed = server === null ? null : { ...server, owner, permissions }
        live.send(managerId, 'managed_server', ManagedServerEvent.parse({ public_id: publicId, owner_id: ownerId, server: managed }))
      }
    }
  }

  return (changes) => {
    for (const change of changes) if (live.isFollowed(change.ownerId)) waiting.set(`${change.publicId} ${change.ownerId}`, change)
    if (isBusy || waiting.size === 0) return
    isBusy = true
    void work().finally(() => {
      isBusy = false
    })
  }
}
