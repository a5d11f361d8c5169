/** The live view of servers: whatever changes about one goes to the open panels of its owner and of those who manage it. */
import { ManagedServerEvent, ServerEvent } from '#contract/live.ts'
import type { Server } from '#contract/servers.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { managersAmong } from '#backend/features/managers/managers.ts'
import type { ServerChange } from '#backend/masterlist/change-feed.ts'
import type { ServerStateSource } from '#backend/features/servers/server-services.ts'
import { findServers } from '#backend/features/servers/servers.ts'
import { presentServers } from '#backend/features/servers/servers.present.ts'
import { publicUsers } from '#backend/features/users/public-users.ts'
import type { Live } from './live.ts'

/** Past so many changes at once a panel loads its list again: that is one call instead of thousands of events. */
const MAX_EVENTS = 50

/** What a person is shown of one server; null where it is not theirs any more. */
interface ServerUpdate {
  readonly publicId: string
  readonly server: Server | null
}

/** Answers what to do with changes. What comes while one batch is sent goes with the next, so events never overtake each other. */
export function createServerUpdates(deps: Deps, list: ServerStateSource, live: Live): (changes: readonly ServerChange[]) => void {
  const { db, log } = deps
  const pending = new Map<string, ServerChange>()
  let isSending = false

  const sendPending = async () => {
    while (pending.size > 0) {
      const batch = [...pending.values()]
      pending.clear()
      await send(batch).catch((error: unknown) => log.warn({ err: error }, 'A change could not be told to open panels.'))
    }
    isSending = false
  }

  const send = async (batch: readonly ServerChange[]) => {
    const publicIds = batch.map((change) => change.publicId)
    const presented = await presentServers(deps, list, await findServers(db, publicIds))
    const servers = new Map(presented.map((server) => [server.public_id, server]))
    for (const [ownerId, changes] of Map.groupBy(batch, (change) => change.ownerId)) {
      const updates = changes.map(({ publicId }): ServerUpdate => {
        const server = servers.get(publicId)
        return { publicId, server: server?.user_id === ownerId ? server : null }
      })
      sendToOwner(ownerId, updates)
      await sendToManagers(ownerId, updates)
    }
  }

  const sendToOwner = (ownerId: string, updates: readonly ServerUpdate[]) => {
    if (updates.length > MAX_EVENTS) return live.invalidateHere([ownerId], ['servers'])
    for (const { publicId, server } of updates) live.send(ownerId, 'server', ServerEvent.parse({ public_id: publicId, server }))
  }

  const sendToManagers = async (ownerId: string, updates: readonly ServerUpdate[]) => {
    const managerIds = live.managersOf(ownerId)
    if (managerIds.length === 0) return
    const owner = (await publicUsers(db, [ownerId])).get(ownerId)
    // Asked last, so that a revoke in between counts.
    for (const { manager_id: managerId, permissions } of await managersAmong(db, ownerId, managerIds)) {
      if (updates.length > MAX_EVENTS || owner === undefined) {
        live.invalidateHere([managerId], ['servers'])
        continue
      }
      for (const { publicId, server } of updates) {
        const managed = server === null ? null : { ...server, owner, permissions }
        live.send(managerId, 'managed_server', ManagedServerEvent.parse({ public_id: publicId, owner_id: ownerId, server: managed }))
      }
    }
  }

  return (changes) => {
    for (const change of changes) if (live.isFollowed(change.ownerId)) pending.set(`${change.publicId} ${change.ownerId}`, change)
    if (isSending || pending.size === 0) return
    isSending = true
    void sendPending()
  }
}
