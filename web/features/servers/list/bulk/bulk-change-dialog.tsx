/** Changes many servers, and shows the result of each. */
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { m } from '#messages'
import type { ShownServer } from '#web/features/servers/access.ts'
import { updateServer } from '#web/features/servers/server-mutations.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { counted } from '#web/ui/count-text.ts'
import { BulkDialog } from '#web/ui/table/bulk-dialog.tsx'
import { toastUndo } from '#web/ui/undo-toast.ts'
import { type BulkChange, canChange, changesFor, replacedBy } from './bulk-changes.ts'

export interface ChangeDialogProps {
  rows: readonly ShownServer[]
  /** Gets the servers that did not change: those that failed, with the reason, and those that the action left out. */
  onDone: (remaining: ReadonlySet<string>, reasons: ReadonlyMap<string, string>) => void
  onClose: () => void
}

interface BulkChangeDialogProps extends ChangeDialogProps {
  kind: BulkChange['kind']
  /** The owner of the groups. */
  ownerId?: string
  title: (inputs: { items: string }) => string
  confirm: string
  /** Undefined if the form is invalid. */
  change: () => BulkChange | undefined
  children: ReactNode
}

type Undo = () => Promise<unknown>

/** Undoes what it can. Rejects if a change could not be undone. */
async function undoAll(undos: readonly Undo[]): Promise<void> {
  const failures: unknown[] = []
  for (const undo of undos) await undo().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** Changes the servers one after the other. Each change is based on the version that the list shows. */
export function BulkChangeDialog({ rows, kind, ownerId, title, confirm, change, children, onDone, onClose }: BulkChangeDialogProps) {
  const client = useQueryClient()
  // The permissions may change while the dialog is open.
  const [changeable] = useState(() => rows.filter((row) => canChange(row, kind, ownerId)))
  // The form is gone while the change runs.
  const wanted = useRef<BulkChange>(undefined)
  const undos = useRef<Undo[]>([])
  const leftOut = rows.filter((row) => !changeable.includes(row))
  const current = (row: ShownServer): ShownServer => {
    const list = client.getQueryData(serverListOptions.queryKey)
    return [...(list?.owned ?? []), ...(list?.management ?? [])].find(({ public_id: id }) => id === row.public_id) ?? row
  }
  return (
    <BulkDialog
      title={title({ items: m.count_servers(counted(changeable.length)) })}
      resultText={m.servers_bulk_changed}
      rows={changeable}
      idOf={({ public_id: id }) => id}
      nameOf={({ name }) => name}
      confirm={confirm}
      concurrency={1}
      validate={() => {
        wanted.current ??= changeable.length > 0 ? change() : undefined
        return wanted.current !== undefined
      }}
      action={async (row) => {
        const server = current(row)
        const body = wanted.current && changesFor(server, wanted.current)
        if (!body) return
        const { version } = await updateServer(client, server, { body, ifMatch: server.version })
        undos.current.push(() => updateServer(client, server, { body: replacedBy(body, server), ifMatch: version }))
      }}
      onDone={(remaining, reasons) => onDone(new Set([...remaining, ...leftOut.map(({ public_id: id }) => id)]), reasons)}
      onClose={() => {
        const { length } = undos.current
        if (length > 0)
          toastUndo(m.servers_bulk_changed(counted(length)), undefined, () => undoAll(undos.current), m.servers_bulk_undo_stale())
        onClose()
      }}
    >
      {children}
      {leftOut.length > 0 && (
        <p className="text-13">
          {kind === 'group' ? m.servers_bulk_left_out_group(counted(leftOut.length)) : m.servers_bulk_left_out(counted(leftOut.length))}
        </p>
      )}
    </BulkDialog>
  )
}
