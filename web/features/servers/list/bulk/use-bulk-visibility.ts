import { useState } from 'react'
import { m } from '#messages'
import type { ShownServer } from '#web/features/servers/access.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { counted } from '#web/ui/count-text.ts'
import { resultOf, runBulk } from '#web/ui/table/run-bulk.ts'
import type { Selection } from '#web/ui/table/use-list-table.ts'
import { toastError, toastSuccess } from '#web/ui/toast.ts'
import { canChange } from './bulk-changes.ts'
import { useBulkChange } from './use-bulk-change.ts'

/** Shows or hides servers at once, because the toast can undo it. Those that failed stay selected, with the reason. */
export function useBulkVisibility({ rows, idOf, keep }: Selection<ShownServer>, onDone: (reasons: ReadonlyMap<string, string>) => void) {
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
