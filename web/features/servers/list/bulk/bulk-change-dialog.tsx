/** Changes many servers, and shows the result of each. */
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { m } from '#messages'
import type { ServerFieldName } from '#contract/servers/server-field-shapes.ts'
import type { ShownServer } from '#web/features/servers/access.ts'
import { updateServer } from '#web/features/servers/server-mutations.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { counted } from '#web/ui/count-text.ts'
import type { BulkTarget } from '#web/ui/table/bulk-bar.tsx'
import { BulkDialog } from '#web/ui/table/bulk-dialog.tsx'
import { toastUndo } from '#web/ui/toast.ts'
import { type BulkChange, canChange, changesFor } from './bulk-changes.ts'

export type ChangeDialogProps = BulkTarget<ShownServer>

interface BulkChangeDialogProps extends ChangeDialogProps {
  field: ServerFieldName
  /** The owner of the groups. */
  ownerId?: string
  title: (inputs: { items: string }) => string
  confirm: string
  /** Undefined if the form is invalid. */
  change: () => BulkChange | undefined
  children: ReactNode
}

/** Changes the servers one after the other. */
export function BulkChangeDialog(props: BulkChangeDialogProps) {
  const { rows, idOf, field, ownerId, title, change, children, onDone, onClose, ...dialog } = props
  const { change: changeServer, offerUndo } = useBulkChange()
  // The permissions may change while the dialog is open.
  const [changeable] = useState(() => rows.filter((row) => canChange(row, field, ownerId)))
  // The form is gone while the change runs.
  const wanted = useRef<BulkChange>(undefined)
  const leftOut = rows.filter((row) => !changeable.includes(row))
  return (
    <BulkDialog
      {...dialog}
      title={title({ items: m.count_servers(counted(changeable.length)) })}
      resultText={m.servers_bulk_changed}
      rows={changeable}
      idOf={idOf}
      concurrency={1}
      validate={() => {
        wanted.current ??= changeable.length > 0 ? change() : undefined
        return wanted.current !== undefined
      }}
      action={async (row) => {
        if (wanted.current) await changeServer(row, wanted.current)
      }}
      onDone={(remaining, reasons) => onDone(new Set([...remaining, ...leftOut.map(idOf)]), reasons)}
      onClose={() => {
        offerUndo()
        onClose()
      }}
    >
      {children}
      {leftOut.length > 0 && (
        <p className="text-13">
          {ownerId !== undefined
            ? m.servers_bulk_left_out_group(counted(leftOut.length))
            : m.servers_bulk_left_out(counted(leftOut.length))}
        </p>
      )}
    </BulkDialog>
  )
}

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
        toastUndo(m.servers_bulk_changed(counted(changed.length)), undefined, () => undoAll(changed), {
          stale: m.servers_bulk_undo_stale(),
        })
      return changed.length
    },
  }
}
