import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { m } from '#messages'
import type { ShownServer } from '#web/features/servers/access.ts'
import { updateServer } from '#web/features/servers/server-mutations.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { counted } from '#web/ui/count-text.ts'
import { toastUndo } from '#web/ui/undo-toast.ts'
import { type BulkChange, changesFor } from './bulk-changes.ts'

type Undo = () => Promise<unknown>

/** Undoes what it can. Rejects if a change could not be undone. */
async function undoAll(undos: readonly Undo[]): Promise<void> {
  const failures: unknown[] = []
  for (const undo of undos) await undo().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** Changes servers, each based on the version that the list shows, and remembers how to undo that. */
export function useBulkChange() {
  const client = useQueryClient()
  const undos = useRef<Undo[]>([])
  const current = (row: ShownServer): ShownServer => {
    const list = client.getQueryData(serverListOptions.queryKey)
    return [...(list?.owned ?? []), ...(list?.management ?? [])].find(({ public_id: id }) => id === row.public_id) ?? row
  }
  return {
    change: async (row: ShownServer, wanted: BulkChange): Promise<void> => {
      const server = current(row)
      const body = changesFor(server, wanted)
      if (!body) return
      const { version } = await updateServer(client, server, { body, ifMatch: server.version })
      undos.current.push(() => updateServer(client, server, { body: { [wanted.field]: server[wanted.field] }, ifMatch: version }))
    },
    /** Returns how many servers changed. There is nothing to undo for none. */
    offerUndo: (): number => {
      const changed = undos.current
      undos.current = []
      if (changed.length > 0)
        toastUndo(m.servers_bulk_changed(counted(changed.length)), undefined, () => undoAll(changed), m.servers_bulk_undo_stale())
      return changed.length
    },
  }
}
