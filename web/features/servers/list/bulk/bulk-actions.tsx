/** The actions for the selected servers of the list. */
import { useState } from 'react'
import { m } from '#messages'
import type { ShownServer } from '#web/features/servers/access.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { counted } from '#web/ui/count-text.ts'
import { BulkBar } from '#web/ui/table/bulk-bar.tsx'
import type { Selection } from '#web/ui/table/list-table.tsx'
import { resultOf, runBulk } from '#web/ui/table/run-bulk.ts'
import { toastError, toastSuccess } from '#web/ui/toast.ts'
import { useBulkChange } from './bulk-change-dialog.tsx'
import { canChange } from './bulk-changes.ts'
import { GroupDialog } from './group-dialog.tsx'
import { TagsDialog } from './tags-dialog.tsx'

interface BulkActionsProps {
  selection: Selection<ShownServer>
  onClear: () => void
  /** Gets why servers failed. */
  onDone: (reasons: ReadonlyMap<string, string>) => void
}

export function BulkActions({ selection, onClear, onDone }: BulkActionsProps) {
  const visibility = useBulkVisibility(selection, onDone)
  return (
    <BulkBar
      selection={selection}
      countText={m.count_servers}
      actions={[
        { label: m.servers_bulk_show(), isBusy: visibility.pending === true, onClick: () => visibility.change(true) },
        { label: m.servers_bulk_hide(), isBusy: visibility.pending === false, onClick: () => visibility.change(false) },
        { label: m.servers_bulk_add_tags(), dialog: (target) => <TagsDialog {...target} kind="add tags" /> },
        { label: m.servers_bulk_remove_tags(), dialog: (target) => <TagsDialog {...target} kind="remove tags" /> },
        { label: m.servers_bulk_move(), dialog: (target) => <GroupDialog {...target} /> },
      ]}
      onDone={(_remaining, reasons) => onDone(reasons)}
      onClear={onClear}
    />
  )
}

/** Shows or hides servers at once, because the toast can undo it. Those that failed stay selected, with the reason. */
function useBulkVisibility({ rows, idOf, keep }: Selection<ShownServer>, onDone: BulkActionsProps['onDone']) {
  const { change, offerUndo } = useBulkChange()
  const [pending, setPending] = useState<boolean>()
  const run = async (visible: boolean) => {
    const changeable = rows.filter((row) => canChange(row, 'visible'))
    const leftOut = rows.length - changeable.length
    const reasons = new Map<string, string>()
    setPending(visible)
    const failed = await runBulk({
      rows: changeable,
      action: (row) => change(row, { field: 'visible', next: () => visible }),
      onOutcome: (row, outcome) => outcome?.ok === false && reasons.set(idOf(row), outcome.message),
      concurrency: 1,
    })
    setPending(undefined)
    keep(new Set(rows.filter((row) => failed.includes(row) || !changeable.includes(row)).map(idOf)))
    onDone(reasons)
    const changed = offerUndo()
    if (failed.length > 0 || leftOut > 0) {
      const why = [...new Set(reasons.values()), ...(leftOut > 0 ? [m.servers_bulk_left_out(counted(leftOut))] : [])]
      toastError(resultOf(changeable.length - failed.length, rows.length, m.servers_bulk_changed), why.join(' '))
    } else if (changed === 0) toastSuccess(m.servers_bulk_changed(counted(0)))
  }
  return { pending, change: useSingleFlight(run) }
}
