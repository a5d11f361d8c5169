/** Changes many servers, and shows the result of each. */
import { type ReactNode, useRef, useState } from 'react'
import { m } from '#messages'
import type { ServerFieldName } from '#contract/servers/server-field-shapes.ts'
import type { ShownServer } from '#web/features/servers/access.ts'
import { counted } from '#web/ui/count-text.ts'
import type { BulkTarget } from '#web/ui/table/bulk-bar.tsx'
import { BulkDialog } from '#web/ui/table/bulk-dialog.tsx'
import { type BulkChange, canChange } from './bulk-changes.ts'
import { useBulkChange } from './use-bulk-change.ts'

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

/** Changes the servers one after the other. Each change is based on the version that the list shows. */
export function BulkChangeDialog(props: BulkChangeDialogProps) {
  const { rows, idOf, nameOf, field, ownerId, title, confirm, change, children, onDone, onClose } = props
  const { change: changeServer, offerUndo } = useBulkChange()
  // The permissions may change while the dialog is open.
  const [changeable] = useState(() => rows.filter((row) => canChange(row, field, ownerId)))
  // The form is gone while the change runs.
  const wanted = useRef<BulkChange>(undefined)
  const leftOut = rows.filter((row) => !changeable.includes(row))
  return (
    <BulkDialog
      title={title({ items: m.count_servers(counted(changeable.length)) })}
      resultText={m.servers_bulk_changed}
      rows={changeable}
      idOf={idOf}
      nameOf={nameOf}
      confirm={confirm}
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
