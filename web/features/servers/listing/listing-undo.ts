/** The toast after a saved listing, with an undo where one click is enough. */
import type { QueryClient } from '@tanstack/react-query'
import type { ServerFieldName } from '#contract/servers/server-field-shapes.ts'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import type { ShownServer } from '#web/features/servers/access.ts'
import type { ServerUpdate, UpdatedServer } from '#web/features/servers/server-mutations.ts'
import { serverListOptions, setServerCache } from '#web/features/servers/servers.api.ts'
import { call } from '#web/lib/http/call.ts'
import { toastSuccess } from '#web/ui/toast.ts'
import { toastUndo } from '#web/ui/undo-toast.ts'
import type { ListingInput } from './listing-input.ts'

/** A change of only these fields can be undone with one click. */
const UNDOABLE: readonly string[] = ['visible', 'tags', 'group_id', 'promoted'] satisfies ServerFieldName[]

/** The owner's other server that is promoted. */
export function findPromoted(client: QueryClient, { owner, public_id }: ShownServer): Server | undefined {
  if (owner !== undefined) return undefined
  return client.getQueryData(serverListOptions.queryKey)?.owned.find((other) => other.promoted && other.public_id !== public_id)
}

/** Losing the promotion raised the version by one. */
async function promoteAgain(client: QueryClient, { public_id: id, version }: Server): Promise<void> {
  setServerCache(client, await call('PATCH /api/users/tokens/{id}', { params: { id }, body: { promoted: true }, ifMatch: version + 1 }))
}

interface SavedListing {
  readonly client: QueryClient
  readonly server: ShownServer
  readonly names: readonly ServerFieldName[]
  readonly previous: ListingInput
  readonly saved: UpdatedServer
  /** The server that was promoted before. */
  readonly promoted: Server | undefined
  readonly update: (change: ServerUpdate) => Promise<UpdatedServer>
}

export function notifySaved({ client, server, names, previous, saved, promoted, update }: SavedListing): void {
  const hasMovedPromotion = names.includes('promoted') && saved.promoted
  // Only the owner's list says where the promotion came from.
  const canUndo = names.every((name) => UNDOABLE.includes(name)) && !(hasMovedPromotion && server.owner !== undefined)
  if (!canUndo) return toastSuccess(m.servers_listing_saved())
  const body = Object.fromEntries(names.map((name) => [name, previous[name]]))
  toastUndo(m.servers_listing_saved(), undefined, async () => {
    await update({ body, ifMatch: saved.version })
    if (hasMovedPromotion && promoted !== undefined) await promoteAgain(client, promoted)
  })
}
