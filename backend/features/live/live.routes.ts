/** The live view: whatever changes about a server goes to the open panels of its owner and of those who manage it, as it happens. */
import * as contract from '#contract/live.ts'
import type { Deps } from '#backend/deps.ts'
import { AppError } from '#backend/errors.ts'
import { managersAmong, ownersManagedBy } from '#backend/features/managers/managers.ts'
import type { MasterList } from '#backend/features/masterlist/master-list.ts'
import { presentManaged } from '#backend/features/servers/managed.present.ts'
import { getServer } from '#backend/features/servers/servers.ts'
import { presentServer } from '#backend/features/servers/servers.present.ts'
import type { Bind } from '#backend/http/bind.ts'
import type { Live } from './live.ts'

interface Change {
  readonly publicId: string
  readonly ownerId: string
}

export function bindLive(bind: Bind, { db, log }: Deps, list: MasterList, live: Live): void {
  const read = async ({ ownerId, publicId }: Change) => {
    try {
      return await getServer(db, ownerId, publicId)
    } catch (error) {
      if (error instanceof AppError && error.kind === 'not-found') return undefined
      throw error
    }
  }

  const tellOwner = async ({ ownerId, publicId }: Change) => {
    if (!live.isWatching(ownerId)) return
    const row = await read({ ownerId, publicId })
    const server = row === undefined ? null : await presentServer(db, list, row)
    live.send(ownerId, 'server', contract.ServerEvent.parse({ public_id: publicId, server }))
  }

  const tellManagers = async ({ ownerId, publicId }: Change) => {
    const managers = await managersAmong(db, ownerId, live.managersOf(ownerId))
    if (managers.length === 0) return
    const row = await read({ ownerId, publicId })
    for (const { manager_id: managerId, permissions } of managers) {
      const [server = null] = row === undefined ? [] : await presentManaged(db, list, [{ ...row, permissions }])
      live.send(managerId, 'managed_server', contract.ManagedServerEvent.parse({ public_id: publicId, owner_id: ownerId, server }))
    }
  }

  list.onChange((change) => {
    Promise.all([tellOwner(change), tellManagers(change)]).catch((error: unknown) =>
      log.warn({ err: error }, 'A change could not be told to open panels.'),
    )
  })

  bind.events(contract.events, async ({ caller }, stream) => {
    live.add(caller.userId, stream)
    try {
      live.follow(caller.userId, await ownersManagedBy(db, caller.userId))
    } catch (error) {
      // The reply is a stream by now and can't refuse; the browser comes again by itself.
      log.warn({ err: error }, 'It could not be read whose servers somebody manages.')
      stream.close()
    }
  })
}
