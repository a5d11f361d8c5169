/** Sends every change of a server to the open panels of its owner and managers. */
import { ManagedServerEvent, ServerEvent } from '#contract/masterlist/live.ts'
import type { Language } from '#contract/text/panel-languages.ts'
import type { Server } from '#contract/servers/servers.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { runInLanguage } from '#backend/platform/messages/language.ts'
import { managersAmong } from '#backend/core/managers/managers.ts'
import type { ServerChange } from '#backend/masterlist/change-feed.ts'
import type { ServerStateSource } from '#backend/core/servers/server-state.ts'
import { findServers } from '#backend/core/servers/servers.ts'
import { presentServers } from '#backend/core/servers/servers.present.ts'
import { publicUsers } from '#backend/core/users/public-users.ts'
import type { Live } from './live.ts'

/** Above this, a panel reloads its list: one call instead of thousands of events. */
const MAX_EVENTS = 50

/** `server` is null if it no longer belongs to the owner. */
interface ServerUpdate {
  readonly publicId: string
  readonly server: Server | null
}

/** Returns the change handler. Changes during a send go into the next batch, so events stay in order. */
export function createServerUpdates(deps: Deps, list: ServerStateSource, live: Live): (changes: readonly ServerChange[]) => void {
  const send = createSend(deps, list, live)
  const pending = new Map<string, ServerChange>()
  let isSending = false

  const sendPending = async () => {
    while (pending.size > 0) {
      const batch = [...pending.values()]
      pending.clear()
      await send(batch).catch((error: unknown) => deps.log.warn({ err: error }, 'could not notify open panels'))
    }
    isSending = false
  }

  return (changes) => {
    for (const change of changes) if (live.isFollowed(change.ownerId)) pending.set(`${change.publicId} ${change.ownerId}`, change)
    if (isSending || pending.size === 0) return
    isSending = true
    void sendPending()
  }
}

/** Returns a function that sends changes to each panel in its language. */
function createSend({ db, env }: Pick<Deps, 'db' | 'env'>, list: ServerStateSource, live: Live) {
  const sendPresented = async (batch: readonly ServerChange[], presented: readonly Server[], language: Language) => {
    const servers = new Map(presented.map((server) => [server.public_id, server]))
    for (const [ownerId, changes] of Map.groupBy(batch, (change) => change.ownerId)) {
      const updates = changes.map(({ publicId }): ServerUpdate => {
        const server = servers.get(publicId)
        return { publicId, server: server?.user_id === ownerId ? server : null }
      })
      sendToOwner(ownerId, updates, language)
      await sendToManagers(ownerId, updates, language)
    }
  }

  const sendToOwner = (ownerId: string, updates: readonly ServerUpdate[], language: Language) => {
    if (updates.length > MAX_EVENTS) return live.invalidateHere([ownerId], ['servers'], language)
    for (const { publicId, server } of updates) live.send(ownerId, 'server', ServerEvent.parse({ public_id: publicId, server }), language)
  }

  const sendToManagers = async (ownerId: string, updates: readonly ServerUpdate[], language: Language) => {
    const managerIds = live.managersOf(ownerId)
    if (managerIds.length === 0) return
    const owner = (await publicUsers(db, [ownerId])).get(ownerId)
    // Checked last, so that a revoked grant takes effect immediately.
    for (const { manager_id: managerId, permissions } of await managersAmong(db, ownerId, managerIds)) {
      if (updates.length > MAX_EVENTS || owner === undefined) {
        live.invalidateHere([managerId], ['servers'], language)
        continue
      }
      for (const { publicId, server } of updates) {
        const managed = server === null ? null : { ...server, owner, permissions }
        const event = ManagedServerEvent.parse({ public_id: publicId, owner_id: ownerId, server: managed })
        live.send(managerId, 'managed_server', event, language)
      }
    }
  }

  return async (batch: readonly ServerChange[]) => {
    const publicIds = batch.map((change) => change.publicId)
    const rows = await findServers(db, publicIds)
    for (const language of new Set(batch.flatMap(({ ownerId }) => live.languagesOf(ownerId)))) {
      const presented = await runInLanguage(language, () => presentServers({ db, env }, list, rows))
      await sendPresented(batch, presented, language)
    }
  }
}
